"""What a person who plays one seat sees does not depend on what is hidden from that seat."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from arbiter.game import Game
from tests.protocols.drawings import opened
from tests.protocols.splendor.table import new_game, turn

SEATS = {"splendor": 2, "heroes": 4, "rails": 2, "green_circle": 2, "drones": 2}


def advance(game: Game, turns: int, rng: random.Random) -> None:
    """Play random moves; simple ones where the protocol cannot list them."""
    for _ in range(turns):
        if game.result() is not None:
            return
        simple = ["WAIT"] if "tracks" in game.view() else ["0 1 0", "1 0 0"]
        game.play(
            {seat: game.read(seat, rng.choice(game.display().legal(seat) or simple)).text for seat in game.to_move()}
        )


def seen(game: Game, seat: int) -> Any:
    return game.display().view_for(seat)


@pytest.mark.parametrize("protocol", SEATS)
def test_every_listed_move_is_legal_and_every_seat_has_a_view(protocol: str) -> None:
    game = opened(protocol, SEATS[protocol])
    rng = random.Random(1)
    for _ in range(40):
        for seat in range(SEATS[protocol]):
            assert json.dumps(seen(game, seat))
            assert set(seen(game, seat)) == set(game.view())
        for seat in game.to_move():
            for move in game.display().legal(seat) or ():
                game.read(seat, move)
        advance(game, 1, rng)


def test_splendor_hides_cards_reserved_from_a_deck_from_the_others_only() -> None:
    game = new_game(2)
    turn(game, "3 -1")
    card = game.position.players[0].reserve[0]
    assert seen(game, 1)["players"][0]["reserve"] == [{"level": 1, "secret": True}]
    assert seen(game, 0)["players"][0]["reserve"][0]["id"] == card


def test_splendor_shows_cards_reserved_face_up_to_everybody() -> None:
    game = new_game(2)
    card = game.view()["rows"][0][0]["id"]
    turn(game, f"3 {card}")
    assert seen(game, 1)["players"][0]["reserve"][0]["id"] == card


def test_drones_hides_the_units_of_the_other_seat_and_its_moves_until_the_clash() -> None:
    game = opened("drones", 2)
    assert not game.display().shows_move(1)
    game.play({0: "0 1 0", 1: "1 0 0"})
    own, other = seen(game, 0)["players"]
    assert own == game.view()["players"][0]
    assert set(other.values()) == {None}
    game.play({0: "0 0 1", 1: "0 0 0"})
    assert seen(game, 0)["last_round"]["players"] == game.view()["last_round"]["players"]


def test_green_circle_tells_only_counts_as_agents_are_told() -> None:
    game = opened("green_circle", 2)
    advance(game, 25, random.Random(3))
    seat = game.to_move()[0]
    office = game._office  # type: ignore[attr-defined]
    own, other = office.teams[seat], office.teams[1 - seat]
    shown, sent = seen(game, seat), game.prompt(seat)
    own.draw.reverse()
    other.discard += other.hand + other.draw
    other.hand, other.draw = [], []
    assert game.prompt(seat) == sent, "only what is hidden has changed"
    assert seen(game, seat) == shown
    assert seen(game, 1 - seat)["actions"] == [], "the possible actions of the other seat tell its hand"


def test_rails_shows_both_moves_of_a_turn() -> None:
    assert opened("rails", 2).display().shows_move(1)
