"""The scenarios: how the machine is disturbed while agents answer."""

from __future__ import annotations

from dataclasses import dataclass

from arbiter.game import Lifetime

LIMIT_US = 25_000
"""Time limit of every answer."""
WORK_US = (1_000, 3_000, 9_000)
"""Amounts of work within the limit, in turn."""
OVERRUN_US = 30_000
"""Work that exceeds it by five milliseconds."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One way to take time from agents that is not their fault."""

    name: str
    lifetime: Lifetime
    games: int = 1
    """Games at the same time on each core."""
    burners: int = 0
    """Other busy processes on each core."""
    stop: str = ""
    """The process that is repeatedly stopped with SIGSTOP for 2 to 60 ms: ``arbiter`` or ``spawner``."""
    cold: bool = False
    """Whether the agent's program is dropped from the page cache before every question."""
    hog: bool = False
    """Whether arbiter and agents share a memory cgroup with a process that needs all of it."""


SCENARIOS = (
    Scenario("crowd", "game", games=4),
    Scenario("crowd, spawned", "move", games=4),
    Scenario("burners", "game", burners=2),
    Scenario("burners, spawned", "move", burners=2),
    Scenario("memory", "game", hog=True),
    Scenario("memory, spawned", "move", hog=True),
    Scenario("cold, spawned", "move", cold=True),
    Scenario("frozen spawner", "move", stop="spawner"),
    Scenario("stopped arbiter", "game", stop="arbiter"),
    Scenario("stopped arbiter, spawned", "move", stop="arbiter"),
    Scenario("everything", "game", games=2, burners=1, stop="arbiter", hog=True),
    Scenario("everything, spawned", "move", games=2, burners=1, stop="spawner", cold=True, hog=True),
)
