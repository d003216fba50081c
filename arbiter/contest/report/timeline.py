"""How figures went as games came in: the lead of a duel with its interval, ratings, scores.

A score is added up game by game. A rating is a computation of its own at every point, so there are as many points as
it takes a second or two to compute, and none at all where those would be too few to show anything.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from arbiter.contest.report.document import Course, Curve, Duel, finite
from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics import elo, plackett_luce
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import Deal, deal_of, duel
from arbiter.contest.statistics.standings import points

POINTS = 100
"""Of a curve, at most."""
_FEWEST_FITS, _MOST_FITS = 8, 40
_FITTING = 1.2e6
"""How much may be spent on ratings, in the units of :func:`_cost`, which are about a microsecond."""
_SETTLED_GAMES = 4
"""Games of an agent before its rating is worth drawing."""


def courses(outcomes: Sequence[Outcome], names: Sequence[str], fought: Sequence[Duel]) -> list[Course]:
    """Of games by number; names best first."""
    if not outcomes:
        return []
    found = [_scores(outcomes, names)]
    if len(names) > 2 and (fits := _fits(outcomes, names)):
        found.insert(0, _ratings(outcomes, names, fits))
    if len(fought) == 1 and fought[0].pairs > 1:
        found.insert(0, _lead(outcomes, fought[0]))
    return found


def _steps(games: int, most: int) -> list[int]:
    """So many numbers of games, evenly, the last one being all of them."""
    count = min(games, most)
    return [round(games * step / count) for step in range(1, count + 1)]


def _scores(outcomes: Sequence[Outcome], names: Sequence[str]) -> Course:
    steps = _steps(len(outcomes), POINTS)
    got, games = dict.fromkeys(names, 0.0), Counter[str]()
    values: dict[str, list[float | None]] = {name: [] for name in names}
    done = 0
    for step in steps:
        for outcome in outcomes[done:step]:
            for seat, name in enumerate(outcome.key.seats):
                got[name] += points(outcome.ranks, seat)
                games[name] += 1
        done = step
        for name in names:
            values[name].append(round(got[name] / games[name], 4) if games[name] else None)
    return Course(measure="score", games=steps, curves=[Curve(agent=name, values=values[name]) for name in names])


def _lead(outcomes: Sequence[Outcome], fought: Duel) -> Course:
    """Deals count when their last game is in, as everywhere."""
    left = Counter(deal_of(outcome.key) for outcome in outcomes)
    open_: dict[Deal, list[float]] = {}
    sample, done, met = Sample(), 0, 0
    values, low, high = list[float | None](), list[float | None](), list[float | None]()
    steps = _steps(len(outcomes), POINTS)
    for step in steps:
        for outcome in outcomes[done:step]:
            deal = deal_of(outcome.key)
            left[deal] -= 1
            got = duel(outcome, fought.one, fought.other)
            if got is not None:
                met += 1
                open_.setdefault(deal, []).append(got)
            if not left[deal] and (scores := open_.pop(deal, None)):
                sample.add(sum(scores) / len(scores))
        done = step
        lead = elo.of_sample(sample, met)
        for series, value in ((values, lead.elo), (low, lead.low), (high, lead.high)):
            known = finite(value) if sample.size else None
            series.append(None if known is None else round(known, 1))
    return Course(measure="lead", games=steps, curves=[Curve(agent=fought.one, values=values, low=low, high=high)])


def _cost(games: float, agents: int, seats: int) -> float:
    """Of one computation of ratings."""
    return 25 * games * math.pow(seats, 1.3) + 0.3 * agents**3 + 1000


def _fits(outcomes: Sequence[Outcome], names: Sequence[str]) -> int:
    """How many of them to make; 0 if that would be too few."""
    cost = _cost(len(outcomes) / 2, len(names), len(outcomes[0].key.seats))
    affordable = min(_MOST_FITS, int(_FITTING / cost), len(outcomes) // 2)
    return affordable if affordable >= min(_FEWEST_FITS, len(outcomes) // 2) else 0


def _ratings(outcomes: Sequence[Outcome], names: Sequence[str], fits: int) -> Course:
    steps = _steps(len(outcomes), fits)
    values: dict[str, list[float | None]] = {name: [] for name in names}
    for step in steps:
        ratings = plackett_luce.rate(outcomes[:step], names).ratings
        known = {
            one.name: round(one.elo, 1)
            for one in ratings
            if one.group == 0 and one.games >= _SETTLED_GAMES and finite(one.low) is not None
        }
        for name in names:
            values[name].append(known.get(name))
    return Course(measure="rating", games=steps, curves=[Curve(agent=name, values=values[name]) for name in names])
