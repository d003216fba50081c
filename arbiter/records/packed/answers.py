"""The answers of several games in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from arbiter.records.packed.arrays import Flags, Numbers
from arbiter.records.packed.lines import PackedAnswer


class Answers(NamedTuple):
    """The answers of several games, those of a game together."""

    counts: Numbers
    """How many answers each game has; all other columns have an entry per answer."""
    turn: Numbers
    seat: Numbers
    move: pa.StringArray
    wall_us: Numbers
    cpu_us: Numbers
    charged_us: Numbers
    waited_us: Numbers

    def turns(self) -> list[int]:
        """Return how many different turns each game has."""
        turns = np.sort(self._games() << 31 | self.turn, kind="stable")  # usually sorted already
        different = turns[np.diff(turns, prepend=-1) > 0] >> 31
        return list(np.bincount(different, minlength=len(self.counts)).tolist())

    def last_seats(self) -> list[int]:
        """Return the last seat that answered in each game; -1 if none did."""
        found = np.full(len(self.counts), -1)
        np.maximum.at(found, self._games(), self.seat)
        return list(found.tolist())

    def _games(self) -> Numbers:
        return np.repeat(np.arange(len(self.counts)), self.counts)


_NUMBERS = ("turn", "seat", "wall_us", "cpu_us", "charged_us", "waited_us")


def from_lines(games: Sequence[Sequence[PackedAnswer]]) -> Answers:
    """Return decoded answers as columns."""
    lines = list(chain.from_iterable(games))
    counts = np.fromiter(map(len, games), np.int64, len(games))
    numbers = {name: np.fromiter(map(attrgetter(name), lines), np.int64, len(lines)) for name in _NUMBERS}
    return Answers(counts, move=pa.array([line.move for line in lines], pa.string()), **numbers)


def joined(parts: Iterable[Answers]) -> Answers:
    """Return the answers of the games of several parts, one after the other."""
    first, *columns = zip(*parts, strict=True)
    return Answers(
        np.concatenate(first),
        *(pa.concat_arrays(own) if isinstance(own[0], pa.Array) else np.concatenate(own) for own in columns),
    )


def merged(answers: Answers, others: Answers, keep: Flags) -> Answers:
    """Return the answers of the games that are kept, with those of ``others`` in the places of the rest."""
    both = joined([answers, others])
    games = np.where(keep, np.arange(len(keep)), len(keep) + np.cumsum(~keep) - 1)
    counts = both.counts[games]
    starts = (np.cumsum(both.counts) - both.counts)[games]
    at = np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)
    return Answers(counts, *(column.take(at) for column in both[1:]))
