"""The corpus: positions that are rare in games, the same ones every time."""

from __future__ import annotations

import json

import pytest

from arbiter.author.positions import CorpusPosition, positions, variants
from arbiter.config.workspace import Workspace
from arbiter.game import Chance
from arbiter.registry import find_protocol

pytestmark = pytest.mark.slow

RARE = {
    "splendor": {
        "chips to return", "chips to return, gold in hand", "a full reserve", "a card reserved from a deck",
        "deck 1 is empty", "an empty slot", "the last round", "the round limit", "4 players", "a player alone",
        "fewer than three colours in the bank", "no gold in the bank", "a noble has come",
    },
    "green_circle": {
        *(f"level {level}: {phase}" for level in (3, 4) for phase in ("MOVE", "GIVE_CARD", "THROW_CARD", "PLAY_CARD", "RELEASE")),
        "level 1: MOVE", "level 1: RELEASE", "level 2: GIVE_CARD", "an automated card", "one release short of the end",
        "TASK_PRIORITIZATION is possible", "the last phases",
    },
    "heroes": {"a disconnected hero", "every mine is taken", "little life left", "the last turn", "a map of 28 rows", "has died before"},
    "drones": {"fractions of units", "more than a million units", "the last round", "a round has just ended"},
    "rails": {
        "an inked region", "most regions are inked", "a region about to be inked out", "shared tracks", "the last turn",
        "an active connection", "a map of 14 rows", "a map of 20 rows",
    },
}  # fmt: skip
_FOUND: dict[str, list[CorpusPosition]] = {}


def found(name: str) -> list[CorpusPosition]:
    if name not in _FOUND:
        _FOUND[name] = positions(find_protocol(name, Workspace()), 10_000)
    return _FOUND[name]


@pytest.mark.parametrize("name", RARE)
def test_rare_positions_are_in_the_corpus(name: str) -> None:
    features = {feature for position in found(name) for feature in position.features}
    assert RARE[name] - features == set()


@pytest.mark.parametrize("name", RARE)
def test_a_seat_is_asked_in_every_position_and_the_game_goes_on(name: str) -> None:
    for position in found(name):
        assert position.game.result() is None
        assert position.seat in position.game.to_move()
        assert position.text.endswith("\n")


@pytest.mark.parametrize("name", ["splendor", "drones"])
def test_the_corpus_is_the_same_every_time(name: str) -> None:
    again = positions(find_protocol(name, Workspace()), 10_000)
    assert [position.text for position in again] == [position.text for position in found(name)]
    assert [json.dumps(position.game.view()) for position in again[:5]]


@pytest.mark.parametrize("name", RARE)
def test_every_move_of_the_corpus_is_one_that_the_game_accepts(name: str) -> None:
    protocol = find_protocol(name, Workspace())
    assert len(positions(protocol, 3)) == 3
    for variant in variants(protocol):
        options = {option.name: option.default for option in protocol.options} | dict(variant.options)
        assert protocol.setup(variant.seats, options, Chance(1, "setup")) is not None  # type: ignore[arg-type]
