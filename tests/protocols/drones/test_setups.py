"""Setups and options given by the user."""

from __future__ import annotations

import pytest

from arbiter.game import BadSetup, Chance, Json
from arbiter.testing import defaults
from protocols.drones import protocol

from .table import new_match


def test_there_is_nothing_to_set_up() -> None:
    chance = Chance(1, "setup")
    assert protocol.setup(2, {}, chance) == {}
    assert chance.take() == []


@pytest.mark.parametrize("setup", [None, [], "", 0, False, {"rounds": 5}, {"x": "y" * 500}, [{}]])
def test_any_other_setup_is_refused_in_one_line(setup: Json) -> None:
    with pytest.raises(BadSetup) as caught:
        protocol.start(2, {}, setup, Chance(1))
    assert "the setup must be {}" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 140


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_it_is_a_game_for_two(seats: int) -> None:
    with pytest.raises(BadSetup, match=f"2 players, not {seats}"):
        protocol.start(seats, {}, {}, Chance(1))
    assert protocol.seats == (2, 2)


def test_the_defaults() -> None:
    assert defaults(protocol) == {
        "rounds": 10,
        "turns": 10,
        "starting_producers": 1,
        "defender_bonus": 1,
        "field_tie": "coin",
        "match_tie": "draw",
        "fractional_units": False,
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("rounds", 0),
        ("rounds", -1),
        ("rounds", 1_000_001),
        ("rounds", 1.5),
        ("turns", 0),
        ("turns", 41),
        ("starting_producers", 0),
        ("starting_producers", 1001),
        ("defender_bonus", -1),
        ("field_tie", "units"),
        ("match_tie", ""),
        ("fractional_units", "perhaps"),
    ],
)
def test_invalid_options_are_refused(option: str, value: str | int | float) -> None:
    with pytest.raises(BadSetup, match=f"option {option}="):
        protocol.start(2, {option: value}, {}, Chance(1))


def test_options_may_come_as_text() -> None:
    assert new_match(rounds="3", fractional_units="true").settings.rounds == 3
    assert new_match(rounds="3", fractional_units="true").settings.fractional_units is True


def test_limits_are_those_of_a_turn_of_one_second() -> None:
    assert protocol.limits == {
        "move": "1s",
        "first_move": "1s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "1GB",
        "processes": "64",
    }
