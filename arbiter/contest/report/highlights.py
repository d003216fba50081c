"""The games that show why: of many, the few that somebody who has one evening should look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arbiter.contest.report.document import Duel, Pick, Row
from arbiter.contest.report.wording import called, number, signed, tells
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.statistics.pairs import by_deal, duel

MOST_OF_A_KIND = 3
_UPSET_ELO = 100.0
"""How much weaker one must be for its win to be an upset."""
_TIMES = {1: "", 2: "twice ", 3: "three times "}
Numbers = Mapping[ScheduledGame, int]


def telling(
    outcomes: Sequence[Outcome], numbers: Numbers, rows: Sequence[Row], fought: Sequence[Duel], *, staged: bool
) -> list[Pick]:
    """No game twice; the most telling first."""
    found: dict[int, Pick] = {}
    kinds: list[Iterator[Pick]] = []
    if met := [one for one in fought if one.score is not None]:
        hardest = min(met, key=lambda one: one.score or 0.0)
        kinds += [_lost(outcomes, numbers, hardest), _against_the_trend(outcomes, numbers, hardest)]
    if len(rows) > 2:
        kinds.append(_upsets(outcomes, numbers, rows))
    kinds.append(_faulty(outcomes, numbers))
    kinds.append(_close(outcomes, numbers, rows))
    if staged:
        kinds.append(_last(outcomes, numbers))
    for picks in kinds:
        taken = 0
        for pick in picks:
            if taken == MOST_OF_A_KIND:
                break
            if pick.game not in found:
                found[pick.game] = pick
                taken += 1
    return list(found.values())


def _lost(outcomes: Sequence[Outcome], numbers: Numbers, fought: Duel) -> Iterator[Pick]:
    """What made the difference: the worse side's worst."""
    worse, better = _sides(fought)
    for outcome, swept in _worst(outcomes, worse, better):
        yield Pick(game=numbers[outcome.key], reason="lost", why=_told(outcome, worse, better, swept=swept))


def _against_the_trend(outcomes: Sequence[Outcome], numbers: Numbers, fought: Duel) -> Iterator[Pick]:
    """Where the better side was the worse one: what is left to improve."""
    worse, better = _sides(fought)
    for outcome, swept in _worst(outcomes, better, worse):
        why = _told(outcome, better, worse, swept=swept)
        yield Pick(game=numbers[outcome.key], reason="against the trend", why=why)


def _sides(fought: Duel) -> tuple[str, str]:
    ahead = fought.score is not None and fought.score >= 0.5
    return (fought.other, fought.one) if ahead else (fought.one, fought.other)


def _worst(outcomes: Sequence[Outcome], loser: str, winner: str) -> list[tuple[Outcome, bool]]:
    """Games that it lost: first of deals of which it lost every game, so that the seat was not to blame, then by how far
    it was behind. One a deal; the other half of the list tells whether every game of the deal was lost."""
    found = []
    for deal in by_deal(outcomes).values():
        scores = [(outcome, duel(outcome, winner, loser)) for outcome in deal]
        lost = [outcome for outcome, score in scores if score == 1.0]
        if lost:
            swept = len(lost) > 1 and all(score == 1.0 for _, score in scores if score is not None)
            found.append((max(lost, key=lambda outcome: _margin(outcome, winner, loser)), swept))
    found.sort(key=lambda one: (one[1], _margin(one[0], winner, loser)), reverse=True)
    return found


def _margin(outcome: Outcome, winner: str, loser: str) -> float:
    seats = outcome.key.seats
    return outcome.scores[seats.index(winner)] - outcome.scores[seats.index(loser)]


def _told(outcome: Outcome, loser: str, winner: str, *, swept: bool) -> str:
    seats = outcome.key.seats
    scores = [number(outcome.scores[seats.index(name)]) for name in (loser, winner)]
    result = f", {scores[0]} to {scores[1]}" if scores[0] != scores[1] else ""
    everywhere = f", as it did in all games of seed {outcome.key.seed}" if swept else ""
    return f"{called(loser)} lost to {called(winner)}{result}{everywhere}"


def _upsets(outcomes: Sequence[Outcome], numbers: Numbers, rows: Sequence[Row]) -> Iterator[Pick]:
    """The weakest that were ahead of the strongest; no two games of the same agents."""
    elo = {row.agent: row.rating.value or 0.0 for row in rows if row.rating and tells(row.rating)}
    group = {row.agent: row.group for row in rows}
    gaps: dict[tuple[str, str], tuple[float, int]] = {}
    for outcome in outcomes:
        seats = [(rank, name) for name, rank in zip(outcome.key.seats, outcome.ranks, strict=True) if name in elo]
        for rank, name in seats:
            for theirs, other in seats:
                gap = elo[other] - elo[name]
                if rank < theirs and gap >= _UPSET_ELO and group[name] == group[other] and (name, other) not in gaps:
                    gaps[name, other] = gap, numbers[outcome.key]
    for (name, other), (_, game) in sorted(gaps.items(), key=lambda one: (-one[1][0], one[1][1])):
        why = f"{called(name)} ({signed(elo[name])} Elo) was ahead of {called(other)} ({signed(elo[other])} Elo)"
        yield Pick(game=game, reason="upset", why=why)


def _faulty(outcomes: Sequence[Outcome], numbers: Numbers) -> Iterator[Pick]:
    """Of every agent and kind of fault the game with the most of it, where most of it were."""
    total: Counter[tuple[str, str]] = Counter()
    worst: dict[tuple[str, str], tuple[int, Outcome]] = {}
    for outcome in outcomes:
        for name, kinds in zip(outcome.key.seats, outcome.faults, strict=False):
            for kind, times in kinds.items():
                total[name, kind] += times
                if times > worst.get((name, kind), (0, outcome))[0]:
                    worst[name, kind] = times, outcome
    for (name, kind), _ in sorted(total.items(), key=lambda one: (-one[1], one[0])):
        times, outcome = worst[name, kind]
        lost = outcome.ranks[outcome.key.seats.index(name)] > min(outcome.ranks)
        said = f"{called(name)} was {_TIMES.get(times, f'{times} times ')}at fault ({kind})"
        yield Pick(game=numbers[outcome.key], reason="fault", why=f"{said}{' and lost' if lost else ''}")


def _close(outcomes: Sequence[Outcome], numbers: Numbers, rows: Sequence[Row]) -> Iterator[Pick]:
    """For an audience: the narrowest game of the best two that met; only one."""
    places = {row.agent: place for place, row in enumerate(rows)}
    narrow = []
    for outcome in outcomes:
        first, *others = sorted(zip(outcome.ranks, outcome.scores, outcome.key.seats, strict=True))
        behind = [other for other in others if other[0] > first[0]]
        margin = first[1] - behind[0][1] if behind and first[0] == 1 else 0.0
        if 0 < margin <= abs(first[1]) / 2:
            best = sorted(places.get(name, len(rows)) for name in outcome.key.seats)[:2]
            narrow.append((best, margin, numbers[outcome.key], first[2], behind[0][2]))
    if len({margin for _, margin, *_ in narrow}) > 1:  # where all are alike, none is close
        _, margin, game, winner, second = min(narrow)
        why = f"{called(winner)} beat {called(second)} by {number(margin)}, the closest they had"
        yield Pick(game=game, reason="close", why=why)


def _last(outcomes: Sequence[Outcome], numbers: Numbers) -> Iterator[Pick]:
    outcome = outcomes[-1]
    yield Pick(game=numbers[outcome.key], reason="last", why=f"the last game ({outcome.key.stage})")
