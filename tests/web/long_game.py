"""A long game of Heroes: 1200 moves, saved as a game of agents would be."""

from __future__ import annotations

import random
from pathlib import Path

from arbiter.config.workspace import Workspace
from arbiter.game import Chance
from arbiter.records.format import AnswerLine, Header, ResultLine, SeatInfo
from arbiter.records.reader import Record, load_record
from arbiter.records.writer import RecordWriter
from arbiter.registry import find_protocol
from arbiter.testing import defaults

MOVES = 1200


def long_game(path: Path) -> Record:
    """Play random moves for 300 rounds and save them."""
    protocol = find_protocol("heroes", Workspace())
    options = defaults(protocol, {"rounds": MOVES // 4})
    setup, chance, choose = protocol.setup(4, options, Chance(7, "setup")), Chance(7), random.Random(7)
    limits = {"move": "1s", "first_move": "1s"}
    seats = [
        SeatInfo(name=f"bot {seat}", agent="bot", command=["bot"], lifetime="game", limits=limits) for seat in range(4)
    ]
    header = Header(
        arbiter="test", protocol="heroes", version=protocol.version, options=options, seed=7, setup=setup, seats=seats,
        started="2026-11-16T09:15:00.000Z",
    )  # fmt: skip
    game = protocol.start(4, options, setup, chance)
    with RecordWriter(path, header) as writer:
        turn = 0
        while (result := game.result()) is None:
            turn += 1
            (seat,) = game.to_move()
            move = game.read(seat, choose.choice(["North", "South", "East", "West", "Stay"])).text
            spent = choose.randrange(200, 9000)
            game.play({seat: move})
            kibitz = [f"considering {choose.randrange(1000)} positions, best is {move}"]
            writer.answer(
                AnswerLine(
                    turn=turn, seat=seat, move=move, wall_us=spent, cpu_us=spent, charged_us=spent, kibitz=kibitz,
                    chance=chance.take(),
                )
            )  # fmt: skip
        ranks, scores = list(result.ranks), list(result.scores)
        writer.finish(
            ResultLine(
                ranks=ranks, scores=scores, reason=result.reason, turns=turn, ended="2026-11-16T09:16:00.000Z",
                digest="",
            )
        )  # fmt: skip
    return load_record(path)
