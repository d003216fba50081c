"""The clock of one seat for a whole game: a total with increments, and overruns that are forgiven."""

from __future__ import annotations


class Budget:
    """A seat's remaining total time, and how many overruns are still forgiven."""

    __slots__ = ("_allowed_ns", "_grace", "_increment_ns", "_margin_ns", "_total_ns", "left_ns")

    def __init__(self, total_ns: int, increment_ns: int, grace: int, margin_ns: int) -> None:
        self._total_ns, self._increment_ns = total_ns, increment_ns
        self._grace, self._margin_ns = (grace, margin_ns) if grace and margin_ns else (0, 0)
        self._allowed_ns = 0
        self.left_ns: int | None = total_ns or None
        """Time left of the total; None without one."""

    @property
    def in_use(self) -> bool:
        """Whether the seat has a total time or forgiven overruns at all."""
        return bool(self._total_ns or self._grace)

    @property
    def used_up(self) -> bool:
        """Whether the total time is used up."""
        return self.left_ns is not None and self.left_ns <= 0

    @property
    def margin_ns(self) -> int:
        """By how much the next answer may overrun its limit."""
        return self._margin_ns if self._grace else 0

    def allow(self, limit_ns: int) -> int:
        """Return the time limit of the next answer, margin included; its own limit is ``limit_ns``."""
        self._allowed_ns = limit_ns if self.left_ns is None else min(limit_ns, self.left_ns)
        return self._allowed_ns + self.margin_ns

    def skip(self) -> None:
        """Add the increment of a turn in which the seat was not asked."""
        if self.left_ns is not None:
            self.left_ns += self._increment_ns

    def spend(self, charged_ns: int) -> int | None:
        """Deduct an answer's charge. Returns the overrun if it was forgiven, else None."""
        over_ns = charged_ns - self._allowed_ns
        forgiven = 0 < over_ns <= self._margin_ns and self._grace > 0
        if forgiven:
            self._grace -= 1
        if self.left_ns is not None:
            self.left_ns = max(0, self.left_ns - charged_ns) + self._increment_ns
        return over_ns if forgiven else None
