"""Ask the questions of many saved games again, on all cores.

Each worker is a fork of this process, which has everything imported already, and keeps its own sandboxes from game to game.
It is sent one path at a time and replies with a :class:`GameRerun`.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path

from arbiter.agents.launch import cores, strays, supervisor
from arbiter.author.rerun import Rerunner, RerunRequest
from arbiter.author.rerun_report import GameRerun, LeftOut
from arbiter.config.workspace import Workspace
from arbiter.contest.worker import set_signal_handlers
from arbiter.errors import UserError


def rerun_games(
    paths: Sequence[Path], wanted: RerunRequest, workspace: Workspace, workers: int | None = None
) -> Iterator[GameRerun]:
    """Yield the result of each game when it is done. ``workers`` is the number of games at the same time; None: one per core.

    A single game that cannot be rerun raises UserError; of several, it is left out.
    """
    size = min(len(paths), workers or len(cores.usable()) or 1)
    if len(paths) == 1:
        with Rerunner(wanted, workspace) as rerunner:
            yield GameRerun(seats=list(rerunner.rerun(paths[0])), notes=rerunner.notes)
    elif size == 1:
        with Rerunner(wanted, workspace) as rerunner:
            yield from (_rerun(rerunner, path) for path in paths)
    else:
        with Rerunner(wanted, workspace) as rerunner, contextlib.suppress(UserError):
            rerunner.build(paths[0])  # once, and not in every worker
        yield from _in_workers(paths, wanted, workspace, size)


def _rerun(rerunner: Rerunner, path: Path) -> GameRerun:
    try:
        return GameRerun(seats=list(rerunner.rerun(path)), notes=rerunner.notes)
    except UserError as error:
        return _left_out(path, str(error).removeprefix(f"{path}: "))


def _left_out(path: Path, why: str) -> GameRerun:
    return GameRerun(left_out=LeftOut(record=str(path), because=why))


@dataclass(slots=True)
class _Worker:
    """A worker, as its parent sees it."""

    process: ForkProcess
    connection: Connection
    path: Path
    """The game it is busy with."""

    def send(self, path: Path) -> None:
        self.path = path
        with contextlib.suppress(OSError):  # it has exited, which is noticed when its reply is read
            self.connection.send(path)

    def reply(self) -> GameRerun | None:
        """Return its reply; None if it has ended instead."""
        try:
            reply: GameRerun = self.connection.recv()
        except (EOFError, OSError):
            return None
        return reply


def _in_workers(paths: Sequence[Path], wanted: RerunRequest, workspace: Workspace, size: int) -> Iterator[GameRerun]:
    waiting, busy = iter(paths), list[_Worker]()
    with contextlib.ExitStack() as stack:
        stack.enter_context(supervisor.subreaper())
        for number, path in zip(range(size), waiting, strict=False):
            worker = _start(wanted, workspace, number, size)
            stack.callback(_end, worker)
            worker.send(path)
            busy.append(worker)
        while busy:
            ready = wait([worker.connection for worker in busy])
            for worker in [each for each in busy if each.connection in ready]:
                reply = worker.reply()
                yield reply or _left_out(worker.path, "the worker process that asked its questions exited")
                path_or_none = next(waiting, None) if reply else None
                if path_or_none is None:
                    busy.remove(worker)
                else:
                    worker.send(path_or_none)
        yield from (_left_out(path, "all worker processes have exited") for path in waiting)


def _start(wanted: RerunRequest, workspace: Workspace, number: int, size: int) -> _Worker:
    context = get_context("fork")
    ours, theirs = context.Pipe()
    rerunner = Rerunner(wanted, workspace, worker=(number, size))
    process = context.Process(target=_serve, args=(theirs, rerunner, os.getpid()), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, Path())


def _end(worker: _Worker) -> None:
    worker.process.terminate()
    worker.process.join()
    worker.connection.close()
    strays.sweep(str(worker.process.pid))


def _serve(connection: Connection, rerunner: Rerunner, parent: int) -> None:
    """Reply to every path until this process is told to end."""
    set_signal_handlers()
    if supervisor.end_with(parent):
        with rerunner:
            while True:
                connection.send(_rerun(rerunner, connection.recv()))
