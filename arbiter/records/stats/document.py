"""The statistics of a selection of games as values; ``arbiter games --stats --json`` prints them as they are."""

from __future__ import annotations

import msgspec


class ResultCounts(msgspec.Struct, kw_only=True):
    """How games ended for a seat or an agent."""

    games: int = 0
    won: int = 0
    drew: int = 0
    lost: int = 0
    points: float = 0.0
    """The mean, from 0 to 1: the share of opponents that were beaten, ties counting half."""
    score: float = 0.0
    """The mean, in the game's own points."""


class SeatStats(ResultCounts, kw_only=True):
    """The results of one seat."""

    seat: int


class AgentStats(ResultCounts, kw_only=True):
    """The results of one agent, on whichever seat."""

    agent: str


class Opening(msgspec.Struct, kw_only=True):
    """Moves that games began with, and what became of these games."""

    moves: list[str]
    words: list[str] = []
    """The moves as the protocol describes them; empty if it is not known here, or if that depends on the game."""
    games: int
    points: list[float]
    """The mean by seat."""
    turns: float
    """The mean length of the games."""
    examples: list[str]
    """The records of the first and the last of these games, by date."""


class Length(msgspec.Struct, kw_only=True):
    """The number of turns of a game."""

    shortest: int
    quarter: int
    """The lower quartile of the number of turns."""
    median: int
    three_quarters: int
    longest: int
    mean: float
    counts: list[list[int]]
    """Ranges of turns, each with its first and last number of turns and the number of games."""


class ThinkTime(msgspec.Struct, kw_only=True):
    """The time charged per answer in some turns; known to 9 %."""

    first: int
    last: int
    """Turns, both included."""
    answers: int
    median_us: int
    percentile_95_us: int
    longest_us: int


class FaultPeriod(msgspec.Struct, kw_only=True):
    """The faults in one period."""

    start: str
    """A day (UTC)."""
    games: int
    faults: int
    kinds: dict[str, int]


class TableStats(msgspec.Struct, kw_only=True):
    """The games of one protocol with the same number of seats."""

    protocol: str
    seats: int
    games: int
    first: str
    """When the first of these games was started, UTC; empty if that is not known."""
    last: str
    by_seat: list[SeatStats]
    by_agent: list[AgentStats]
    """Most points first."""
    openings: list[Opening]
    """Most games first."""
    openings_left_out: int
    """How many further openings there are."""
    length: Length
    think_time: list[ThinkTime]
    period_days: int
    """The days in one period of ``faults``."""
    faults: list[FaultPeriod]
