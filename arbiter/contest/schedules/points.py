"""What a game is worth to those who played it, from their ranks alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arbiter.contest.scheduled import Outcome


def share_beaten(ranks: Sequence[int]) -> list[float]:
    """By seat, the share of opponents beaten, a tie counting half: with two seats 1, 0.5 and 0."""
    opponents = len(ranks) - 1
    return [
        (sum(mine < other for other in ranks) + (ranks.count(mine) - 1) / 2) / opponents if opponents else 0.0
        for mine in ranks
    ]


def lowest_shared_place(ranks: Sequence[int]) -> list[int]:
    """By seat, the place from 1; those who share places all get the lowest of them."""
    return [sum(other <= mine for other in ranks) for mine in ranks]


def shares_by_agent(outcomes: Iterable[Outcome]) -> dict[str, list[float]]:
    """The shares of opponents beaten, game by game."""
    shares: dict[str, list[float]] = {}
    for outcome in outcomes:
        for agent, share in zip(outcome.key.seats, share_beaten(outcome.ranks), strict=True):
            shares.setdefault(agent, []).append(share)
    return shares
