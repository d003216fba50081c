"""Which games are one observation.

Games of the same agents with the same seed, in all seatings, share their luck: what the deal gave to one of them in one
game it gave to the others in the next. Counted one by one they would look more certain than they are, or less. So they
are averaged, and the average is one observation. With two seats that is the pair of games, and its five possible
averages are the pentanomial of the chess engine testers. A game that stands alone is an observation too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arbiter.contest.scheduled import Outcome, ScheduledGame

Deal = tuple[tuple[str, ...], int]
"""The agents, sorted, and the seed."""


def deal_of(key: ScheduledGame) -> Deal:
    """What a game shares with the games that belong to it."""
    return tuple(sorted(key.seats)), key.seed


def by_deal(outcomes: Iterable[Outcome]) -> dict[Deal, list[Outcome]]:
    """Games that belong together, in the order in which their first ones come."""
    deals: dict[Deal, list[Outcome]] = {}
    for outcome in outcomes:
        deals.setdefault(deal_of(outcome.key), []).append(outcome)
    return deals


def averages(outcomes: Iterable[Outcome], value: Callable[[Outcome], float | None]) -> list[float]:
    """The mean of ``value`` in every deal, over the games that have one."""
    found = ([value(outcome) for outcome in deal] for deal in by_deal(outcomes).values())
    known = ([one for one in values if one is not None] for values in found)
    return [sum(values) / len(values) for values in known if values]


def duel(outcome: Outcome, one: str, other: str) -> float | None:
    """What ``one`` got against ``other``: 1 if ranked ahead, 0.5 if level, 0 if behind; None if they did not meet."""
    seats = outcome.key.seats
    if one == other or one not in seats or other not in seats:
        return None
    mine, theirs = outcome.ranks[seats.index(one)], outcome.ranks[seats.index(other)]
    return 0.5 if mine == theirs else float(mine < theirs)
