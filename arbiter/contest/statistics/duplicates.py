"""Games with exactly the same moves and results. Together they are no more evidence than one of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from arbiter.contest.scheduled import Outcome, ScheduledGame


class DuplicateGames(msgspec.Struct, kw_only=True):
    """A group of games with equal digests."""

    digest: str
    games: list[ScheduledGame]
    records: list[str]


def find_duplicates(played: Sequence[Outcome]) -> list[DuplicateGames]:
    """Return the groups of two or more identical games; games without a digest are ignored."""
    by_digest: dict[str, list[Outcome]] = {}
    for outcome in played:
        if outcome.digest:
            by_digest.setdefault(outcome.digest, []).append(outcome)
    return [
        DuplicateGames(digest=digest, games=[one.game for one in group], records=[one.record for one in group])
        for digest, group in by_digest.items()
        if len(group) > 1
    ]
