"""Starters choose legal moves in every position: after random moves, with any number of seats and any option."""

from __future__ import annotations

import contextlib
import io
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.game import Game
from arbiter.registry import find_protocol
from arbiter.testing import playthrough
from protocols.splendor.legal_moves import legal_moves
from tests.starters.making import files

pytestmark = pytest.mark.slow


def loaded(game: str) -> ModuleType:
    """Return the starter in Python as a module."""
    module = ModuleType(f"starter_{game}")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    exec(compile(files(game, "python")["agent.py"], "agent.py", "exec"), module.__dict__)
    return module


def last_answer(module: ModuleType, text: str) -> str:
    """Send the program a text as its whole input, and return its last answer."""
    out = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        patch.setattr(sys, "stdin", io.StringIO(text))
        module.main()
    return out.getvalue().splitlines()[-1]


def _splendor(game: Any, seat: int, rng: random.Random) -> str:
    return rng.choice(legal_moves(game, seat))


def _green_circle(game: Game, seat: int, rng: random.Random) -> str:
    lines = game.prompt(seat).splitlines()
    actions = next(lines[at + 1 :] for at in range(len(lines) - 1, 0, -1) if lines[at] == str(len(lines) - at - 1))
    return rng.choice(actions)


def _rails(game: Game, seat: int, rng: random.Random) -> str:
    x, y, to_x, to_y, region = (rng.randrange(limit) for limit in (30, 20, 30, 20, 40))
    return rng.choice(["WAIT", f"AUTOPLACE {x} {y} {to_x} {to_y}", f"DISRUPT {region}", f"PLACE_TRACKS {x} {y}"])


def _heroes(game: Game, seat: int, rng: random.Random) -> str:
    return rng.choice(["North", "South", "East", "West", "Stay"])


def _drones(game: Game, seat: int, rng: random.Random) -> str:
    return f"{rng.randrange(4)} {rng.randrange(4)} {int(rng.random() < 0.1)}"


RANDOM: dict[str, Callable[[Any, int, random.Random], str]] = {
    "drones": _drones, "green_circle": _green_circle, "heroes": _heroes, "rails": _rails, "splendor": _splendor,
}  # fmt: skip
# The conformance suite asks starters of long-lived agents in random games of every variant.
CASES = [
    ("drones", 2, {"rounds": 3, "fractional_units": True}),
    ("green_circle", 2, {"level": 4}),
    ("heroes", 4, {"rounds": 15, "size": 10}),
    ("rails", 2, {"turns": 12, "ink_threshold": 1}),
    *(("splendor", seats, {"max_rounds": 40, "return_gold": False}) for seats in (1, 2, 3, 4)),
]


@pytest.mark.parametrize(("name", "seats", "options"), CASES)
def test_the_choice_is_legal(name: str, seats: int, options: dict[str, object]) -> None:
    program = loaded(name)
    asked = 0

    def answer(game: Game, seat: int, rng: random.Random) -> str:
        nonlocal asked
        chosen = last_answer(program, game.briefing(seat) + game.prompt(seat))
        game.read(seat, chosen)  # raises IllegalMove
        asked += 1
        return chosen if rng.random() < 0.3 else RANDOM[name](game, seat, rng)

    playthrough(find_protocol(name, Workspace()), answer, seats=seats, seed=1, options=options)
    assert asked > 10
