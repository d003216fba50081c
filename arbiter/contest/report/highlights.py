"""Highlights: the few games of a contest that show best why it ended as it did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arbiter.contest.report.document import Duel, Highlight
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics.pairs import by_deal, head_to_head
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.wording import compact, is_meaningful, short_name, signed

MOST_PER_REASON = 3
_UPSET_ELO = 100.0
"""How much weaker an agent must be for its win to be an upset."""
_TIMES = {1: "", 2: "twice ", 3: "three times "}
Numbers = Mapping[ScheduledGame, int]


def highlights(
    outcomes: Sequence[GameSummary], numbers: Numbers, rows: Sequence[Standing], duels: Sequence[Duel], *, staged: bool
) -> list[Highlight]:
    """Return the highlights, the most informative first, every game at most once."""
    candidates: list[Iterator[Highlight]] = []
    if met := [one for one in duels if one.score is not None]:
        hardest = min(met, key=lambda one: one.score or 0.0)
        candidates += [_lost(outcomes, numbers, hardest), _against_the_trend(outcomes, numbers, hardest)]
    if len(rows) > 2:
        candidates.append(_upsets(outcomes, numbers, rows))
    candidates.append(_faulty(outcomes, numbers))
    candidates.append(_close(outcomes, numbers, rows))
    if staged:
        candidates.append(_last(outcomes, numbers))
    return _chosen(candidates)


def _chosen(candidates: Sequence[Iterator[Highlight]]) -> list[Highlight]:
    found: dict[int, Highlight] = {}
    for group in candidates:
        taken = 0
        for highlight in group:
            if taken == MOST_PER_REASON:
                break
            if highlight.game not in found:
                found[highlight.game] = highlight
                taken += 1
    return list(found.values())


def _lost(outcomes: Sequence[GameSummary], numbers: Numbers, duel: Duel) -> Iterator[Highlight]:
    """The worst defeats of the weaker side."""
    weaker, stronger = _sides(duel)
    for outcome, swept in _defeats(outcomes, weaker, stronger):
        why = _defeat_sentence(outcome, weaker, stronger, swept=swept)
        yield Highlight(game=numbers[outcome.game], reason="lost", why=why)


def _against_the_trend(outcomes: Sequence[GameSummary], numbers: Numbers, duel: Duel) -> Iterator[Highlight]:
    """The worst defeats of the stronger side, which show what to improve."""
    weaker, stronger = _sides(duel)
    for outcome, swept in _defeats(outcomes, stronger, weaker):
        why = _defeat_sentence(outcome, stronger, weaker, swept=swept)
        yield Highlight(game=numbers[outcome.game], reason="against the trend", why=why)


def _sides(duel: Duel) -> tuple[str, str]:
    """Return the weaker and the stronger agent of a duel."""
    ahead = duel.score is not None and duel.score >= 0.5
    return (duel.other, duel.one) if ahead else (duel.one, duel.other)


def _defeats(outcomes: Sequence[GameSummary], loser: str, winner: str) -> list[tuple[GameSummary, bool]]:
    """Return the worst defeat of every deal, and whether the loser lost every game of the deal.

    Deals lost from every seat come first, since the seat cannot explain those; then the largest margins.
    """
    found = []
    for deal in by_deal(outcomes).values():
        scores = [(outcome, head_to_head(outcome, winner, loser)) for outcome in deal]
        lost = [outcome for outcome, score in scores if score == 1.0]
        if lost:
            swept = len(lost) > 1 and all(score == 1.0 for _, score in scores if score is not None)
            found.append((max(lost, key=lambda outcome: _margin(outcome, winner, loser)), swept))
    found.sort(key=lambda one: (one[1], _margin(one[0], winner, loser)), reverse=True)
    return found


def _margin(outcome: GameSummary, winner: str, loser: str) -> float:
    seats = outcome.game.seats
    return outcome.scores[seats.index(winner)] - outcome.scores[seats.index(loser)]


def _defeat_sentence(outcome: GameSummary, loser: str, winner: str, *, swept: bool) -> str:
    seats = outcome.game.seats
    scores = [compact(outcome.scores[seats.index(name)]) for name in (loser, winner)]
    result = f", {scores[0]} to {scores[1]}" if scores[0] != scores[1] else ""
    everywhere = ", as it did in all games of this deal" if swept else ""
    return f"{short_name(loser)} lost to {short_name(winner)}{result}{everywhere}"


def _upsets(outcomes: Sequence[GameSummary], numbers: Numbers, rows: Sequence[Standing]) -> Iterator[Highlight]:
    """Games in which a weak agent was ahead of a strong one, the largest gap first; each pair of agents once."""
    elo = {row.agent: row.rating.value or 0.0 for row in rows if row.rating and is_meaningful(row.rating)}
    group = {row.agent: row.group for row in rows}
    gaps: dict[tuple[str, str], tuple[float, int]] = {}
    for outcome in outcomes:
        seats = [(rank, name) for name, rank in zip(outcome.game.seats, outcome.ranks, strict=True) if name in elo]
        for rank, name in seats:
            for theirs, other in seats:
                gap = elo[other] - elo[name]
                if rank < theirs and gap >= _UPSET_ELO and group[name] == group[other] and (name, other) not in gaps:
                    gaps[name, other] = gap, numbers[outcome.game]
    for (name, other), (_, game) in sorted(gaps.items(), key=lambda one: (-one[1][0], one[1][1])):
        weaker, stronger = (f"{short_name(agent)} ({signed(elo[agent])} Elo)" for agent in (name, other))
        yield Highlight(game=game, reason="upset", why=f"{weaker} was ahead of {stronger}")


def _faulty(outcomes: Sequence[GameSummary], numbers: Numbers) -> Iterator[Highlight]:
    """For every agent and kind of fault the game with the most such faults; the most frequent first."""
    total: Counter[tuple[str, str]] = Counter()
    worst: dict[tuple[str, str], tuple[int, GameSummary]] = {}
    for outcome in outcomes:
        for name, kinds in zip(outcome.seats, outcome.fault_counts(), strict=True):
            for kind, times in kinds.items():
                total[name, kind] += times
                if times > worst.get((name, kind), (0, outcome))[0]:
                    worst[name, kind] = times, outcome
    for (name, kind), _ in sorted(total.items(), key=lambda one: (-one[1], one[0])):
        times, outcome = worst[name, kind]
        lost = outcome.ranks[outcome.game.seats.index(name)] > min(outcome.ranks)
        fault = f"{short_name(name)} was {_TIMES.get(times, f'{times} times ')}at fault ({kind})"
        yield Highlight(game=numbers[outcome.game], reason="fault", why=f"{fault}{' and lost' if lost else ''}")


def _close(outcomes: Sequence[GameSummary], numbers: Numbers, rows: Sequence[Standing]) -> Iterator[Highlight]:
    """The closest game of the two best agents that had one; at most one game."""
    places = {row.agent: place for place, row in enumerate(rows)}
    narrow = []
    for outcome in outcomes:
        first, *others = sorted(zip(outcome.ranks, outcome.scores, outcome.game.seats, strict=True))
        behind = [other for other in others if other[0] > first[0]]
        margin = first[1] - behind[0][1] if behind and first[0] == 1 else 0.0
        if 0 < margin <= abs(first[1]) / 2:
            best = sorted(places.get(name, len(rows)) for name in outcome.game.seats)[:2]
            narrow.append((best, margin, numbers[outcome.game], first[2], behind[0][2]))
    if len({margin for _, margin, *_ in narrow}) > 1:  # if all margins are equal, no game is closer than others
        _, margin, game, winner, second = min(narrow)
        why = f"{short_name(winner)} beat {short_name(second)} by {compact(margin)}, their closest game"
        yield Highlight(game=game, reason="close", why=why)


def _last(outcomes: Sequence[GameSummary], numbers: Numbers) -> Iterator[Highlight]:
    outcome = outcomes[-1]
    yield Highlight(game=numbers[outcome.game], reason="last", why=f"the last game ({outcome.game.stage})")
