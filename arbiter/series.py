"""Playing a plan: a series of games with seats rotated and seeds paired, each written down as it goes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.one_game import play_game, sandbox_for
from arbiter.plan import Plan
from arbiter.records.writer import new_record
from arbiter.referee import OnAnswer
from arbiter.report import GameReport, PlayReport, add_up


def play_series(
    plan: Plan,
    *,
    games: int,
    seed: int,
    watch: OnAnswer | None = None,
    on_game: Callable[[GameReport], None] | None = None,
) -> PlayReport:
    """Play ``games`` games. Every seed is played once with every rotation of the seats before the next one."""
    reports: list[GameReport] = []
    seats = len(plan.entrants)
    with cores.pinned() as on, homes(plan) as boxes:
        for number in range(games):
            turned = number % seats
            order = [*range(turned, seats), *range(turned)]
            at_table = [(plan.entrants[index], boxes[index]) for index in order]
            reports.append(
                play_game(
                    plan,
                    at_table,
                    seed=seed + number // seats,
                    number=number + 1,
                    open_record=lambda header: new_record(plan.save, header),
                    watch=watch,
                    on=on,
                )
            )
            if on_game:
                on_game(reports[-1])
    return PlayReport(games=reports, totals=add_up([entrant.agent.name for entrant in plan.entrants], reports))


@contextlib.contextmanager
def homes(plan: Plan) -> Iterator[list[Sandbox | None]]:
    """A sandbox for every entrant that needs one, for the time being."""
    with contextlib.ExitStack() as staying:
        found = [sandbox_for(plan, entrant) for entrant in plan.entrants]
        for home in found:
            if home:
                staying.enter_context(home)
                home.prepare()  # all of them are made at the same time
        yield found
