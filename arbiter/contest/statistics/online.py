"""Online ratings for a ladder: updated game by game, never recomputed from the start.

The model is that of Weng and Lin in its Plackett-Luce form, from the package openskill. Newcomers start at 0; between
agents whose ratings have settled the scale is that of Elo, at tables of any size. Unlike maximum likelihood, online
ratings follow agents that change, and depend on the order of the games: pass them in the order of the schedule, not in
the order in which they finished.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.elo import ELO_PER_NAT
from arbiter.errors import UserError, not_installed

_MEAN = 25.0
_SPREAD = _MEAN / 3
_CHANCE = _MEAN / 6
"""Standard deviation of the luck in a game, in the package's units."""
_ELO = ELO_PER_NAT / (math.sqrt(2) * _CHANCE)
"""Elo per unit of the package, chosen so that for two agents without uncertainty the rating difference gives the odds."""


def available() -> bool:
    """Return whether openskill is installed."""
    return find_spec("openskill") is not None


def default_model() -> Literal["openskill", "glicko"]:
    """The rating model of a new ladder. It is saved with the ladder, whose pairings follow from it."""
    return "openskill" if available() else "glicko"


def require() -> None:
    """Raise UserError unless the package is installed."""
    if problem := not_installed("a ladder that pairs by openskill ratings", "openskill"):
        raise UserError(problem)


class OnlineRating(NamedTuple):
    """The rating of one agent, in Elo."""

    mean: float
    uncertainty: float
    """One standard deviation."""


NEWCOMER = OnlineRating(0.0, _SPREAD * _ELO)


class OnlineRatings:
    """Ratings that games are added to. :attr:`ratings` is the whole state; pass it to continue later."""

    def __init__(self, ratings: Mapping[str, OnlineRating] | None = None) -> None:
        self.ratings: dict[str, OnlineRating] = dict(ratings or {})
        self._package = _package()
        self._models: dict[int, Any] = {}

    def join(self, name: str) -> None:
        """Add a newcomer. An agent that has a rating keeps it."""
        self.ratings.setdefault(name, NEWCOMER)

    def add(self, outcome: Outcome) -> None:
        """Update the ratings by one game. Games with one seat, or with an agent in two seats, are ignored."""
        seats = outcome.game.seats
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
        """Return the model for tables of this size. The package adds up the luck of all seats; dividing it among them makes a
        lead mean the same at tables of any size."""
        if seats not in self._models:
            luck = _CHANCE * math.sqrt(2 / seats)
            self._models[seats] = self._package.PlackettLuce(mu=_MEAN, sigma=_SPREAD, beta=luck)
        return self._models[seats]


def rate_in_order(names: Iterable[str], played_in_order: Iterable[Outcome]) -> dict[str, OnlineRating]:
    """Return the ratings after these games, of the agents named and of all agents that played."""
    ratings = OnlineRatings()
    for name in names:
        ratings.join(name)
    for outcome in played_in_order:
        ratings.add(outcome)
    return ratings.ratings


def _package() -> Any:
    require()
    return import_module("openskill.models")
