"""How the benchmarks play each of the five protocols, with agents that answer immediately."""

from __future__ import annotations

from dataclasses import dataclass, field

from arbiter.game import OptionValue


@dataclass(frozen=True, slots=True)
class Workload:
    """The games that are played of one protocol."""

    name: str
    """Name of the protocol."""
    seats: int
    games: int
    """Games per measurement: some seconds on one core."""
    options: dict[str, OptionValue] = field(default_factory=dict)


WORKLOADS = (
    Workload("splendor", 2, 80, {"max_rounds": 25}),
    Workload("green_circle", 2, 300),
    Workload("rails", 2, 24),
    Workload("heroes", 4, 60),
    Workload("drones", 2, 300),
)
