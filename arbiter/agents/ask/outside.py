"""Who answers for a seat that is not played by a process of ours: a program on another machine, a person, or nobody.

The table asks respondents together with its own agents, so the referee need not distinguish them.
"""

from __future__ import annotations

from typing import Protocol as Interface

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request
from arbiter.game import Fault, FaultKind


class Respondent(Interface):
    """Answers for one seat."""

    @property
    def left_ns(self) -> int | None:
        """Time left for the game; None without such a limit."""

    def put(self, request: Request) -> None:
        """Pass on a question. Other seats are asked when this returns, so only a person may take long to read it."""

    def answer(self) -> Answer:
        """Wait for the answer, which may be a fault."""

    def finish(self, text: str) -> None:
        """Pass on the last text of the game, which needs no answer."""


class Absentee:
    """Answers for a seat that nobody plays: every answer is a fault, at once."""

    left_ns = None

    def __init__(self, seat: int) -> None:
        self._seat = seat

    def put(self, request: Request) -> None:
        """Ignore the question."""

    def answer(self) -> Answer:
        """Return the fault."""
        return Answer(self._seat, fault=Fault(FaultKind.ABSENT, "nobody plays this seat"))

    def finish(self, text: str) -> None:
        """Ignore the last text."""
