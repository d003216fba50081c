"""Seats that are not played by a process of ours: a program on another machine, or a person in a browser.

A :class:`Respondent` answers for one such seat. :class:`MixedTable` asks respondents together with local agents, so the
referee need not distinguish them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol as Interface

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request


class Respondent(Interface):
    """Answers for one seat."""

    @property
    def left_ns(self) -> int | None:
        """Time left for the game; None without such a limit."""

    def put(self, request: Request) -> None:
        """Pass on a question without waiting for the answer."""

    def answer(self) -> Answer:
        """Wait for the answer, which may be a fault."""

    def finish(self, text: str) -> None:
        """Pass on the last text of the game, which needs no answer."""


class LocalTable(Interface):
    """The part of :class:`arbiter.agents.ask.table.Table` that a mixed table needs."""

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return one answer per request."""

    def overhear(self, seat: int) -> str:
        """Return what a seat prints after an answer that was refused."""

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """End the game for the local agents."""

    def clocks(self) -> dict[int, int]:
        """Return the time left by seat."""

    def peaks(self) -> dict[int, int]:
        """Return the peak memory by seat."""


class MixedTable:
    """Local agents and respondents at one table. All are asked before any answer is waited for."""

    def __init__(self, table: LocalTable, outside: Mapping[int, Respondent], *, idle: Callable[[], None]) -> None:
        """``idle`` is called before waiting for a respondent, to use that time for other work."""
        self._table, self._outside, self._idle = table, outside, idle

    def ask(self, requests: Sequence[Request]) -> list[Answer]:
        """Return the answers in the order of the requests."""
        away = [request for request in requests if request.seat in self._outside]
        local = [request for request in requests if request.seat not in self._outside]
        for request in away:
            self._outside[request.seat].put(request)
        answers = {answer.seat: answer for answer in self._table.ask(local)} if local else {}
        if away:
            self._idle()
        answers |= {request.seat: self._outside[request.seat].answer() for request in away}
        return [answers[request.seat] for request in requests]

    def ask_one(self, seat: int, prompt: str, briefing: Callable[[int], str]) -> Answer:
        """Ask one seat."""
        return self.ask([Request(seat, prompt, briefing)])[0]

    def overhear(self, seat: int) -> str:
        """Return what a local agent prints after an answer that was refused."""
        return "" if seat in self._outside else self._table.overhear(seat)

    def finish(self, text: Callable[[int], str]) -> Iterator[tuple[int, list[str]]]:
        """End the game. Respondents are notified first, since local agents are waited for."""
        for seat, respondent in self._outside.items():
            respondent.finish(text(seat))
        yield from self._table.finish(text)

    def clocks(self) -> dict[int, int]:
        """Return the time left by seat, of seats with such a limit."""
        own = {seat: left for seat, who in self._outside.items() if (left := who.left_ns) is not None}
        local = {seat: left for seat, left in self._table.clocks().items() if seat not in self._outside}
        return {**local, **own}

    def peaks(self) -> dict[int, int]:
        """Return the peak memory use of the local agents by seat."""
        return self._table.peaks()
