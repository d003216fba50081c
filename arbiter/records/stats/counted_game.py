"""The part of a game that statistics need, and of many games at once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from arbiter.records.archive.moments import moment_us
from arbiter.records.reader import Record

Table = tuple[str, int]
"""A protocol and the number of seats: only games with both in common are counted together."""
Times = dict[Table, Counter[tuple[int, int]]]
"""The number of answers by turn and step of the time scale."""

STEPS_PER_DOUBLING = 8
"""Steps of the time scale: a median is known to 9 %, in a memory that does not grow with the number of games."""
_LONGEST_US = 1 << 62
"""The end of the time scale: a record may state any number."""


@dataclass(frozen=True, slots=True)
class CountedGame:
    """One finished game. Lists are by seat."""

    record: str
    """The path of its record."""
    protocol: str
    seed: int
    started_us: int | None
    agents: Sequence[str]
    fingerprints: Sequence[str]
    ranks: Sequence[int]
    scores: Sequence[float]
    turns: int
    opening: tuple[str, ...]
    """The moves of the first turns."""
    faults: Sequence[tuple[int, str]]
    """Seats and kinds."""

    @property
    def table(self) -> Table:
        """The protocol and the number of seats."""
        return self.protocol, len(self.agents)


@dataclass(frozen=True, slots=True)
class Batch:
    """Some games."""

    games: list[CountedGame]
    times: Times = field(default_factory=dict)
    annulled: int = 0
    """Games that are left out because the organiser annulled them."""


def time_step(us: int) -> int:
    """Return the step of the time scale that a time belongs to."""
    return int(STEPS_PER_DOUBLING * math.log2(min(max(us, 0), _LONGEST_US) + 1))


def step_us(step: int) -> int:
    """Return the middle of a step of the time scale."""
    return max(0, round(2 ** ((step + 0.5) / STEPS_PER_DOUBLING)) - 1) if step else 0


def batch_of(record: Record, agents: Collection[str], opening: int) -> Batch:
    """Return a finished record as a batch of one game; times are those of the agents named, or of all."""
    header, result = record.header, record.result
    if result is None or record.annulled is not None:
        return Batch([], annulled=int(record.annulled is not None))
    game = CountedGame(
        record=str(record.path),
        protocol=header.protocol,
        seed=header.seed,
        started_us=moment_us(header.started),
        agents=record.names,
        fingerprints=[seat.fingerprint for seat in header.seats],
        ranks=result.ranks,
        scores=result.scores,
        turns=len({line.turn for line in record.answers}),
        opening=tuple(line.move for line in record.answers if line.turn <= opening),
        faults=[(line.seat, line.fault.kind) for line in record.answers if line.fault],
    )
    own = {seat for seat, name in enumerate(game.agents) if not agents or name in agents}
    times = Counter(
        (line.turn, time_step(line.charged_us)) for line in record.answers if line.seat in own and line.wall_us
    )
    return Batch([game], {game.table: times})
