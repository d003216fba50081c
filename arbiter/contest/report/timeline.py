"""Figures over the games of a contest: the lead in a duel with its interval, ratings, scores.

Scores are added up game by game. Every point of a rating curve is a fit of its own, so there are as many points as can be
computed in a second or two, and no rating curve at all if those would be too few to show anything. Values are rounded with
the rest of the report and no earlier: −336.54 rounded twice is −336, but −337 in the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from arbiter.contest.report.document import Curve, Duel, Timeline
from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics import elo, plackett_luce
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import DealKey, deal_of, head_to_head
from arbiter.records.scoring import Scoring, points

MOST_POINTS = 100
"""The most points of a curve."""
_FEWEST_FITS, _MOST_FITS = 8, 40
_FIT_BUDGET = 1.2e6
"""The budget for fitting ratings, in the units of :func:`_fit_cost`, which are about a microsecond."""
_FEWEST_RATED_GAMES = 4
"""How many games an agent must have played before its rating is drawn."""


def timelines(
    outcomes: Sequence[GameSummary], names: Sequence[str], duels: Sequence[Duel], scoring: Scoring
) -> list[Timeline]:
    """Return the timelines worth showing, the most informative first. Games are by number, names best first."""
    if not outcomes:
        return []
    found = [_scores(outcomes, names, scoring)]
    if len(names) > 2 and (fits := _affordable_fits(outcomes, names)):
        found.insert(0, _ratings(outcomes, names, fits))
    if len(duels) == 1 and duels[0].pairs > 1:
        found.insert(0, _lead(outcomes, duels[0]))
    return found


def _steps(games: int, most: int) -> list[int]:
    """Return up to ``most`` evenly spaced numbers of games, the last being all of them."""
    count = min(games, most)
    return [round(games * step / count) for step in range(1, count + 1)]


def _scores(outcomes: Sequence[GameSummary], names: Sequence[str], scoring: Scoring) -> Timeline:
    steps = _steps(len(outcomes), MOST_POINTS)
    got, games = dict.fromkeys(names, 0.0), Counter[str]()
    values: dict[str, list[float | None]] = {name: [] for name in names}
    done = 0
    for step in steps:
        for outcome in outcomes[done:step]:
            for seat, name in enumerate(outcome.game.seats):
                got[name] += points(outcome.ranks, seat, scoring)
                games[name] += 1
        done = step
        for name in names:
            values[name].append(round(got[name] / games[name], 4) if games[name] else None)
    return Timeline(measure="score", games=steps, curves=[Curve(agent=name, values=values[name]) for name in names])


def _lead(outcomes: Sequence[GameSummary], duel: Duel) -> Timeline:
    """Return the lead in a duel over time. A deal counts once its last game has been played."""
    left = Counter(deal_of(outcome.game) for outcome in outcomes)
    incomplete: dict[DealKey, list[float]] = {}
    sample, done, met = Sample(), 0, 0
    values, low, high = list[float | None](), list[float | None](), list[float | None]()
    steps = _steps(len(outcomes), MOST_POINTS)
    for step in steps:
        for outcome in outcomes[done:step]:
            deal = deal_of(outcome.game)
            left[deal] -= 1
            score = head_to_head(outcome, duel.one, duel.other)
            if score is not None:
                met += 1
                incomplete.setdefault(deal, []).append(score)
            if not left[deal] and (scores := incomplete.pop(deal, None)):
                sample.add(sum(scores) / len(scores))
        done = step
        lead = elo.of_sample(sample, met)
        for series, value in ((values, lead.elo), (low, lead.low), (high, lead.high)):
            series.append(value if sample.size and math.isfinite(value) else None)
    return Timeline(measure="lead", games=steps, curves=[Curve(agent=duel.one, values=values, low=low, high=high)])


def _fit_cost(games: float, agents: int, seats: int) -> float:
    """Return the cost of fitting ratings once."""
    return 25 * games * math.pow(seats, 1.3) + 0.3 * agents**3 + 1000


def _affordable_fits(outcomes: Sequence[GameSummary], names: Sequence[str]) -> int:
    """Return how many fits to make; 0 if the budget allows too few."""
    cost = _fit_cost(len(outcomes) / 2, len(names), len(outcomes[0].game.seats))
    affordable = min(_MOST_FITS, int(_FIT_BUDGET / cost), len(outcomes) // 2)
    return affordable if affordable >= min(_FEWEST_FITS, len(outcomes) // 2) else 0


def _ratings(outcomes: Sequence[GameSummary], names: Sequence[str], fits: int) -> Timeline:
    steps = _steps(len(outcomes), fits)
    values: dict[str, list[float | None]] = {name: [] for name in names}
    for step in steps:
        ratings = plackett_luce.fit(outcomes[:step], names).ratings()
        known = {
            one.name: one.elo
            for one in ratings
            if one.group == 0 and one.games >= _FEWEST_RATED_GAMES and math.isfinite(one.low)
        }
        for name in names:
            values[name].append(known.get(name))
    return Timeline(measure="rating", games=steps, curves=[Curve(agent=name, values=values[name]) for name in names])
