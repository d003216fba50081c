"""Who stands where: from outcomes to a row for every agent, a crosstable, and what else a table shows. Plain values.

A *win* is a game won alone, a *draw* one whose best rank was shared or that nobody won, as in :mod:`arbiter.report`.
*Points* go by ranks: the share of the others at the table that an agent is ahead of, level ones counting half; with two
seats that is 1, 0.5 or 0. Alone at the table it is 1 for reaching the first rank.

Best first: more points a game, then more of the games won, then more of the game's own points, then by name. Who is
equal in all but the name shares a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.statistics.bounded_mean import Sample
from arbiter.contest.statistics.pairs import by_deal


class Standing(msgspec.Struct, kw_only=True):
    """One agent over all its games."""

    name: str
    place: int = 1
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0
    score: float | None = None
    """Points a game; None before the first."""
    low: float = 0.0
    """Lower end of the 95 % interval of the score, from independent deals."""
    high: float = 1.0
    own_score: float | None = None
    """Mean of the game's own points."""
    secondary: float | None = None
    """Mean of what a second ranking counts, over the games that have one."""
    faults: dict[str, int] = {}
    """How many of which kind, in order of the kinds."""
    answers: int = 0
    think_us: float | None = None
    """Mean time charged for an answer."""


class Cell(msgspec.Struct, kw_only=True):
    """One agent against another: who was ahead, also among others at the table."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: float = 0.0


class SeatScore(msgspec.Struct, kw_only=True):
    """Everybody who sat on a seat. In a fair game, or with seats rotated, the score tells what the seat is worth."""

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
    """One line of the second ranking."""

    place: int
    name: str
    games: int
    mean: float


class Duplicate(msgspec.Struct, kw_only=True):
    """Games that went exactly alike: together they tell no more than one."""

    digest: str
    games: list[ScheduledGame]
    records: list[str]


class Standings(msgspec.Struct, kw_only=True):
    """All there is to show."""

    games: int
    rows: list[Standing]
    """Best first."""
    cross: dict[str, dict[str, Cell]]
    """By name of the one and of the other, best first, where they met."""
    seats: list[SeatScore]
    second: list[SecondPlace]
    """Best first; empty where the game has no second ranking."""
    duplicates: list[Duplicate]


def points(ranks: Sequence[int], seat: int) -> float:
    """Of one seat, from 0 to 1."""
    if len(ranks) == 1:
        return float(ranks[0] == 1)
    own = ranks[seat]
    beaten = sum(1.0 if own < rank else 0.5 for rank in ranks if own <= rank) - 0.5
    return beaten / (len(ranks) - 1)


def stand(outcomes: Iterable[Outcome], names: Iterable[str] = ()) -> Standings:
    """Standings of all agents in these games, and of others that are to be listed. The order of the games is of no
    consequence."""
    played = sorted(outcomes, key=lambda outcome: outcome.key)  # sums depend on their order in the last digit
    rows = {name: Standing(name=name, faults={}) for name in names}
    seats: dict[int, SeatScore] = {}
    for outcome in played:
        for seat, name in enumerate(outcome.key.seats):
            row = rows.setdefault(name, Standing(name=name, faults={}))
            _count(row, outcome, seat)
            _count(seats.setdefault(seat, SeatScore(seat=seat)), outcome, seat)
            _measure(row, outcome, seat)
    _average(rows, played)
    _set_intervals(rows, seats, played)
    ranked = _ranked(list(rows.values()))
    return Standings(
        games=len(played),
        rows=ranked,
        cross=_cross([row.name for row in ranked], played),
        seats=[seats[seat] for seat in sorted(seats)],
        second=_second(played),
        duplicates=_duplicates(played),
    )


def _count(total: Standing | SeatScore, outcome: Outcome, seat: int) -> None:
    ranks = outcome.ranks
    winners = ranks.count(1)
    total.games += 1
    total.points += points(ranks, seat)
    if ranks[seat] == 1 and winners == 1:
        total.wins += 1
    elif ranks[seat] == 1 or (winners == 0 and len(ranks) > 1):
        total.draws += 1
    else:
        total.losses += 1


def _measure(row: Standing, outcome: Outcome, seat: int) -> None:
    if outcome.faults:
        for kind, times in outcome.faults[seat].items():
            row.faults[kind] = row.faults.get(kind, 0) + times
    if outcome.answers and outcome.think_us:
        row.answers += outcome.answers[seat]
        row.think_us = (row.think_us or 0) + outcome.think_us[seat]


def _average(rows: dict[str, Standing], played: Sequence[Outcome]) -> None:
    """Sums become means."""
    own: dict[str, list[float]] = {}
    second: dict[str, list[float]] = {}
    for outcome in played:
        for seat, name in enumerate(outcome.key.seats):
            own.setdefault(name, []).append(outcome.scores[seat])
            if outcome.secondary is not None:
                second.setdefault(name, []).append(outcome.secondary[seat])
    for name, row in rows.items():
        row.faults = dict(sorted(row.faults.items()))
        row.think_us = row.think_us / row.answers if row.think_us is not None and row.answers else None
        row.own_score, row.secondary = _mean(own.get(name)), _mean(second.get(name))


def _mean(values: Sequence[float] | None) -> float | None:
    return sum(sorted(values)) / len(values) if values else None


def _set_intervals(rows: dict[str, Standing], seats: dict[int, SeatScore], played: Sequence[Outcome]) -> None:
    by_name = {name: Sample() for name in rows}
    by_seat = {seat: Sample() for seat in seats}
    for deal in by_deal(played).values():
        got: dict[str | int, list[float]] = {}
        for outcome in deal:
            for seat, name in enumerate(outcome.key.seats):
                value = points(outcome.ranks, seat)
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
            # Deals of unequal size weigh alike in the interval, and games in the score.
            total.low, total.high = min(low, score), max(high, score)


def _ranked(rows: list[Standing]) -> list[Standing]:
    def worth(row: Standing) -> tuple[float, float, float]:
        # Rounded: the same points added in another order are the same points.
        score = -1.0 if row.score is None else round(row.score, 9)
        own = float("-inf") if row.own_score is None else round(row.own_score, 9)
        return score, row.wins / max(1, row.games), own

    rows.sort(key=lambda row: row.name)
    rows.sort(key=worth, reverse=True)
    for index, row in enumerate(rows):
        row.place = rows[index - 1].place if index and worth(rows[index - 1]) == worth(row) else index + 1
    return rows


def _cross(names: Sequence[str], played: Sequence[Outcome]) -> dict[str, dict[str, Cell]]:
    cells: dict[str, dict[str, Cell]] = {name: {} for name in names}
    for outcome in played:
        seats = list(zip(outcome.key.seats, outcome.ranks, strict=True))
        for one, mine in seats:
            for other, theirs in seats:
                if one != other:
                    cell = cells[one].setdefault(other, Cell())
                    cell.games += 1
                    cell.wins += mine < theirs
                    cell.draws += mine == theirs
                    cell.losses += mine > theirs
                    cell.points = cell.wins + cell.draws / 2
    return {one: {other: cells[one][other] for other in names if other in cells[one]} for one in names}


def _second(played: Sequence[Outcome]) -> list[SecondPlace]:
    found: dict[str, list[float]] = {}
    for outcome in played:
        if outcome.secondary is not None:
            for name, value in zip(outcome.key.seats, outcome.secondary, strict=True):
                found.setdefault(name, []).append(value)
    means = sorted(((-(_mean(values) or 0.0), name) for name, values in found.items()))
    return [
        SecondPlace(place=1 + sum(better < mean for better, _ in means), name=name, games=len(found[name]), mean=-mean)
        for mean, name in means
    ]


def _duplicates(played: Sequence[Outcome]) -> list[Duplicate]:
    alike: dict[str, list[Outcome]] = {}
    for outcome in played:
        if outcome.digest:
            alike.setdefault(outcome.digest, []).append(outcome)
    return [
        Duplicate(digest=digest, games=[one.key for one in group], records=[one.record for one in group])
        for digest, group in alike.items()
        if len(group) > 1
    ]
