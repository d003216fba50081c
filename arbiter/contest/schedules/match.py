"""Matches: the same agents play seed after seed until it is decided which of them advance."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, fsum

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, at_least
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.seating import FairSchedule, table_of
from arbiter.errors import UserError

_TOLERANCE = 1e-9
"""Tolerance: points at larger tables are thirds, whose sums are not exact."""


@dataclass(frozen=True, slots=True)
class Match:
    """The agents of a match, and how many of them advance."""

    agents: tuple[str, ...]
    """Better seed first; the seeding breaks ties."""
    cuts: tuple[int, ...]
    """The places after which the order must be decided: (1,) if one agent wins, (2,) if the best two advance."""
    stage: str
    first_seed: int


@dataclass(frozen=True, slots=True)
class MatchState:
    """The state of a match."""

    games: tuple[tuple[ScheduledGame, ...], ...]
    """Games played and games to play next, grouped by seed."""
    order: tuple[str, ...]
    """Agents, best first, at this point of the contest."""
    decided: bool


class MatchSchedule(FairSchedule, frozen=True, kw_only=True):
    """A schedule of matches that end as soon as they are decided."""

    best_of: int = 4
    """The most games of a match. It ends when the remaining games cannot change which agents advance; a seed that was begun is
    played in all seatings."""
    extra: int = 2
    """The most seeds added to a match that is tied. After those the better-seeded agent advances."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("best_of", self.best_of, 1)
        at_least("extra", self.extra, 0)
        seeds = self.most_seeds + self.extra
        if seeds > SEEDS_OF_A_ROUND:
            raise UserError(
                f"best_of {self.best_of} and extra {self.extra}: a match may take at most {SEEDS_OF_A_ROUND} seeds, "
                f"not {seeds}; reduce one of them"
            )

    @property
    def most_seeds(self) -> int:
        """The most seeds of a match, without the extra ones."""
        return ceil(self.best_of / self.seatings)

    def follow(self, match: Match, played: Played) -> MatchState:
        """Replay a match from its start until it is decided or a game has not been played yet."""
        games: list[tuple[ScheduledGame, ...]] = []
        while True:
            order, leads = self._standing(match, games, played)
            left = max(0, self.best_of - len(games) * self.seatings)
            clear = all(leads[cut - 1] > left + _TOLERANCE for cut in match.cuts)
            if games and (clear or len(games) == self.most_seeds + self.extra):
                return MatchState(tuple(games), order, decided=True)
            seed = match.first_seed + len(games)
            games.append(tuple(self.games_of([table_of(match.agents)], [seed], match.stage)))
            if any(game not in played for game in games[-1]):
                return MatchState(tuple(games), self._standing(match, games, played)[0], decided=False)

    def _standing(
        self, match: Match, games: list[tuple[ScheduledGame, ...]], played: Played
    ) -> tuple[tuple[str, ...], list[float]]:
        """Return the agents, best first, and the lead of each over the next."""
        outcomes = (played[game] for seed in games for game in seed if game in played)
        points = points_by_agent(outcomes, self.scoring)
        sums = {agent: round(fsum(points.get(agent, ())), 9) for agent in match.agents}
        order = sorted(match.agents, key=lambda agent: sums[agent], reverse=True)
        return tuple(order), [sums[one] - sums[other] for one, other in pairwise(order)]
