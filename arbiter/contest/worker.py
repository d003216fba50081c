"""A worker of a contest: plays one game after the other as it is told to, on a core of its own.

Run as ``python -m arbiter.contest.worker``. It is told the terms in a first line of JSON, then a game in every further
line, and answers each with a line. What came of a game stands in its record and nowhere else.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import traceback
from collections import OrderedDict
from pathlib import Path

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.launch.cores import Cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.contest.definition import Terms
from arbiter.contest.scheduled import ScheduledGame
from arbiter.errors import UserError
from arbiter.one_game import play_game, sandbox_for
from arbiter.plan import Entrant, Plan
from arbiter.records.writer import RecordWriter

_HOMES = 8
"""Sandboxes kept ready, of the agents that played last."""
_PR_SET_PDEATHSIG = 1


class Hiring(msgspec.Struct, frozen=True):
    """The first line."""

    terms: Terms
    folder: str
    worker: int
    workers: int
    parent: int


class Job(msgspec.Struct, frozen=True):
    """A game to play."""

    key: ScheduledGame
    number: int
    path: str


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to either."""

    number: int = 0
    """Of the game; 0 for the first line."""
    error: str = ""
    """Why it was not played; one line."""
    bug: str = ""
    """A traceback, where the fault is ours."""


def main() -> None:
    """Until there is no more to read."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whether to stop is decided by whoever hired us
    signal.signal(signal.SIGTERM, _leave)
    told, tell = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # nothing else gets between the lines
    first = told.readline()
    if not first:
        return
    hiring = msgspec.json.decode(first, type=Hiring)
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != hiring.parent:
        return
    with contextlib.ExitStack() as staying:
        try:
            plan = hiring.terms.plan(Path(hiring.folder))
        except UserError as error:
            _say(tell, Done(error=str(error)))
            return
        on = staying.enter_context(cores.pinned(hiring.worker, hiring.workers))
        homes = staying.enter_context(Homes(plan))
        _say(tell, Done())
        for line in told:
            _say(tell, _play(plan, homes, msgspec.json.decode(line, type=Job), hiring.terms.name, on))


def _leave(number: int, _: object) -> None:
    """At once, but through the ordinary way out, so that no agent survives us."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _play(plan: Plan, homes: Homes, job: Job, contest: str, on: Cores) -> Done:
    try:
        play_game(
            plan,
            [homes.of(name) for name in job.key.seats],
            seed=job.key.seed,
            number=job.number,
            open_record=lambda header: RecordWriter(Path(job.path), header),
            contest=contest,
            stage=job.key.stage,
            keep_files=False,
            on=on,
        )
    except UserError as error:
        return Done(job.number, str(error))
    except Exception as error:  # noqa: BLE001 - one game is lost to it, not the contest
        return Done(job.number, f"a bug of ours: {error!r}", traceback.format_exc())
    return Done(job.number)


def _say(tell: int, done: Done) -> None:
    with contextlib.suppress(BrokenPipeError):  # nobody is there any more, which the next line to read will tell
        os.write(tell, msgspec.json.encode(done) + b"\n")


class Homes:
    """Sandboxes of the agents that played last."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._entrants = {entrant.agent.name: entrant for entrant in plan.entrants}
        self._homes: OrderedDict[str, Sandbox | None] = OrderedDict()

    def of(self, name: str) -> tuple[Entrant, Sandbox | None]:
        """An agent and where it lives."""
        entrant = self._entrants[name]
        if name not in self._homes:
            if len(self._homes) >= _HOMES and (oldest := self._homes.popitem(last=False)[1]):
                oldest.close()
            home = sandbox_for(self._plan, entrant)
            if home:
                home.prepare()
            self._homes[name] = home
        self._homes.move_to_end(name)
        return entrant, self._homes[name]

    def __enter__(self) -> Homes:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as leaving:
            for home in self._homes.values():
                if home:
                    leaving.callback(home.close)


if __name__ == "__main__":
    main()
