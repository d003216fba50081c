"""Keep agents that are not being asked off the core of the one that is.

Run-queue wait is not charged, but an agent that watches the wall clock may stop thinking early because of it. Once an
agent has had to wait, the CPU time of the other agents is sampled while it thinks. An agent that used at least a tenth
of the asked agent's CPU time in such an interval is kept off the core from then on, whenever others are asked. No CPU
time is sampled before an agent has had to wait.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from arbiter.units import show_duration

WAITED_NS = 5_000_000
"""An agent is crowded if, in an interval, it waited at least this long and at least a tenth of the time it ran."""
USED_NS = 2_000_000
"""An agent crowds the one being asked if it used at least this much CPU time, and a tenth of what the other used."""
_PART = 10


class SharingSeat(Protocol):
    """The interface of a seat whose agent shares the core with others."""

    index: int
    label: str
    """What notes call it."""

    @property
    def notes(self) -> list[str]:
        """Notes on its answer."""

    def ran_and_waited_ns(self) -> tuple[int, int]:
        """How long it ran and how long it waited from the question to the last readings."""

    def total_cpu_ns(self) -> int | None:
        """CPU time of its agent so far; None without a process."""

    def give_way(self) -> str:
        """Keep its agent off the core while others are asked; return how, in words, or an empty string if it is kept
        off already."""


class Crowding:
    """Finds agents that use the core out of turn."""

    def __init__(self, seats: Sequence[SharingSeat]) -> None:
        self._seats = seats
        self._crowded: set[int] = set()
        """Seats that had to wait before: for these, sampling starts with the question."""
        self._used: Mapping[int, int] = {}
        self._since: Mapping[int, tuple[int, int]] | None = None
        """How long the seats being asked had run and waited at the start of this interval; None if no interval has
        started."""

    def begin(self, asked: Sequence[SharingSeat]) -> None:
        """Note that these seats are being asked."""
        self._since = None
        if self._crowded and any(seat.index in self._crowded for seat in asked):
            self._used, self._since = self._read(asked), {}

    def check(self, asked: Sequence[SharingSeat]) -> None:
        """Check whether other agents have crowded those being asked in this interval, and start the next one."""
        readings = {seat.index: seat.ran_and_waited_ns() for seat in asked}
        if self._since is None and all(waited_ns < WAITED_NS for _, waited_ns in readings.values()):
            return
        used = self._read(asked)
        for seat in asked:
            ran_ns, waited_ns = readings[seat.index]
            ran_before_ns, waited_before_ns = (self._since or {}).get(seat.index, (0, 0))
            if waited_ns - waited_before_ns >= max(WAITED_NS, (ran_ns - ran_before_ns) // _PART):
                self._crowded.add(seat.index)
                if self._since is not None:
                    self._blame(seat, used, max(USED_NS, (ran_ns - ran_before_ns) // _PART))
        self._used, self._since = used, readings

    def _blame(self, victim: SharingSeat, used: Mapping[int, int], most_ns: int) -> None:
        for index, now_ns in used.items():
            used_ns = now_ns - self._used.get(index, now_ns)
            culprit = self._seats[index]
            if used_ns >= most_ns and (how := culprit.give_way()):
                victim.notes.append(
                    f"waited while {culprit.label} used {show_duration(used_ns)} of CPU time out of turn; "
                    f"from now on {culprit.label} is {how} while others are asked"
                )

    def _read(self, asked: Sequence[SharingSeat]) -> dict[int, int]:
        busy = {seat.index for seat in asked}
        found = ((seat.index, seat.total_cpu_ns()) for seat in self._seats if seat.index not in busy)
        return {index: cpu_ns for index, cpu_ns in found if cpu_ns is not None}
