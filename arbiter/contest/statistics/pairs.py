"""Deals: groups of games that count as one observation.

Games of the same agents with the same seed, in all seatings, form a deal and share their luck: what the seed gave one
agent in one game, it gave the others in the next. Counted as independent games they would look more certain than they
are, or less. So the results of a deal are averaged, and the average is one observation. With two seats a deal is the
pair of games of chess engine testing, and its five possible averages are the pentanomial. A game on its own is a deal of
one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.records import scoring

DealKey = tuple[tuple[str, ...], int]
"""The agents, sorted, and the seed."""


def deal_of(game: ScheduledGame) -> DealKey:
    """Return the deal that a game belongs to."""
    return tuple(sorted(game.seats)), game.seed


def by_deal(outcomes: Iterable[GameSummary]) -> dict[DealKey, list[GameSummary]]:
    """Group games by deal, in the order in which the first game of each deal comes."""
    deals: dict[DealKey, list[GameSummary]] = {}
    for outcome in outcomes:
        deals.setdefault(deal_of(outcome.game), []).append(outcome)
    return deals


def averages(outcomes: Iterable[GameSummary], value: Callable[[GameSummary], float | None]) -> list[float]:
    """Return the mean of ``value`` for every deal, over the games for which it is not None."""
    found = ([value(outcome) for outcome in deal] for deal in by_deal(outcomes).values())
    known = ([one for one in values if one is not None] for values in found)
    return [sum(values) / len(values) for values in known if values]


def head_to_head(outcome: GameSummary, one: str, other: str) -> float | None:
    """Return what ``one`` scored against ``other``: 1, 0.5 or 0; None if they did not meet."""
    seats = outcome.game.seats
    if one == other or one not in seats or other not in seats:
        return None
    return scoring.compare_ranks(outcome.ranks[seats.index(one)], outcome.ranks[seats.index(other)])
