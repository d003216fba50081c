"""Boards of the largest games with the longest names fit into 80 columns, and speak of agents by name."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from arbiter.game import Game, Protocol, columns
from arbiter.seat_names import SeatNames
from arbiter.testing import playthrough
from protocols.drones import protocol as drones
from protocols.green_circle import protocol as green_circle
from protocols.heroes import protocol as heroes
from protocols.rails import protocol as rails
from protocols.splendor import protocol as splendor

from .drones.table import random_answer as drone_answer
from .heroes.table import lively_answer
from .rails.table import any_answer, drawn
from .splendor.table import random_answer as splendor_answer

pytestmark = pytest.mark.slow

NAMES = ["a" * 40, "長い名前の代理人" * 5, "🦊" * 40, "x (seat 1) seat 2 hero 3 player 4 and so on!"]
Answer = Callable[[Game, int, random.Random], str]


def office_answer(game: Game, seat: int, rng: random.Random) -> str:
    return str(rng.choice(game.view()["actions"]))


def rails_answer(game: Game, seat: int, rng: random.Random) -> str:
    return any_answer(game.view(), rng)


def country(width: int, height: int) -> object:
    """A map of Rails with a town in two corners, a column of regions for every cell, and nothing else."""
    rows = ["A" + "." * (width - 1), *["." * width] * (height - 2), "." * (width - 1) + "B"]
    return drawn("\n".join(rows), {0: [1]})


ARENA = "\n".join(["@1@2@3@4$-$3[]^^" + "  " * 39 + "##", *["  " * 48 for _ in range(46)], "##" * 48])

GAMES: dict[str, tuple[Protocol, int, Mapping[str, object], object, Answer]] = {
    "splendor, four seats": (splendor, 4, {}, None, splendor_answer),
    "heroes, largest generated map": (heroes, 4, {"size": 28, "rounds": 30}, None, lively_answer),
    "heroes, beside the map": (heroes, 4, {"size": 14, "rounds": 30}, None, lively_answer),
    "heroes, largest map": (heroes, 4, {"map": ARENA, "rounds": 5}, None, lively_answer),
    "rails, largest generated map": (rails, 2, {"height": 20}, None, rails_answer),
    "rails, widest map with borders": (rails, 2, {}, country(38, 6), rails_answer),
    "rails, widest map": (rails, 2, {}, country(60, 12), rails_answer),
    "drones, fractions": (drones, 2, {"fractional_units": True, "rounds": 60}, None, drone_answer),
    "drones, crowds": (drones, 2, {"turns": 40, "starting_producers": 1000}, None, drone_answer),
    "green_circle": (green_circle, 2, {}, None, office_answer),
}


@pytest.mark.parametrize("protocol", [drones, green_circle, heroes, rails, splendor], ids=lambda each: each.name)
def test_what_a_person_is_told_to_type_fits_into_80_columns_as_it_is_written(protocol: Protocol) -> None:
    assert [line for line in protocol.help.splitlines() if columns(line) > 80] == []


@pytest.mark.parametrize("case", GAMES)
def test_every_board_fits_into_80_columns_and_names_the_agents(case: str) -> None:
    protocol, seats, options, setup, answer = GAMES[case]
    names = SeatNames(protocol, NAMES[:seats])
    looked = 0

    def look(game: Game) -> None:
        nonlocal looked
        looked += 1
        if looked % 7 != 1:
            return
        display = names.display(game)
        for seat in (None, *range(seats)):
            board = display.board(seat)
            assert max(map(columns, board.splitlines())) <= 80
            assert all(name in board for name in names.full)

    playthrough(protocol, answer, seats=seats, seed=3, options=options, setup=setup, max_turns=150, after_turn=look)
    assert looked > 20


def test_what_a_map_of_rails_has_no_room_for_is_listed_below() -> None:
    game = rails.start(2, {option.name: option.default for option in rails.options}, country(60, 60), None)  # type: ignore[arg-type]
    game.play({0: "DISRUPT 61", 1: "WAIT"})
    board = game.display().board()
    assert "towns: 0 (0, 0), 1 (59, 59)" in board
    assert "instability, not drawn: region 61: 1" in board
