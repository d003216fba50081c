"""A match: the same agents play seed after seed until it is decided who of them goes on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, fsum

from arbiter.contest.scheduled import Played, ScheduledGame
from arbiter.contest.schedules.base import SEEDS_OF_A_ROUND, at_least
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.seating import FairSchedule, table_of
from arbiter.errors import UserError

_THIRDS = 1e-9
"""Points of a larger table are thirds, whose sums are not exact."""


@dataclass(frozen=True, slots=True)
class Match:
    """Agents that play for going on."""

    agents: tuple[str, ...]
    """Better seed first: that settles what games do not."""
    cuts: tuple[int, ...]
    """How many are to be told from the rest: (1,) where one wins, (2,) where the upper two go on."""
    stage: str
    first_seed: int


@dataclass(frozen=True, slots=True)
class MatchState:
    """How far a match has come."""

    games: tuple[tuple[ScheduledGame, ...], ...]
    """Those played and those to play next, by seed."""
    order: tuple[str, ...]
    """Best first, as it stands."""
    decided: bool


class MatchSchedule(FairSchedule, frozen=True, kw_only=True):
    """A schedule of matches that end when they are decided."""

    best_of: int = 4
    """Games of a match at most. It ends when those left cannot change who goes on; a seed that was begun is played in
    all seatings."""
    extra: int = 2
    """Seeds that are added at most where a match ends in a draw. After that the better seed goes on."""

    def __post_init__(self) -> None:
        super().__post_init__()
        at_least("best_of", self.best_of, 1)
        at_least("extra", self.extra, 0)
        if self.most_seeds + self.extra > SEEDS_OF_A_ROUND:
            raise UserError(f"best_of {self.best_of}: that is more than {SEEDS_OF_A_ROUND} seeds; write less")

    @property
    def most_seeds(self) -> int:
        """Of a match without extra ones."""
        return ceil(self.best_of / self.seatings)

    def follow(self, match: Match, played: Played) -> MatchState:
        """A match from its start up to where it is decided or something has to be played."""
        games: list[tuple[ScheduledGame, ...]] = []
        while True:
            order, leads = _standing(match, games, played)
            left = max(0, self.best_of - len(games) * self.seatings)
            clear = all(leads[cut - 1] > left + _THIRDS for cut in match.cuts)
            if games and (clear or len(games) == self.most_seeds + self.extra):
                return MatchState(tuple(games), order, decided=True)
            seed = match.first_seed + len(games)
            games.append(tuple(self.games_of([table_of(match.agents)], [seed], match.stage)))
            if any(key not in played for key in games[-1]):
                return MatchState(tuple(games), _standing(match, games, played)[0], decided=False)


def _standing(
    match: Match, games: list[tuple[ScheduledGame, ...]], played: Played
) -> tuple[tuple[str, ...], list[float]]:
    """The agents, best first, and the lead of each over the next."""
    shares = points_by_agent(played[key] for keys in games for key in keys if key in played)
    sums = {agent: round(fsum(shares.get(agent, ())), 9) for agent in match.agents}
    order = sorted(match.agents, key=lambda agent: sums[agent], reverse=True)
    return tuple(order), [sums[one] - sums[other] for one, other in pairwise(order)]
