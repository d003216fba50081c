"""Ratings for a ladder: moved by every game as it comes, and never computed anew.

It is the online rating of Weng and Lin in its Plackett-Luce form, from the package openskill. Newcomers stand at 0, and
the scale is that of Elo between agents whose ratings have settled, at tables of any size. Unlike maximum likelihood it
follows agents that change, and depends on the order of the games: give them in the order of the schedule, not in that
of their ends.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.errors import UserError

_MEAN = 25.0
_SPREAD = _MEAN / 3
_CHANCE = _MEAN / 6
"""How much of a game is luck, in the package's own units."""
_ELO = ELO_PER_NAT / (math.sqrt(2) * _CHANCE)
"""Elo of a unit of the package: that in which two agents without uncertainty have the odds of their difference."""


def available() -> bool:
    """Whether the package is installed."""
    return find_spec("openskill") is not None


def default_model() -> Literal["openskill", "glicko"]:
    """The rating model of a new ladder. It is saved with the ladder, whose pairings follow from it."""
    return "openskill" if available() else "glicko"


def require() -> None:
    """Raise UserError unless the package is installed."""
    if not available():
        raise _not_installed()


def _not_installed() -> UserError:
    return UserError("this ladder pairs by openskill ratings, which is not installed: pip install 'arbiter[ratings]'")


class OnlineRating(NamedTuple):
    """An agent on the ladder."""

    mean: float
    uncertainty: float
    """One standard deviation."""


NEWCOMER = OnlineRating(0.0, _SPREAD * _ELO)


class Ladder:
    """Ratings that games are added to. :attr:`ratings` is all it holds: with them a ladder is taken up again."""

    def __init__(self, ratings: Mapping[str, OnlineRating] | None = None) -> None:
        self.ratings: dict[str, OnlineRating] = dict(ratings or {})
        self._package = _package()
        self._models: dict[int, Any] = {}

    def join(self, name: str) -> None:
        """A newcomer; those who are there already stay where they are."""
        self.ratings.setdefault(name, NEWCOMER)

    def add(self, outcome: Outcome) -> None:
        """One more game. A game of one seat, or with an agent in two, says nothing."""
        seats = outcome.key.seats
        for name in seats:
            self.join(name)
        if not len(seats) == len(set(seats)) > 1:
            return
        model = self._model(len(seats))
        before = [self.ratings[name] for name in seats]
        teams = [[model.rating(mu=_MEAN + one.mean / _ELO, sigma=one.uncertainty / _ELO)] for one in before]
        after = model.rate(teams, ranks=[float(rank) for rank in outcome.ranks])
        for name, (rating,) in zip(seats, after, strict=True):
            self.ratings[name] = OnlineRating((rating.mu - _MEAN) * _ELO, rating.sigma * _ELO)

    def _model(self, seats: int) -> Any:
        """The package adds up the luck of all at the table; shared out, a lead means the same at tables of any size."""
        if seats not in self._models:
            luck = _CHANCE * math.sqrt(2 / seats)
            self._models[seats] = self._package.PlackettLuce(mu=_MEAN, sigma=_SPREAD, beta=luck)
        return self._models[seats]


def rate(names: Iterable[str], played_in_order: Iterable[Outcome]) -> dict[str, OnlineRating]:
    """Ratings after these games, of these agents and all who played."""
    ladder = Ladder()
    for name in names:
        ladder.join(name)
    for outcome in played_in_order:
        ladder.add(outcome)
    return ladder.ratings


def _package() -> Any:
    try:
        return import_module("openskill.models")
    except ImportError:
        raise _not_installed() from None
