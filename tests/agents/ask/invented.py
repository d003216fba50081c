"""A meter whose readings a test invents."""

from __future__ import annotations

from collections.abc import Callable

from arbiter.agents.clock.charge import Readings
from arbiter.agents.clock.meter import Times

MS = 1_000_000


class InventedMeter:
    """Reports the figures that ``readings`` returns for the time of each look, counted from 0."""

    def __init__(
        self,
        readings: Callable[[int], Readings] | None = None,
        *,
        ready: bool = False,
        steal: bool = False,
        stall: bool = False,
    ) -> None:
        self._readings = readings or (lambda _: Readings())
        self._ready, self._steal, self._stall = ready, steal, stall
        self.looks: list[int] = []
        """Time of each look."""

    def open(self, start_ns: int, limit_ns: int) -> Readings:
        return Readings()

    def restart(self) -> int:
        raise AssertionError("no test invents this")

    def read(self, now_ns: int) -> Readings:
        self.looks.append(now_ns)
        return self.read_again(now_ns)

    def read_again(self, now_ns: int) -> Readings:
        return self._readings(now_ns)

    def read_before_reaping(self, now_ns: int) -> bool:
        return False

    def overslept(self, slept_ns: int, meant_ns: int, busy_ns: int = 0) -> None:
        raise AssertionError("no test invents this")

    def held_up(self, wait_ns: int) -> None:
        raise AssertionError("no test invents this")

    def resume_waiting(self, now_ns: int, *, backlog: bool) -> None:
        raise AssertionError("no test invents this")

    def finish(self, wall_ns: int, *, first: bool) -> Times:
        raise AssertionError("no test invents this")

    def agent_is_ready(self) -> bool:
        return self._ready

    def may_miss_steal(self) -> bool:
        return self._steal

    def may_miss_stall(self, _: int) -> bool:
        return self._stall
