"""Playing a plan: a series of games with seats rotated and seeds paired, each recorded as it is played."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.one_game import OpenSeat, play_game, sandbox_for
from arbiter.plan import Plan
from arbiter.records.format import Header
from arbiter.records.writer import RecordWriter, new_record
from arbiter.referee import OnAnswer
from arbiter.report import GameReport, PlayReport, add_up


def play_series(
    plan: Plan,
    *,
    games: int,
    seed: int,
    watch: OnAnswer | None = None,
    on_game: Callable[[GameReport], None] | None = None,
    on_record: Callable[[Path], None] | None = None,
    person: OpenSeat | None = None,
) -> PlayReport:
    """Play ``games`` games. Every seed is played once with each rotation of the seats before the next seed.

    ``on_record`` is called with the path of each record when its game begins. Humans are asked through ``person``; by
    default, at the terminal.
    """

    def open_record(header: Header) -> RecordWriter:
        writer = new_record(plan.save, header)
        if on_record:
            on_record(writer.path)
        return writer

    reports: list[GameReport] = []
    seats = len(plan.entrants)
    with cores.pinned() as on, open_sandboxes(plan) as sandboxes:
        for number in range(games):
            turned = number % seats
            order = [*range(turned, seats), *range(turned)]
            seating = [(plan.entrants[index], sandboxes[index]) for index in order]
            reports.append(
                play_game(
                    plan,
                    seating,
                    seed=seed + number // seats,
                    number=number + 1,
                    open_record=open_record,
                    watch=watch,
                    on=on,
                    person=person,
                )
            )
            if on_game:
                on_game(reports[-1])
    return PlayReport(games=reports, totals=add_up([entrant.agent.name for entrant in plan.entrants], reports))


@contextlib.contextmanager
def open_sandboxes(plan: Plan) -> Iterator[list[Sandbox | None]]:
    """Open a sandbox for every entrant that needs one, and close them at the end of the block."""
    with contextlib.ExitStack() as stack:
        found = [sandbox_for(plan, entrant) for entrant in plan.entrants]
        for sandbox in found:
            if sandbox:
                stack.enter_context(sandbox)
                sandbox.prepare()  # starts it and returns: all of them start at the same time
        yield found
