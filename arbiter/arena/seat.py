"""A seat whose agent plays over the network.

Two threads meet here. The game's thread puts questions and waits for answers; the server's thread hands the questions to
whoever holds a request for this seat and brings the answers back. Neither ever waits for the other while it holds the lock.

The clock of a question starts when its text was handed to the kernel, or when the question was put if no client was waiting
for it. It stops when the last byte of the answer was in the kernel. So the server's own delay is never charged, and an answer
that the server read too late is still ruled by when it arrived.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic_ns

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Request
from arbiter.agents.clock.budget import Budget
from arbiter.arena.question import GameAborted, RemoteQuestion, Reply, Taken
from arbiter.game import Fault, FaultKind, Lifetime
from arbiter.limits import Limits
from arbiter.units import show_duration, show_size

ABSENCES = 3
"""Questions in a row that a client may leave without any sign of life; after that it is not waited for until it returns."""
KIBITZ_LINES, KIBITZ_LETTERS = 200, 4096


class RemoteSeat:
    """One seat of one game. It is the :class:`arbiter.agents.ask.outside.Respondent` of the game's thread."""

    def __init__(
        self,
        seat: int,
        limits: Limits,
        lifetime: Lifetime,
        *,
        changed: Callable[[], None],
        settle: Callable[[], None],
        allowance_ns: int = 0,
        now_ns: Callable[[], int] = monotonic_ns,
    ) -> None:
        """``changed`` is called when there is something to hand out. ``settle`` is called before an agent is ruled late, and
        returns when the server has taken in whatever had arrived. ``allowance_ns`` is added to every time limit for the way
        through the network."""
        self.seat = seat
        self._limits, self._per_move, self._allowance_ns = limits, lifetime == "move", allowance_ns
        self._changed, self._settle, self._now_ns = changed, settle, now_ns
        self._budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self._lock = threading.Condition()
        self._open: RemoteQuestion | None = None
        self._reply: Reply | None = None
        self._last: tuple[int, str] = (0, "")
        """Number and text of the last answer that was accepted."""
        self._ruled_late = 0
        """The number of the last question that was ruled late."""
        self._asked = self._holders = self._absences = 0
        self._final: str | None = None
        self._ended = ""

    # -- the game's side

    @property
    def left_ns(self) -> int | None:
        """Time left for the game; None without such a limit."""
        return self._budget.left_ns

    def put(self, request: Request) -> None:
        """Open a question. A new client is briefed in the same text, as a process would be."""
        first = self._asked == 0
        text = request.briefing(request.seat) + request.prompt if first or self._per_move else request.prompt
        limit_ns = (self._limits.first_move_ns if first else self._limits.move_ns) + self._allowance_ns
        with self._lock:
            self._asked += 1
            now_ns = self._now_ns()
            self._open = RemoteQuestion(self._asked, text, now_ns, self._budget.allow(limit_ns))
            self._reply = None
            if not self._holders:
                self._open.start_ns = now_ns
        self._changed()

    def answer(self) -> Answer:
        """Wait for the answer to the open question, at most until its time is up. Raises GameAborted."""
        question = self._question
        answer = Answer(self.seat, started=question.number == 1 and not self._per_move)
        if self._budget.used_up:
            self._budget.skip()
            answer.fault = Fault(FaultKind.LATE, f"has used up its {show_duration(self._limits.total_ns)} for the game")
            answer.left_ns = self._budget.left_ns
            return self._close(answer)
        if self._absences >= ABSENCES and not self._holders:
            answer.fault = Fault(FaultKind.SPENT, f"has not been heard of for {ABSENCES} questions")
            return self._close(answer)
        self._wait(question)
        return self._close(self._ruling(answer, question))

    def _wait(self, question: RemoteQuestion) -> None:
        settled = False
        while True:
            with self._lock:
                if self._ended:
                    raise GameAborted(self._ended)
                if self._reply:
                    return
                left_ns = question.deadline_ns - self._now_ns()
                if left_ns > 0:
                    self._lock.wait(left_ns / 1e9)
                    settled = False
                    continue
                if settled:
                    return
            self._settle()
            settled = True

    def _ruling(self, answer: Answer, question: RemoteQuestion) -> Answer:
        with self._lock:
            reply, now_ns = self._reply, self._now_ns()
            start_ns = question.start_ns or question.put_ns
        answer.wall_ns = now_ns - question.put_ns
        answer.charged_ns = max(0, (reply.received_ns if reply else now_ns) - start_ns)
        answer.waited_ns = max(0, answer.wall_ns - answer.charged_ns)
        late = reply is None or answer.charged_ns > question.limit_ns
        if reply:
            answer.text, answer.said_bytes = reply.text, len(reply.text.encode(errors="replace"))
            self._take_kibitz(answer, reply.kibitz)
        if late:
            answer.fault = Fault(FaultKind.LATE, f"no answer within {show_duration(question.limit_ns)}")
        elif answer.said_bytes > self._limits.output_bytes:
            answer.fault = Fault(FaultKind.FLOODED, f"answered with more than {show_size(self._limits.output_bytes)}")
        if self._budget.in_use:
            over_ns = self._budget.spend(answer.charged_ns)
            if over_ns is not None and not late:
                answer.notes = [*answer.notes, f"over its time by {show_duration(over_ns)}, forgiven"]
            answer.left_ns = self._budget.left_ns
        return answer

    def _take_kibitz(self, answer: Answer, lines: Sequence[str]) -> None:
        answer.kibitz = [line[:KIBITZ_LETTERS] for line in lines[:KIBITZ_LINES]]
        if not self._per_move and "\n" in answer.text.rstrip("\r\n"):
            answer.text = answer.text.lstrip("\r\n").split("\n", 1)[0]
            answer.notes = ["only the first line of the answer was taken"]

    def _close(self, answer: Answer) -> Answer:
        with self._lock:
            number = self._asked
            self._open = None
            late = answer.fault is not None and answer.fault.kind in (FaultKind.LATE, FaultKind.SPENT)
            if late:
                self._ruled_late = number
            self._absences = self._absences + 1 if late and not self._reply else 0
        if late:  # a client that answered too late may be waiting for the next question
            self._changed()
        return answer

    def farewell(self, text: str) -> None:
        """End the game with a last text."""
        with self._lock:
            self._final = text
        self._changed()

    # -- the server's side

    @property
    def _question(self) -> RemoteQuestion:
        if self._open is None:
            raise AssertionError(f"seat {self.seat} was not asked")
        return self._open

    @property
    def final(self) -> str | None:
        """The last text of a game that is over."""
        return self._final

    @property
    def ended(self) -> str:
        """Why the game was ended before its end; empty if it was not."""
        return self._ended

    @property
    def dropped(self) -> bool:
        """Whether the last question was ruled late and none has been put since."""
        return self._open is None and self._ruled_late == self._asked > 0

    def question(self, after: int = 0) -> RemoteQuestion | None:
        """Return the question to hand out to a client that has answered the first ``after``."""
        with self._lock:
            found = self._open
            return found if found and found.number > after and not self._reply else None

    @property
    def answered(self) -> int:
        """The number of the last question that the client has answered."""
        return self._last[0]

    def enter(self) -> None:
        """Take note that a client waits for the next question, so that its clock starts with the delivery."""
        with self._lock:
            self._holders += 1
            self._absences = 0

    def leave(self) -> None:
        """Take note that it waits no longer."""
        with self._lock:
            self._holders -= 1
            # It left without having been sent the question: the clock does not wait for it to return.
            if self._open and not self._holders and not self._open.start_ns:
                self._open.start_ns = self._now_ns()
                self._lock.notify_all()

    def delivered(self, number: int, at_ns: int) -> None:
        """Take note that the text of a question is in the kernel: its clock starts."""
        with self._lock:
            if self._open and self._open.number == number:
                self._open.seen = True
                self._open.start_ns = self._open.start_ns or at_ns
                self._lock.notify_all()

    def submit(self, text: str, received_ns: int, kibitz: Sequence[str] = (), number: int | None = None) -> Taken:
        """Take an answer to the question ``number``; None for a client that does not know numbers."""
        with self._lock:
            if self._final is not None or self._ended:
                return Taken.OVER
            if number is None:
                return self._submit_unnumbered(text, received_ns, kibitz)
            if number == self._last[0]:
                return Taken.REPEATED if text == self._last[1] else Taken.NOT_ASKED
            if self._open is None or self._reply or number != self._open.number or not self._open.seen:
                return Taken.LATE if 0 < number == self._ruled_late else Taken.NOT_ASKED
            return self._accept(self._open, text, received_ns, kibitz)

    def _submit_unnumbered(self, text: str, received_ns: int, kibitz: Sequence[str]) -> Taken:
        question = self._open
        if question is None or self._reply:
            if question is None and self._ruled_late == self._asked > 0:
                return Taken.LATE
            return Taken.REPEATED if self._last[0] and text == self._last[1] else Taken.NOT_ASKED
        if not question.seen:
            return Taken.UNSEEN
        return self._accept(question, text, received_ns, kibitz)

    def _accept(self, question: RemoteQuestion, text: str, received_ns: int, kibitz: Sequence[str]) -> Taken:
        # Nothing arrives before it is asked for: the kernel's clock for arrivals is coarse.
        self._reply = Reply(text, kibitz, max(received_ns, question.start_ns or question.put_ns))
        self._last = (question.number, text)
        self._lock.notify_all()
        return Taken.ACCEPTED

    def abort(self, reason: str) -> None:
        """End the game from outside."""
        with self._lock:
            if self._final is None:
                self._ended = reason
            self._lock.notify_all()
        self._changed()
