"""A meter whose readings a test invents."""

from __future__ import annotations

from collections.abc import Callable

from arbiter.agents.clock.charge import Readings
from arbiter.agents.clock.meter import Meter

MS = 1_000_000


class InventedMeter(Meter):
    """Reports the figures that ``readings`` returns for the time of each look, counted from 0."""

    def __init__(
        self,
        readings: Callable[[int], Readings] | None = None,
        *,
        ready: bool = False,
        steal: bool = False,
        stall: bool = False,
    ) -> None:
        self._invented = readings or (lambda _: Readings())
        self._ready, self._steal, self._stall = ready, steal, stall
        self.looks: list[int] = []
        """Time of each look."""

    def open(self, start_ns: int, limit_ns: int) -> Readings:
        return Readings()

    def read(self, now_ns: int) -> Readings:
        self.looks.append(now_ns)
        return self.read_again(now_ns)

    def read_again(self, now_ns: int) -> Readings:
        self._latest = self._invented(now_ns)
        return self._latest

    def seen_cpu_ns(self) -> int:
        return self._latest.cpu_ns

    def read_before_reaping(self, now_ns: int) -> bool:
        return False

    def agent_is_ready(self) -> bool:
        return self._ready

    def may_miss_steal(self) -> bool:
        return self._steal

    def may_miss_stall(self, _: int) -> bool:
        return self._stall
