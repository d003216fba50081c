"""Plays a plan: a series of games with rotated seats and paired seeds, each recorded as it is played."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec

from arbiter.agents.ask.outside import Respondent
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.game import Game
from arbiter.one_game import OpenSeat, play_game, sandbox_for
from arbiter.plan import Plan
from arbiter.records.format import Header
from arbiter.records.writer import RecordWriter, new_record
from arbiter.referee import OnAnswer
from arbiter.report import GameReport, PlayReport, add_up


class Seated(msgspec.Struct, frozen=True):
    """A game whose remote agents have joined."""

    plan: Plan
    """The plan, with its entrants in the order of the seats."""
    outside: Mapping[int, Respondent] | None = None
    """The respondents for the remote agents, by seat."""
    on_start: Callable[[Game], None] | None = None
    on_record: Callable[[Path], None] | None = None

    def with_record(self, writer: RecordWriter) -> RecordWriter:
        """Pass the path of the record to the server of the remote agents; return the writer."""
        if self.on_record:
            self.on_record(writer.path)
        return writer


Gather = Callable[[Plan, int], contextlib.AbstractContextManager[Seated]]
"""A context manager that waits for the remote agents of a game, given its plan and its seed; the game is played inside it."""


@contextlib.contextmanager
def _nobody(plan: Plan, _: int) -> Iterator[Seated]:
    """Wait for nobody: all agents are local."""
    yield Seated(plan)


def play_series(
    plan: Plan,
    *,
    games: int,
    seed: int,
    watch: OnAnswer | None = None,
    on_game: Callable[[GameReport], None] | None = None,
    on_record: Callable[[Path], None] | None = None,
    person: OpenSeat | None = None,
    gather: Gather | None = None,
) -> PlayReport:
    """Play ``games`` games. Every seed is played once with each rotation of the seats before the next seed.

    ``on_record`` is called with the path of each record when its game begins. Humans are asked through ``person``; by
    default, at the terminal. With remote agents, every game begins with ``gather``.
    """
    gather = gather or _nobody

    def open_record(header: Header) -> RecordWriter:
        writer = new_record(plan.save, header)
        if on_record:
            on_record(writer.path)
        return writer

    reports: list[GameReport] = []
    seats = len(plan.entrants)
    # Sandboxes are started before this process is pinned, so that they can use all cores.
    with open_sandboxes(plan) as sandboxes, cores.pinned() as on:
        for number in range(games):
            turned = number % seats
            order = [*range(turned, seats), *range(turned)]
            seating = [(plan.entrants[index], sandboxes[index]) for index in order]
            entrants = tuple(plan.entrants[index] for index in order)
            deal = seed + number // seats
            with gather(msgspec.structs.replace(plan, entrants=entrants), deal) as seated:
                reports.append(
                    play_game(
                        seated.plan,
                        seating,
                        seed=deal,
                        number=number + 1,
                        open_record=lambda header: seated.with_record(open_record(header)),
                        watch=watch,
                        on=on,
                        person=person,
                        outside=seated.outside,
                        on_start=seated.on_start,
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
                sandbox.prepare()  # returns at once, so that all of them start at the same time
        yield found
