"""Respondents: seats without a process, at the same table as agents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request, Seat
from arbiter.agents.ask.table import Table
from arbiter.agents.prepare.launch_spec import Launch
from tests.agents.ask.harness import terms

ECHO = Launch(["/bin/sh", "-c", 'while read -r line; do echo "$line"; done'], "/", {"PATH": "/usr/bin:/bin"})


class Respondent:
    """Answers "b" for its seat, and notes the order of events."""

    def __init__(self, seat: int, left_ns: int | None, events: list[str]) -> None:
        self._seat, self.left_ns, self._events = seat, left_ns, events

    def put(self, request: Request) -> None:
        self._events.append(f"put {request.seat}")

    def answer(self) -> Answer:
        self._events.append(f"answer {self._seat}")
        return Answer(self._seat, "b")

    def finish(self, text: str) -> None:
        self._events.append(text)


def prompts(events: list[str]) -> Callable[[int], str]:
    def briefing(seat: int) -> str:
        events.append(f"process {seat}")
        return ""

    return briefing


def test_all_seats_are_asked_before_any_is_waited_for() -> None:
    events: list[str] = []
    respondents = {1: Respondent(1, None, events), 3: Respondent(3, None, events)}
    agent = Seat(ECHO, terms(), "game")
    with Table([agent] * 4, respondents=respondents, idle=lambda: events.append("idle")) as table:
        for turn in (1, 2):
            events.clear()
            answers = table.ask([Request(seat, f"a{seat}\n", prompts(events)) for seat in range(4)])
            assert [answer.text for answer in answers] == ["a0", "b", "a2", "b"]
            assert events[:2] == ["put 1", "put 3"]
            assert events[-3:] == ["idle", "answer 1", "answer 3"]
            assert [event for event in events if "process" in event] == (
                ["process 0", "process 2"] if turn == 1 else []
            )


@pytest.mark.parametrize(("seat", "text"), [(0, "a"), (1, "b")])
def test_a_seat_may_be_asked_alone(seat: int, text: str) -> None:
    with Table([Seat(ECHO, terms(), "game")] * 2, respondents={1: Respondent(1, None, [])}) as table:
        assert table.ask_one(seat, "a\n", lambda _: "").text == text


def test_respondents_are_told_the_end_before_agents_are_waited_for() -> None:
    events: list[str] = []
    with Table([Seat(ECHO, terms(), "game")] * 2, respondents={1: Respondent(1, None, events)}) as table:
        assert not list(table.finish(lambda seat: f"bye {seat}"))
        assert events == ["bye 1"]


def test_clocks_are_those_of_the_respondents_where_they_have_one() -> None:
    respondents = {1: Respondent(1, 5, []), 2: Respondent(2, None, [])}
    with Table([Seat(ECHO, terms(total="1us"), "game")] * 3, respondents=respondents) as table:
        assert table.clocks() == {0: 1000, 1: 5, 2: 1000}
