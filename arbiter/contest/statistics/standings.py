"""Standings: from outcomes to a row per agent and per seat, the crosstable and the secondary ranking. Plain values.

Wins, draws, losses and points are those of :mod:`arbiter.scoring`. Agents are sorted best first: by points per game,
then by the share of games won, then by the mean score in the game's own points, then by name. Agents that are equal in
everything but the name share a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.crosstable import Crosstable, crosstable_of
from arbiter.contest.statistics.duplicates import DuplicateGames, find_duplicates
from arbiter.contest.statistics.pairs import by_deal
from arbiter.game import ranks_from_scores
from arbiter.scoring import Scoring, SeatResult, points, seat_result


class Standing(msgspec.Struct, kw_only=True):
    """The results of one agent over all its games."""

    name: str
    place: int = 1
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    score: float | None = None
    """Points per game; None before the first game."""
    low: float = 0.0
    """Lower end of the 95 % interval of the score; deals are the independent observations."""
    high: float = 1.0
    own_score: float | None = None
    """Mean score in the game's own points."""
    secondary: float | None = None
    """Mean value of the secondary ranking, over the games that have one."""
    faults: dict[str, int] = {}
    """Number of faults by kind, sorted by kind."""
    answers: int = 0
    think_us: float | None = None
    """Mean time charged per answer."""


class SeatScore(msgspec.Struct, kw_only=True):
    """The results of one seat, whichever agents sat there. Where seats rotate, its score shows what the seat is worth."""

    seat: int
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    score: float = 0.0
    low: float = 0.0
    high: float = 1.0


class SecondPlace(msgspec.Struct, kw_only=True):
    """One row of the secondary ranking."""

    place: int
    name: str
    games: int
    mean: float


class Standings(msgspec.Struct, kw_only=True):
    """Everything that is computed from the outcomes of a contest, except ratings."""

    games: int
    rows: list[Standing]
    """Best first."""
    cross: Crosstable
    """Best first, in rows and columns."""
    seats: list[SeatScore]
    second: list[SecondPlace]
    """Best first; empty if the game has no secondary ranking."""
    duplicates: list[DuplicateGames]


def compute_standings(
    outcomes: Iterable[Outcome], names: Iterable[str] = (), *, scoring: Scoring = "places"
) -> Standings:
    """Return the standings of all agents in these games, and of the agents named, with or without games.

    The order of the games does not matter.
    """
    played = sorted(outcomes, key=lambda outcome: outcome.game)  # the last digit of a sum depends on its order
    rows = {name: Standing(name=name, faults={}) for name in names}
    seats: dict[int, SeatScore] = {}
    for outcome in played:
        for seat, name in enumerate(outcome.game.seats):
            row = rows.setdefault(name, Standing(name=name, faults={}))
            _add_result(row, outcome, seat, scoring)
            _add_result(seats.setdefault(seat, SeatScore(seat=seat)), outcome, seat, scoring)
            _add_conduct(row, outcome, seat)
    _set_means(rows, played)
    _set_intervals(rows, seats, played, scoring)
    ranked = _ranked(list(rows.values()))
    return Standings(
        games=len(played),
        rows=ranked,
        cross=crosstable_of([row.name for row in ranked], played),
        seats=[seats[seat] for seat in sorted(seats)],
        second=_secondary_ranking(played),
        duplicates=find_duplicates(played),
    )


def _add_result(total: Standing | SeatScore, outcome: Outcome, seat: int, scoring: Scoring) -> None:
    result = seat_result(outcome.ranks, seat)
    total.games += 1
    total.wins += result is SeatResult.WON
    total.draws += result is SeatResult.DREW
    total.losses += result is SeatResult.LOST
    total.points += points(outcome.ranks, seat, scoring)


def _add_conduct(row: Standing, outcome: Outcome, seat: int) -> None:
    """Add faults, answers and time."""
    if outcome.faults:
        for kind, times in outcome.faults[seat].items():
            row.faults[kind] = row.faults.get(kind, 0) + times
    if outcome.answers and outcome.think_us:
        row.answers += outcome.answers[seat]
        row.think_us = (row.think_us or 0) + outcome.think_us[seat]


def _set_means(rows: dict[str, Standing], played: Sequence[Outcome]) -> None:
    own: dict[str, list[float]] = {}
    secondary = _secondary_values(played)
    for outcome in played:
        for name, score in zip(outcome.game.seats, outcome.scores, strict=True):
            own.setdefault(name, []).append(score)
    for name, row in rows.items():
        row.faults = dict(sorted(row.faults.items()))
        row.think_us = row.think_us / row.answers if row.think_us is not None and row.answers else None
        row.own_score = _mean(own[name]) if name in own else None
        row.secondary = _mean(secondary[name]) if name in secondary else None


def _secondary_values(played: Sequence[Outcome]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for outcome in played:
        if outcome.secondary is not None:
            for name, value in zip(outcome.game.seats, outcome.secondary, strict=True):
                found.setdefault(name, []).append(value)
    return found


def _mean(values: Sequence[float]) -> float:
    return sum(sorted(values)) / len(values)


def _set_intervals(
    rows: dict[str, Standing], seats: dict[int, SeatScore], played: Sequence[Outcome], scoring: Scoring
) -> None:
    by_name = {name: Sample() for name in rows}
    by_seat = {seat: Sample() for seat in seats}
    for deal in by_deal(played).values():
        got: dict[str | int, list[float]] = {}
        for outcome in deal:
            for seat, name in enumerate(outcome.game.seats):
                value = points(outcome.ranks, seat, scoring)
                got.setdefault(name, []).append(value)
                got.setdefault(seat, []).append(value)
        for whose, values in got.items():
            (by_name[whose] if isinstance(whose, str) else by_seat[whose]).add(min(1.0, sum(values) / len(values)))
    totals: list[tuple[Standing | SeatScore, Sample]] = [(rows[name], by_name[name]) for name in rows]
    totals += [(seats[seat], by_seat[seat]) for seat in seats]
    for total, sample in totals:
        if total.games:
            total.score = score = total.points / total.games
            low, high = sample.interval()
            # The interval weighs deals equally and the score weighs games, which differs where deals differ in size.
            total.low, total.high = min(low, score), max(high, score)


def _ranked(rows: list[Standing]) -> list[Standing]:
    def worth(row: Standing) -> tuple[float, float, float]:
        # Rounded, because the same points added in another order may differ in the last digit.
        score = -1.0 if row.score is None else round(row.score, 9)
        own = float("-inf") if row.own_score is None else round(row.own_score, 9)
        return score, row.wins / max(1, row.games), own

    rows.sort(key=lambda row: row.name)
    rows.sort(key=worth, reverse=True)
    for index, row in enumerate(rows):
        row.place = rows[index - 1].place if index and worth(rows[index - 1]) == worth(row) else index + 1
    return rows


def _secondary_ranking(played: Sequence[Outcome]) -> list[SecondPlace]:
    found = _secondary_values(played)
    means = sorted(((_mean(values), name) for name, values in found.items()), key=lambda one: (-one[0], one[1]))
    places = ranks_from_scores([mean for mean, _ in means])
    return [
        SecondPlace(place=place, name=name, games=len(found[name]), mean=mean)
        for place, (mean, name) in zip(places, means, strict=True)
    ]
