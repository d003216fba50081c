"""The seat of a remote agent and its clock, with a fake clock: no network, no waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request
from arbiter.arena import long_poll
from arbiter.arena.question import DELIVERY_NS, GameAborted, Submitted
from arbiter.arena.seat import MISSED_QUESTIONS, RemoteSeat
from arbiter.config.limits import Source, resolve_limits
from arbiter.game import FaultKind, Lifetime

MS = 1_000_000
SECOND = 1000 * MS


class Scene:
    """A seat with a fake clock."""

    def __init__(self, lifetime: Lifetime = "game", allowance_ns: int = 0, **limits: str) -> None:
        found, _ = resolve_limits([Source("test", {"move": "1s", "first_move": "1s", **limits})])
        self.now = SECOND
        self.at_settling: Callable[[], object] = lambda: None
        self.changes = 0
        self.seat = RemoteSeat(
            2, found, lifetime, changed=self._changed, settle=self._settle,
            allowance_ns=allowance_ns, now_ns=lambda: self.now,
        )  # fmt: skip

    def _settle(self) -> None:
        self.at_settling()

    def _changed(self) -> None:
        self.changes += 1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Within the block, a client is waiting for the next question."""
        self.seat.enter()
        try:
            yield
        finally:
            self.seat.leave()

    def put(self, text: str = "state\n") -> None:
        self.seat.put(Request(2, text, lambda seat: f"briefing {seat}\n"))

    def ask(self, answer: str, *, takes: int = 10 * MS, text: str = "state\n") -> Answer:
        """Ask a question that is delivered at once and answered after a while."""
        with self.held():
            self.put(text)
            question = self.seat.question()
            assert question
            self.seat.delivered(question.number, self.now)
        self.now += takes
        assert self.seat.submit(answer, self.now) is Submitted.ACCEPTED
        return self.seat.answer()


def test_the_clock_runs_from_delivery_to_arrival_and_the_rest_is_the_servers() -> None:
    scene = Scene()
    with scene.held():
        scene.put()
        scene.now += 300 * MS  # the server is busy
        scene.seat.delivered(1, scene.now)
    arrived = scene.now + 900 * MS
    scene.now += 1500 * MS  # and is again when the answer arrives
    scene.seat.submit("North", arrived)
    answer = scene.seat.answer()
    assert answer.fault is None
    assert (answer.wall_ns, answer.charged_ns, answer.waited_ns) == (1800 * MS, 900 * MS, 900 * MS)
    assert (answer.text, answer.said_bytes, answer.seat) == ("North", 5, 2)


def test_what_arrived_in_time_is_taken_in_before_a_late_ruling() -> None:
    scene = Scene()
    with scene.held():
        scene.put()
        scene.seat.delivered(1, scene.now)
    arrived = scene.now + 999 * MS
    scene.now += 5 * SECOND
    scene.at_settling = lambda: scene.seat.submit("West", arrived)
    answer = scene.seat.answer()
    assert (answer.fault, answer.text, answer.charged_ns) == (None, "West", 999 * MS)


def test_without_a_waiting_client_the_clock_starts_at_once() -> None:
    scene = Scene()
    scene.put()
    scene.now += SECOND
    answer = scene.seat.answer()
    assert answer.fault
    assert answer.fault.kind is FaultKind.LATE
    assert answer.fault.detail == "no answer within 1s"
    assert scene.seat.submit("North", scene.now) is Submitted.LATE
    assert scene.seat.dropped


def test_leaving_before_delivery_starts_the_clock_and_returning_does_not_stop_it() -> None:
    scene = Scene()
    with scene.held():
        scene.put()
        scene.now += 400 * MS
    left_at = scene.now
    scene.now += 100 * MS
    with scene.held():
        scene.seat.delivered(1, scene.now)
    scene.now += 100 * MS
    scene.seat.submit("North", scene.now)
    assert scene.seat.answer().charged_ns == scene.now - left_at


def test_a_response_that_never_gets_into_the_kernel_does_not_hold_up_the_game() -> None:
    scene = Scene()
    with scene.held():
        scene.put()
        scene.now += DELIVERY_NS + SECOND
        answer = scene.seat.answer()
    assert answer.fault
    assert answer.fault.kind is FaultKind.LATE


def test_a_repeated_answer_counts_once() -> None:
    scene = Scene()
    with scene.held():
        scene.put()
        scene.seat.delivered(1, scene.now)
    assert scene.seat.submit("North", scene.now) is Submitted.ACCEPTED
    assert scene.seat.submit("North", scene.now) is Submitted.REPEATED
    assert scene.seat.submit("South", scene.now) is Submitted.NOT_ASKED
    assert scene.seat.answer().text == "North"
    assert scene.seat.submit("North", scene.now) is Submitted.REPEATED
    assert scene.seat.submit("South", scene.now) is Submitted.NOT_ASKED


def test_an_answer_to_a_question_that_was_never_delivered_is_a_repeat_of_the_last() -> None:
    scene = Scene()
    scene.ask("North")
    scene.put()
    assert scene.seat.submit("North", scene.now) is Submitted.UNSEEN
    question = scene.seat.question(scene.seat.answered)
    assert question
    scene.seat.delivered(question.number, scene.now)
    assert scene.seat.submit("North", scene.now) is Submitted.ACCEPTED


def test_numbers_tell_answers_apart() -> None:
    scene = Scene()
    scene.ask("a")
    assert scene.seat.submit("a", scene.now, number=1) is Submitted.REPEATED
    assert scene.seat.submit("b", scene.now, number=1) is Submitted.NOT_ASKED
    with scene.held():
        scene.put()
        assert scene.seat.submit("b", scene.now, number=2) is Submitted.NOT_ASKED, "nobody has been sent it yet"
        scene.seat.delivered(2, scene.now)
    assert scene.seat.submit("b", scene.now, number=3) is Submitted.NOT_ASKED
    assert scene.seat.submit("b", scene.now, number=2) is Submitted.ACCEPTED


