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
from pathlib import Path

import msgspec

from arbiter import plan as plans
from arbiter.agents.launch import cores, supervisor
from arbiter.agents.launch.cores import Cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.contest.outcomes import OutcomeTally
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.secret import Deal
from arbiter.errors import UserError
from arbiter.one_game import play_game, sandbox_for
from arbiter.plan import Entrant, Plan
from arbiter.records.format import Header, HostInfo
from arbiter.records.writer import RecordWriter
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


class Job(msgspec.Struct, frozen=True):
    """A game to play."""

    game: ScheduledGame
    number: int
    path: str
    """Where to save the record."""
    deal: Deal | None = None
    """The key that all its randomness derives from; None uses its seed."""
    host: str = ""
    """The machine of a cluster that other games of its deal were played on, if any."""
    more: bool = False
    """Whether the next game to start has the same deal."""
    left: int = 0
    """How many games are waiting to start after it."""


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a job, or to the configuration."""

    number: int = 0
    """The number of the game; 0 for the configuration."""
    error: str = ""
    """Why the game was not played, in one line."""
    bug: str = ""
    """The traceback, if the arbiter is at fault."""
    outcome: Outcome | None = None
    """The outcome of the game, without the path of its record."""
    lost: bool = False
    """Whether the worker ended before it could reply."""


def main() -> None:
    """Play games until standard input is closed. The first line there is the configuration."""
    set_signal_handlers()
    requests, replies = sys.stdin.buffer, os.dup(1)
    os.dup2(2, 1)  # other output must not get between the replies
    first = requests.readline()
    if first:
        serve(plans.decode_plan(first, WorkerConfig), requests, replies)


def set_signal_handlers() -> None:
    """Leave interrupts to the arbiter, which decides whether to stop; exit when it says so."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit)


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


def _exit(number: int, _: object) -> None:
    """Exit at once, but through all context managers, so that no agent survives."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def play_job(
    plan: Plan, sandboxes: SandboxCache, job: Job, contest: str, on: Cores, *, host: HostInfo | None = None
) -> Done:
    """Play one game of a contest. Raises nothing: a bug costs one game, not the contest."""
    try:
        return Done(job.number, outcome=_play(plan, sandboxes, job, contest, on, host=host))
    except UserError as error:
        return Done(job.number, str(error))
    except Exception as error:  # noqa: BLE001 - reported with the game
        if blamed := as_protocol_error(error):
            return Done(job.number, str(blamed))
        return Done(job.number, f"a bug in arbiter: {error!r}", traceback.format_exc())


def _play(plan: Plan, sandboxes: SandboxCache, job: Job, contest: str, on: Cores, *, host: HostInfo | None) -> Outcome:
    game, deal = job.game, job.deal
    tally = OutcomeTally(len(game.seats))
    writers: list[RecordWriter] = []

    def open_record(header: Header) -> RecordWriter:
        if host:
            header.host = host
        writers.append(RecordWriter(Path(job.path), header))
        return writers[0]

    commitment = deal.commitment if deal else ""
    report = play_game(
        plan,
        [sandboxes.seat(name) for name in game.seats],
        seed=deal.seed if deal else game.seed,
        number=job.number,
        open_record=open_record,
        deal=game.seed,
        commitment=commitment,
        contest=contest,
        stage=game.stage,
        watch=lambda _, line: tally.add(line),
        keep_files=False,
        on=on,
    )
    outcome = tally.close(game, report, writers[0].moves_hash(), plan.protocol.secondary, commitment)
    return msgspec.structs.replace(outcome, host=host.name) if host else outcome


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
