"""Halving: many candidates play a few games against a field, the best of them play on. For finding the best of many.

All candidates that are still in play the same deals, so luck that helps one of them helps the others, too. Most games are
spent on the candidates between which it is hardest to decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, comb, fsum
from typing import ClassVar

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import FinalPlace, Stage
from arbiter.contest.schedules.history import left_behind
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.round_robin import refuse_too_many
from arbiter.contest.schedules.seating import FairSchedule, table_of
from arbiter.contest.schedules.tables import all_tables
from arbiter.errors import FieldError, UserError, out_of_range, unknown
from arbiter.game import ranks_from_scores


@dataclass(frozen=True, slots=True)
class _Rung:
    """One round of the schedule."""

    number: int
    contenders: tuple[str, ...]
    """The candidates that are still in, best first as far as is known."""
    games: tuple[ScheduledGame, ...]


class Halving(FairSchedule, frozen=True, kw_only=True, tag="halving"):
    """Candidates play at every table that can be formed with the other agents, the field. After each rung, one of every
    ``divisor`` stays in and plays ``divisor`` times as many games."""

    summary: ClassVar[str] = "the best of many candidates"
    candidates: tuple[str, ...]
    """Names of the agents to choose from."""
    games: int | None = None
    """Games per table in the first rung, a multiple of its seatings; by default one seed in all seatings."""
    divisor: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        self.seeds_for(self.games)
        if self.divisor < 2:
            raise FieldError(out_of_range("divisor", self.divisor, 2), "divisor")
        if not self.candidates:
            raise FieldError("candidates: name at least one of the agents", "candidates")

    def check(self, agents: Sequence[str]) -> None:
        super().check(agents)
        for name in self.candidates:
            if name not in agents:
                raise unknown("agent", name, agents, where="candidates")
        field = len(agents) - len(set(self.candidates))
        if field < self.seats - 1:
            raise UserError(
                f"a candidate at a table of {self.seats} needs {self.seats - 1} agents that are not candidates, and there "
                f"are {field}"
            )
        refuse_too_many(self.total(agents, {}))

    def total(self, agents: Sequence[str], played: Played) -> int:
        """Count the games; which candidates stay in makes no difference to their number."""
        contenders, field = self._parties(agents)
        left, seeds, count = len(contenders), self.seeds_for(self.games), 0
        while left and field:
            count += left * comb(len(field), self.seats - 1) * self.seatings * seeds
            left, seeds = self._staying(left), seeds * self.divisor
        return count + left_behind(agents, played)

    def unfold(self, agents: Sequence[str], played: Played) -> Iterator[Stage]:
        for rung in self._rungs(agents, played):
            yield Stage(_stage(rung.number), rung.games)

    def final_order(self, agents: Sequence[str], played: Played) -> list[FinalPlace]:
        """Rank by the last rung reached, then by points per game. The field has no place."""
        rungs = list(self._rungs(agents, played, stop=True))
        reached = {name: rung.number for rung in rungs for name in rung.contenders}
        points = self._points(reached, rungs, played)
        figures = {name: (reached[name], points[name]) for name in reached}
        order = sorted(figures, key=lambda name: figures[name], reverse=True)
        places = ranks_from_scores([figures[name] for name in order])
        return [
            FinalPlace(
                agent=name, place=place, figures={"rung": reached[name], "points per game": round(points[name], 3)}
            )
            for name, place in zip(order, places, strict=True)
        ]

    def _rungs(self, agents: Sequence[str], played: Played, *, stop: bool = False) -> Iterator[_Rung]:
        """Yield the rungs; with ``stop``, only up to the first one that has not been played."""
        contenders, field = self._parties(agents)
        done: list[_Rung] = []
        seed, seeds = self.seed, self.seeds_for(self.games)
        while contenders and len(field) >= self.seats - 1:
            games = self._games(contenders, field, range(seed, seed + seeds), _stage(len(done) + 1))
            done.append(_Rung(len(done) + 1, tuple(contenders), tuple(games)))
            yield done[-1]
            if stop and any(game not in played for game in games):
                return
            points = self._points(contenders, done, played)
            contenders.sort(key=lambda name: points[name], reverse=True)  # of equals, the first in the list
            contenders = contenders[: self._staying(len(contenders))]
            seed, seeds = seed + seeds, seeds * self.divisor

    def _staying(self, count: int) -> int:
        """Return how many of ``count`` candidates play on; 0 if only one would, which is the winner."""
        staying = ceil(count / self.divisor)
        return staying if staying > 1 else 0

    def _games(self, contenders: Sequence[str], field: Sequence[str], seeds: range, stage: str) -> list[ScheduledGame]:
        tables = [
            table_of([name, *(field[index] for index in others)])
            for around in all_tables(len(field), self.seats - 1)
            for others in around
            for name in contenders
        ]
        return self.games_of(tables, seeds, stage)

    def _points(self, names: Iterable[str], rungs: Sequence[_Rung], played: Played) -> dict[str, float]:
        """Return the points per game of each of these candidates."""
        games = (played[game] for rung in rungs for game in rung.games if game in played)
        found = points_by_agent(games, self.scoring)
        return {name: fsum(found[name]) / len(found[name]) if name in found else 0.0 for name in names}

    def _parties(self, agents: Sequence[str]) -> tuple[list[str], list[str]]:
        contenders = [name for name in dict.fromkeys(self.candidates) if name in agents]
        return contenders, [agent for agent in agents if agent not in self.candidates]


def _stage(number: int) -> str:
    return f"rung {number}"
