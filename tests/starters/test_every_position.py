"""The starter for Splendor chooses legal moves in every position, after random moves of its own and of others.

Those of the other games live for a whole game: the conformance suite asks them in all positions of random games of every
variant. An agent that is started for each move is asked there in a few positions only.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
from types import ModuleType
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
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


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_the_choice_is_legal(seats: int) -> None:
    program = loaded("splendor")
    asked = 0

    def answer(game: Any, seat: int, rng: random.Random) -> str:
        nonlocal asked
        chosen = last_answer(program, game.briefing(seat) + game.prompt(seat))
        game.read(seat, chosen)  # raises IllegalMove
        asked += 1
        return chosen if rng.random() < 0.3 else rng.choice(legal_moves(game, seat))

    options = {"max_rounds": 40, "return_gold": False}
    playthrough(find_protocol("splendor", Workspace()), answer, seats=seats, seed=1, options=options)
    assert asked > 10
