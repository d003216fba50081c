"""A meter whose readings a test invents."""

from __future__ import annotations

from collections.abc import Callable

from arbiter.agents.clock.charge import Readings

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
        self.readings = Readings()
        self.looked_ns = 0
        self.looks: list[tuple[int, bool]] = []
        """Time of each look, and whether the question was answered by then."""

    def look(self, now_ns: int, *, answered: bool = False) -> Readings:
        self.looked_ns = now_ns
        self.looks.append((now_ns, answered))
        return self.look_again(now_ns)

    def look_again(self, now_ns: int) -> Readings:
        self.readings = self._readings(now_ns)
        return self.readings

    def agent_is_ready(self) -> bool:
        return self._ready

    def may_miss_steal(self) -> bool:
        return self._steal

    def may_miss_stall(self, _: int) -> bool:
        return self._stall
