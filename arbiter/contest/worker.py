"""A worker of a contest: a process that plays one game after the other, on a core of its own.

Started by :mod:`arbiter.contest.worker_process` with a :class:`WorkerConfig`, which holds the resolved plan. Every line it
is sent is a :class:`Job`; each is answered by a line with a :class:`Done`, and so is the configuration. The outcome of a
game is in its record; the reply also has it, which saves reading the record.

A worker does not read arbiter.toml, build agents or try sandbox levels: the plan has the results of all that.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import traceback
from collections import OrderedDict
from collections.abc import Iterable

import msgspec

from arbiter import signals
from arbiter.agents.launch import cores, supervisor
from arbiter.agents.launch.cores import Cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.contest.scheduled import GameSummary
from arbiter.errors import UserError
from arbiter.playing import plan as plans
from arbiter.playing.job import Job
from arbiter.playing.one_game import Hooks, play_game, sandbox_for
from arbiter.playing.plan import Entrant, Plan
from arbiter.records.format import HostInfo
from arbiter.registry import as_protocol_error

_SANDBOXES = 8
"""How many sandboxes are kept open, those of the agents that played most recently."""


class WorkerConfig(msgspec.Struct, frozen=True):
    """The configuration of a worker."""

    plan: Plan
    contest: str
    """The name of the contest, for the records."""
    worker: int
    """Its number among the workers, from 0."""
    workers: int
    parent: int
    """The process id of the arbiter."""
    host: HostInfo | None = None
    """This machine, if it is one of a cluster."""


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a job, or to the configuration."""

    number: int = 0
    """The number of the game; 0 for the configuration."""
    error: str = ""
    """Why the game was not played, in one line."""
    bug: str = ""
    """The traceback, if the arbiter is at fault."""
    outcome: GameSummary | None = None
    """The outcome of the game, without the path of its record."""
    lost: bool = False
    """Whether the worker ended before it could reply."""
    annulled: str = ""
    """Why the organiser annuls this game, which was reported before; it is played again."""


def main() -> None:
    """Play games until standard input is closed. The first line there is the configuration."""
    set_signal_handlers()
    requests, replies = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # other output must not get between the replies
    first = requests.readline()
    if first:
        serve(plans.decode_plan(first, WorkerConfig), requests, replies)


def set_signal_handlers() -> None:
    """Leave interrupts to the arbiter, which decides whether to stop; exit when it says so, through all context managers, so
    that no agent survives."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signals.install([signal.SIGTERM])


def serve(config: WorkerConfig, requests: Iterable[bytes], replies: int) -> None:
    """Play the games that are asked for until the end of the requests; ``replies`` is a file descriptor."""
    if not supervisor.end_with(config.parent):
        return
    with contextlib.ExitStack() as stack:
        try:
            _ = config.plan.protocol
        except UserError as error:
            _reply(replies, Done(error=str(error)))
            return
        on = stack.enter_context(cores.pinned(config.worker, config.workers))
        sandboxes = stack.enter_context(SandboxCache(config.plan))
        _reply(replies, Done())
        for line in requests:
            job = msgspec.json.decode(line, type=Job)
            _reply(replies, play_job(config.plan, sandboxes, job, config.contest, on, host=config.host))


def play_job(
    plan: Plan,
    sandboxes: SandboxCache,
    job: Job,
    contest: str,
    on: Cores,
    *,
    host: HostInfo | None = None,
    hooks: Hooks | None = None,
) -> Done:
    """Play one game of a contest. Raises nothing: a bug costs one game, not the contest."""
    try:
        seating = [sandboxes.seat(name) for name in job.game.seats]
        game = play_game(plan, job, seating, contest=contest, host=host, on=on, hooks=hooks)
        return Done(job.number, outcome=msgspec.structs.replace(game, record=""))
    except UserError as error:
        return Done(job.number, str(error))
    except Exception as error:  # noqa: BLE001 - reported with the game
        if blamed := as_protocol_error(error):
            return Done(job.number, str(blamed))
        return Done(job.number, f"a bug in arbiter: {error!r}", traceback.format_exc())


def _reply(replies: int, done: Done) -> None:
    with contextlib.suppress(BrokenPipeError):  # the arbiter is gone, so the next line read will be the end
        os.write(replies, msgspec.json.encode(done) + b"\n")


class SandboxCache:
    """Open sandboxes of the agents that played last. Use as a context manager."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._entrants = {entrant.agent.name: entrant for entrant in plan.entrants}
        self._open: OrderedDict[str, Sandbox | None] = OrderedDict()

    def seat(self, name: str) -> tuple[Entrant, Sandbox | None]:
        """The agent of that name with its sandbox, which is opened if necessary."""
        entrant = self._entrants[name]
        if name not in self._open:
            if len(self._open) >= _SANDBOXES and (oldest := self._open.popitem(last=False)[1]):
                oldest.close()
            sandbox = sandbox_for(self._plan, entrant)
            if sandbox:
                sandbox.prepare()
            self._open[name] = sandbox
        self._open.move_to_end(name)
        return entrant, self._open[name]

    def __enter__(self) -> SandboxCache:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.ExitStack() as stack:
            for sandbox in self._open.values():
                if sandbox:
                    stack.callback(sandbox.close)


if __name__ == "__main__":
    main()
