"""The findings of a whole check, each listed once, because an agent often makes the same mistake in many places."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from arbiter.author.check_report import Finding
from arbiter.records.format import AnswerLine

MOST_FINDINGS = 5
"""Findings listed per check."""


class Findings:
    """Collects findings check by check; equal ones are counted, and those of earlier checks are not listed again."""

    def __init__(self) -> None:
        self._checks: dict[tuple[str, str], str] = {}
        """The check that each kind of failure was first found in."""
        self._name = ""
        self._listed: dict[tuple[str, str], Finding] = {}
        self._referred: dict[str, None] = {}

    def begin(self, name: str) -> None:
        """Start the findings of the check with this name."""
        self._name, self._listed, self._referred = name, {}, {}

    def add(self, line: AnswerLine, make: Callable[[], Finding]) -> None:
        """Add a fault; ``make`` is called if it is the first of its kind and there is room."""
        if line.fault is None:
            return
        key = line.fault.kind, line.fault.detail
        if key in self._listed:
            known = self._listed[key]
            self._listed[key] = msgspec.structs.replace(known, more=known.more + 1)
        elif self._checks.setdefault(key, self._name) != self._name:
            self._referred[self._checks[key]] = None
        elif len(self._listed) < MOST_FINDINGS:
            self._listed[key] = make()

    @property
    def listed(self) -> tuple[Finding, ...]:
        """The findings of the current check that no check before it has."""
        return tuple(self._listed.values())

    @property
    def see(self) -> str:
        """Where the others are, as the end of a summary."""
        return f"; see {' and '.join(self._referred)} above" if self._referred else ""
