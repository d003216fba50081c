"""Who answers for a seat that is not played by a process of ours: a program on another machine, or a person.

The table asks respondents together with its own agents, so the referee need not distinguish them.
"""

from __future__ import annotations

from typing import Protocol as Interface

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request


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
