"""A meter whose readings a test invents."""

from __future__ import annotations

from collections.abc import Callable

from arbiter.agents.clock.charge import Usage

MS = 1_000_000


class InventedMeter:
    """Reports the usage that ``readings`` returns for the time of each look, counted from 0."""

    def __init__(
        self, readings: Callable[[int], Usage] | None = None, *, ready: bool = False, steal: bool = False
    ) -> None:
        self._readings = readings or (lambda _: Usage())
        self._ready, self._steal = ready, steal
        self.usage = Usage()
        self.looked_ns = 0
        self.looks: list[tuple[int, bool]] = []
        """Time of each look, and whether the question was answered by then."""

    def look(self, now_ns: int, *, answered: bool = False) -> Usage:
        self.looked_ns = now_ns
        self.looks.append((now_ns, answered))
        return self.look_for_steal(now_ns)

    def look_for_steal(self, now_ns: int) -> Usage:
        self.usage = self._readings(now_ns)
        return self.usage

    def agent_is_ready(self) -> bool:
        return self._ready

    def may_miss_steal(self) -> bool:
        return self._steal
