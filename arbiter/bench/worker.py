"""One of many games at once. Run as ``python -m arbiter.bench.worker``.

It is told its task in a line of JSON, says when it is ready, waits for a line that says go, plays, and says in a line of
JSON how long every move took and what it was charged.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import tempfile
from pathlib import Path
from time import monotonic_ns

import msgspec

from arbiter.agents.ask.table import Seat, Table
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.bench.burning import LATE, BurningGame
from arbiter.bench.programs import home_of, launch_of
from arbiter.bench.whole_turn import header
from arbiter.game import Chance, Game
from arbiter.limits import Limits, Source, resolve
from arbiter.records.format import AnswerLine
from arbiter.records.writer import RecordWriter
from arbiter.referee import play_out

_PR_SET_PDEATHSIG = 1


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What all workers of a crowd do: moves of an agent that works for ``burn_us`` of CPU time each."""

    command: tuple[str, ...]
    burn_us: int
    limit_us: int
    level: Level
    moves: int = 0
    """After so many it is over; 0: by time alone."""
    seconds: float = 0
    """After so long no new move is begun; 0: by moves alone."""
    game_moves: int = 100
    """Of one game: its agent starts anew with the next."""
    cores: tuple[int, ...] = ()
    """Cores that all of them share; all if empty."""


class Hired(msgspec.Struct, frozen=True):
    """The first line."""

    task: Task
    number: int
    workers: int
    parent: int


class Reading(msgspec.Struct, frozen=True, array_like=True):
    """One move."""

    wall_us: int
    cpu_us: int
    charged_us: int
    late: bool


class Played(msgspec.Struct, frozen=True):
    """The last line."""

    took_ns: int
    moves: list[Reading]


def main() -> None:
    """One task."""
    told, tell = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # nothing else gets between the lines
    hired = msgspec.json.decode(told.readline(), type=Hired)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != hired.parent:
        return
    task = hired.task
    if task.cores:
        os.sched_setaffinity(0, task.cores)
    limits = resolve([Source("bench", {"move": f"{task.limit_us}us", "first_move": "60s"})])[0]
    with contextlib.ExitStack() as staying:
        staying.enter_context(cores.pinned(hired.number, hired.workers))
        folder = Path(staying.enter_context(tempfile.TemporaryDirectory(prefix="arbiter-bench-")))
        home = home_of(task.command, task.level, limits)
        if home:
            staying.enter_context(home).box()
        os.write(tell, b"ready\n")
        if told.readline():
            os.write(tell, msgspec.json.encode(_play(task, limits, home, folder)) + b"\n")


def _play(task: Task, limits: Limits, home: Sandbox | None, folder: Path) -> Played:
    began_ns = monotonic_ns()
    until_ns = began_ns + round(task.seconds * 1e9) if task.seconds else None
    moves: list[Reading] = []

    def note(game: Game, line: AnswerLine) -> None:
        if isinstance(game, BurningGame) and game.counts:
            moves.append(Reading(line.wall_us, line.cpu_us, line.charged_us, line.move == LATE))

    seat = Seat(launch_of(task.command, home), limits, "game", home)
    number = 0
    while (not task.moves or len(moves) < task.moves) and (until_ns is None or monotonic_ns() < until_ns):
        number += 1
        left = task.moves - len(moves) if task.moves else task.game_moves
        game = BurningGame(min(task.game_moves, left), task.burn_us)
        path = folder / f"{number}.jsonl"
        with RecordWriter(path, header()) as writer, Table([seat], idle=writer.flush) as table:
            play_out(game, Chance(0), table, writer, note)
        path.unlink()
    return Played(monotonic_ns() - began_ns, moves)


if __name__ == "__main__":
    main()
