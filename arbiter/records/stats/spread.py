"""Quantiles and ranges of counts: lengths of games, think times by turn, faults over time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from arbiter.records.stats.document import FaultPeriod, Length, ThinkTime

STEPS_PER_DOUBLING = 8
"""Steps of the time scale: a median is known to 9 %, in a memory that does not grow with the number of games."""
_LONGEST_US = 1 << 62
"""The end of the time scale: a record may state any number."""
DAY_US = 86_400_000_000
MOST_RANGES = 16
"""Ranges of turns, and periods of time, in a table."""
_PERIODS = (1, 7, 30, 90, 365, 3650)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_step(us: int) -> int:
    """Return the step of the time scale that a time belongs to."""
    return int(STEPS_PER_DOUBLING * math.log2(min(max(us, 0), _LONGEST_US) + 1))


def step_us(step: int) -> int:
    """Return the middle of a step of the time scale."""
    return max(0, round(2 ** ((step + 0.5) / STEPS_PER_DOUBLING)) - 1) if step else 0


def date_of(us: int) -> str:
    """Return the day (UTC) of a moment."""
    try:
        return (_EPOCH + timedelta(microseconds=us)).date().isoformat()
    except OverflowError:
        return ""


def quantile(counts: Mapping[int, int], share: float) -> int:
    """Return the smallest value that at least this share of all values does not exceed; 0 if there is none."""
    left = share * sum(counts.values())
    value = 0
    for value, count in sorted(counts.items()):
        left -= count
        if left <= 0:
            return value
    return value


def length_spread(counts: Counter[int]) -> Length:
    """Return the spread of the number of turns."""
    games = sum(counts.values()) or 1
    return Length(
        shortest=min(counts, default=0),
        quarter=quantile(counts, 0.25),
        median=quantile(counts, 0.5),
        three_quarters=quantile(counts, 0.75),
        longest=max(counts, default=0),
        mean=sum(turns * count for turns, count in counts.items()) / games,
        counts=[
            [first, last, sum(count for turns, count in counts.items() if first <= turns <= last)]
            for first, last in _ranges(min(counts, default=0), max(counts, default=0))
        ],
    )


def _ranges(first: int, last: int) -> list[tuple[int, int]]:
    """Return ranges of equal width, at most :data:`MOST_RANGES`, that cover the numbers from first to last."""
    width = -(-(last - first + 1) // MOST_RANGES)
    return [(start, min(last, start + width - 1)) for start in range(first, last + 1, width)]


def think_time_spread(times: Counter[tuple[int, int]]) -> list[ThinkTime]:
    """Return the spread of the times in ranges of turns."""
    turns = [turn for turn, _ in times]
    found = []
    for first, last in _ranges(min(turns), max(turns)) if turns else ():
        steps: Counter[int] = Counter()
        for (turn, step), count in times.items():
            if first <= turn <= last:
                steps[step] += count
        if steps:
            median, most, longest = (step_us(quantile(steps, share)) for share in (0.5, 0.95, 1))
            found.append(
                ThinkTime(
                    first=first, last=last, answers=steps.total(), median_us=median, percentile_95_us=most,
                    longest_us=longest,
                )
            )  # fmt: skip
    return found


def periods(days: Mapping[int, tuple[Sequence[int], Counter[str]]]) -> tuple[int, list[FaultPeriod]]:
    """Return the days in a period, and the periods that have games; ``days`` has games and faults by day."""
    first, last = min(days, default=0), max(days, default=0)
    width = next((each for each in _PERIODS if (last - first) // each < MOST_RANGES), _PERIODS[-1])
    found: dict[int, FaultPeriod] = {}
    for day, (games, kinds) in sorted(days.items()):
        number = (day - first) // width
        start = date_of((first + number * width) * DAY_US)
        period = found.setdefault(number, FaultPeriod(start=start, games=0, faults=0, kinds={}))
        period.games += games[0]
        period.faults += kinds.total()
        for kind, count in kinds.items():
            period.kinds[kind] = period.kinds.get(kind, 0) + count
    return width, list(found.values())
