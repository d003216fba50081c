"""Two games as readable text.

The first is played on a small map and shows every byte that agents are sent. The second is played on a new
map of a fixed seed and shows the map, the moves and their consequences.
"""

from __future__ import annotations

import json
import random

from arbiter.game import Game
from arbiter.testing import playthrough
from protocols.rails import protocol
from tests.protocols.transcripts import short_transcript

from .table import any_answer, drawn, new_map, ruling, start

SMALL = drawn(
    "A..1..\n.2...B\n....3.\nC..1..", {0: [1, 2], 2: [1]},
    ["0 0 1 1 2 2", "0 3 3 1 4 4", "5 3 3 6 6 7", "8 8 9 9 6 7"],
)  # fmt: skip

SCRIPT = [
    ("AUTOPLACE 0 0 5 1;MESSAGE all aboard", "place_tracks 3 1; PLACE_TRACKS 04 1;"),
    ("AUTOPLACE 0 0 5 1;AUTOPLACE 0 0 0 3", "AUTOPLACE 0 3 5 1;DISRUPT 1"),
    ("PLACE_TRACKS 0 1;PLACE_TRACKS 0 2", "PLACE_TRACKS 0 1;DISRUPT 2 0;PLACE_TRACKS 9 9"),
    ("AUTOPLACE 5 1 4 2;DISRUPT 0", "DISRUPT 1"),
    ("PLACE_TRACKS 4 2;DISRUPT 3", "WAIT"),
    ("WAIT", "PLACE_TRACKS 2 1;DISRUPT 6;WAIT now;PLACE_TRACKS 2 2"),
]


def golden_game() -> str:
    """Play both games."""
    return f"{_small_game()}\n{_new_game(11)}"


def _small_game() -> str:
    script = {seat: iter([answers[seat] for answers in SCRIPT]) for seat in (0, 1)}

    def answer(_: Game, seat: int, __: random.Random) -> str:
        return next(script[seat])

    played = short_transcript(playthrough(protocol, answer, seats=2, setup=SMALL))
    return f"--- seat 1 is sent at first\n{start(SMALL).briefing(1)}{played}"


def _new_game(seed: int) -> str:
    setup = new_map(seed)
    game = start(setup)
    rng = random.Random(seed)
    lines = [f"--- a new map of seed {seed}", *setup["terrain"], *setup["regions"], *map(json.dumps, setup["towns"])]
    number = 0
    while (end := game.result()) is None:
        moves = {seat: ruling(game, seat, any_answer(setup, rng)) for seat in game.to_move()}
        game.play(moves)
        number += 1
        lines.append(f"--- turn {number}: {moves[0]} | {moves[1]}")
        lines.append("; ".join((*game.display().events(), f"scores {game.view()['scores']}")))
    lines += ["--- " + json.dumps(game.view()["connections"]), f"--- {end.ranks} {end.scores} {end.reason} {end.data}"]
    return "\n".join(lines) + "\n"
