"""A process that plays one of several concurrent games. Run as ``python -m arbiter.bench.worker``.

It reads its assignment as one line of JSON, writes ``ready``, waits for the line ``go``, plays, and writes the timing of
every move as one line of JSON.
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
from arbiter.bench.burn_game import LATE, BurnGame
from arbiter.bench.programs import bench_sandbox, launch_for
from arbiter.bench.whole_turn import throwaway_header
from arbiter.config.limits import Limits, Source, resolve_limits
from arbiter.game import Chance, Game
from arbiter.playing.referee import play_out
from arbiter.records.format import AnswerLine
from arbiter.records.writer import RecordWriter

_PR_SET_PDEATHSIG = 1


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker plays: moves of an agent that uses ``burn_us`` of CPU time each."""

    command: tuple[str, ...]
    burn_us: int
    limit_us: int
    level: Level
    moves: int = 0
    """Number of moves to play; 0 for no limit."""
    seconds: float = 0
    """Time after which no new game is started; 0 for no limit."""
    game_moves: int = 100
    """Moves per game; the agent is restarted for every game."""
    cores: tuple[int, ...] = ()
    """Cores that the workers share; empty for all."""


class Assignment(msgspec.Struct, frozen=True):
    """The first line from the parent process."""

    task: Task
    number: int
    """The number of this worker, from 0."""
    workers: int
    parent: int
    """Process id of the parent."""


class MoveTiming(msgspec.Struct, frozen=True, array_like=True):
    """The clock readings of one move."""

    wall_us: int
    cpu_us: int
    charged_us: int
    late: bool


class WorkerResult(msgspec.Struct, frozen=True):
    """The last line to the parent process."""

    took_ns: int
    moves: list[MoveTiming]


def main() -> None:
    """Do one assignment."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    requests, replies = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # stray prints must not get between the replies
    assignment = msgspec.json.decode(requests.readline(), type=Assignment)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != assignment.parent:
        return
    task = assignment.task
    if task.cores:
        os.sched_setaffinity(0, task.cores)
    limits = resolve_limits([Source("bench", {"move": f"{task.limit_us}us", "first_move": "60s"})])[0]
    with contextlib.ExitStack() as stack:
        stack.enter_context(cores.pinned(assignment.number, assignment.workers))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arbiter-bench-")))
        sandbox = bench_sandbox(task.command, task.level, limits)
        if sandbox:
            stack.enter_context(sandbox).box()
        os.write(replies, b"ready\n")
        if requests.readline():
            os.write(replies, msgspec.json.encode(_play(task, limits, sandbox, folder)) + b"\n")


def _play(task: Task, limits: Limits, sandbox: Sandbox | None, folder: Path) -> WorkerResult:
    start_ns = monotonic_ns()
    until_ns = start_ns + round(task.seconds * 1e9) if task.seconds else None
    moves: list[MoveTiming] = []

    def note(game: Game, line: AnswerLine) -> None:
        if isinstance(game, BurnGame) and game.counts:
            moves.append(MoveTiming(line.wall_us, line.cpu_us, line.charged_us, line.move == LATE))

    seat = Seat(launch_for(task.command, sandbox), limits, "game", sandbox)
    number = 0
    while (not task.moves or len(moves) < task.moves) and (until_ns is None or monotonic_ns() < until_ns):
        number += 1
        left = task.moves - len(moves) if task.moves else task.game_moves
        game = BurnGame(min(task.game_moves, left), task.burn_us)
        path = folder / f"{number}.jsonl"
        with RecordWriter(path, throwaway_header()) as writer, Table([seat], idle=writer.flush) as table:
            play_out(game, Chance(0), table, writer, note)
        path.unlink()
    return WorkerResult(monotonic_ns() - start_ns, moves)


if __name__ == "__main__":
    main()