def test_a_client_is_briefed_once_like_a_process_or_every_time_like_one_spawned_per_move() -> None:
    texts: list[tuple[str, bool]] = []
    for lifetime in ("game", "move"):
        scene = Scene(lifetime)
        for _ in range(2):
            with scene.held():
                scene.put()
                question = scene.seat.question()
                assert question
                scene.seat.delivered(question.number, scene.now)
            scene.seat.submit("x", scene.now)
            texts.append((question.text, scene.seat.answer().started))
    assert texts == [
        ("briefing 2\nstate\n", True),
        ("state\n", False),
        ("briefing 2\nstate\n", False),
        ("briefing 2\nstate\n", False),
    ]


def test_one_line_is_an_answer_of_a_long_lived_agent() -> None:
    answer = Scene().ask("North\nSouth\n")
    assert (answer.text, answer.notes) == ("North", ["only the first line of the answer was taken"])
    assert Scene("move").ask("a\nb\n").text == "a\nb\n"


def test_too_long_an_answer_is_a_flood() -> None:
    answer = Scene(output="10B").ask("x" * 11)
    assert answer.fault
    assert answer.fault.kind is FaultKind.FLOODED


def test_a_client_that_is_gone_is_not_waited_for_until_it_returns() -> None:
    scene = Scene()
    for _ in range(MISSED_QUESTIONS):
        scene.put()
        scene.now += SECOND
        scene.seat.answer()
    scene.put()
    answer = scene.seat.answer()  # without time passing
    assert answer.fault
    assert answer.fault.kind is FaultKind.SPENT
    assert scene.ask("back").fault is None


def test_the_time_for_the_game_is_kept() -> None:
    scene = Scene(total="2s", increment="100ms")
    assert scene.ask("a", takes=900 * MS).left_ns == 1200 * MS
    assert scene.seat.left_ns == 1200 * MS
    scene.ask("a", takes=SECOND)
    late = scene.ask("a", takes=301 * MS)
    assert late.fault
    assert late.fault.kind is FaultKind.LATE


def test_a_forgiven_overrun_is_noted() -> None:
    scene = Scene(grace="1", margin="100ms")
    assert scene.ask("a", takes=1050 * MS).notes == ["over its time by 50ms, forgiven"]
    again = scene.ask("a", takes=1050 * MS)
    assert again.fault
    assert again.fault.kind is FaultKind.LATE


def test_the_way_through_the_network_is_allowed_for() -> None:
    assert Scene(allowance_ns=50 * MS).ask("a", takes=1050 * MS).fault is None


def test_an_ended_game_raises_in_its_thread_and_refuses_answers() -> None:
    scene = Scene()
    scene.put()
    scene.seat.abort("annulled by the organiser")
    with pytest.raises(GameAborted, match="annulled"):
        scene.seat.answer()
    assert scene.seat.submit("North", scene.now) is Submitted.OVER


def test_the_last_text_is_kept_for_whoever_asks() -> None:
    scene = Scene()
    scene.ask("a")
    scene.seat.finish("the end")
    assert scene.seat.final == "the end"
    assert scene.seat.submit("a", scene.now) is Submitted.OVER
    assert scene.changes == 2


@given(
    handover=st.integers(0, 2000), thinking=st.integers(0, 2000), reading=st.integers(0, 2000), waiting=st.booleans()
)
def test_only_the_agents_own_time_decides(handover: int, thinking: int, reading: int, waiting: bool) -> None:
    scene = Scene()
    if waiting:
        with scene.held():
            scene.put()
            scene.now += handover * MS
            scene.seat.delivered(1, scene.now)
    else:
        scene.put()
        scene.now += handover * MS
        scene.seat.delivered(1, scene.now)
    arrived = scene.now + thinking * MS
    scene.now = arrived + reading * MS
    assert scene.seat.submit("North", arrived) is Submitted.ACCEPTED
    answer = scene.seat.answer()
    own = thinking if waiting else handover + thinking
    assert (answer.fault is not None) == (own > 1000)
    assert answer.charged_ns == own * MS
    assert answer.wall_ns == answer.charged_ns + answer.waited_ns


@pytest.mark.parametrize(("backpressure", "charged_ms"), [(False, 10), (True, 310)])
def test_a_client_that_leaves_responses_unread_pays_for_the_wait(
    monkeypatch: pytest.MonkeyPatch, backpressure: bool, charged_ms: int
) -> None:
    scene = Scene()
    monkeypatch.setattr(long_poll, "monotonic_ns", lambda: scene.now)

    async def sending() -> None:
        scene.now += 300 * MS

    async def deliver() -> None:
        question, gone = scene.seat.question(), asyncio.get_running_loop().create_future()
        seat: Any = SimpleNamespace(remote=scene.seat)
        await long_poll.deliver(seat, question, sending(), gone, backpressure=backpressure)

    with scene.held():
        scene.put()
        asyncio.run(deliver())
    scene.now += 10 * MS
    scene.seat.submit("North", scene.now)
    assert scene.seat.answer().charged_ns == charged_ms * MS


@pytest.mark.parametrize("asked_before", [True, False])
def test_a_client_that_was_restarted_gets_the_briefing_again(asked_before: bool) -> None:
    scene = Scene()
    scene.ask("a")
    if asked_before:
        scene.put()
        scene.seat.restart()
    else:
        scene.seat.restart()
        scene.put()
    question = scene.seat.question()
    assert question
    assert question.text == "briefing 2\nstate\n"
