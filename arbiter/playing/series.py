"""Plays a plan: a series of games with rotated seats and paired seeds, each recorded as it is played."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from arbiter.agents.ask.outside import Respondent
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.game import Game
from arbiter.playing.job import Job
from arbiter.playing.one_game import Hooks, OpenSeat, play_game, sandbox_for
from arbiter.playing.plan import Plan
from arbiter.playing.referee import OnAnswer
from arbiter.playing.report import PlayReport, add_up
from arbiter.records.summary import GameSummary, ScheduledGame


class Seated(msgspec.Struct, frozen=True):
    """A game whose remote agents have joined."""

    plan: Plan
    """The plan, with its entrants in the order of the seats."""
    respondents: Mapping[int, Respondent] = {}
    """Who answers for the remote agents, by seat."""
    on_start: Callable[[Game], None] | None = None
    watch: OnAnswer | None = None
    on_record: Callable[[Path], None] | None = None
    """Called with the path of the record when it has been opened."""


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
    on_game: Callable[[GameSummary], None] | None = None,
    on_record: Callable[[Path], None] | None = None,
    person: OpenSeat | None = None,
    gather: Gather | None = None,
) -> PlayReport:
    """Play ``games`` games. Every seed is played once with each rotation of the seats before the next seed.

    ``on_record`` is called with the path of each record when its game begins. Humans are asked through ``person``; by
    default, at the terminal. With remote agents, every game begins with ``gather``.
    """
    gather = gather or _nobody

    reports: list[GameSummary] = []
    seats = len(plan.entrants)
    # Sandboxes are started before this process is pinned, so that they can use all cores.
    with open_sandboxes(plan) as sandboxes, cores.pinned() as on:
        for number in range(games):
            turned = number % seats
            order = [*range(turned, seats), *range(turned)]
            entrants = tuple(plan.entrants[index] for index in order)
            names = tuple(entrant.agent.name for entrant in entrants)
            # Nothing is carried to another game of the same deal, in which an agent would know it.
            last_of_deal = turned == seats - 1
            job = Job(ScheduledGame(names, seed + number // seats), number + 1, keeps_files=last_of_deal)
            with gather(msgspec.structs.replace(plan, entrants=entrants), job.seed) as seated:
                hooks = Hooks(
                    respondents=seated.respondents,
                    person=person,
                    watch=lambda game, line: _each((game, line), watch, seated.watch),
                    on_start=seated.on_start,
                    on_record=lambda writer: _each((writer.path,), on_record, seated.on_record),
                )
                seating = list(zip(seated.plan.entrants, [sandboxes[index] for index in order], strict=True))
                reports.append(play_game(seated.plan, job, seating, on=on, hooks=hooks))
            if on_game:
                on_game(reports[-1])
    return PlayReport(games=reports, totals=add_up([entrant.agent.name for entrant in plan.entrants], reports))


def _each(what: tuple[Any, ...], *told: Callable[..., None] | None) -> None:
    for tell in told:
        if tell:
            tell(*what)


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
