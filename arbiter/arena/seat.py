"""A seat whose agent plays over the network.

Two threads meet here. The game's thread asks questions and waits for answers; the server's thread sends the questions in the
responses to waiting requests, and passes the answers back. Neither thread waits for the other while holding the lock.

The clock of a question starts when its text has been written to the socket, or when the question was asked if no client was
waiting for it. It stops when the last byte of the answer arrived in the kernel. So the server's own delay is never charged: an
answer that the server read late is judged by when it arrived.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from time import monotonic_ns

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.complete_answer import spend_budget
from arbiter.agents.ask.request import Request
from arbiter.agents.ask.time_limit import late_by_budget, late_by_wall
from arbiter.agents.clock.budget import Budget
from arbiter.arena.question import GameAborted, RemoteQuestion, Reply, Submitted
from arbiter.config.limits import Limits
from arbiter.game import Fault, FaultKind, Game, Lifetime, Result
from arbiter.records.format import FaultInfo
from arbiter.units import show_size

MISSED_QUESTIONS = 3
"""After this many questions in a row without a sign of life, the game does not wait for a client until it returns."""
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
        """``changed`` is called when there is something to send. ``settle`` is called before an agent is ruled late, and
        returns when the server has processed whatever had arrived. ``allowance_ns`` is added to every time limit for network
        latency."""
        self.seat = seat
        self._limits, self._per_move, self._allowance_ns = limits, lifetime == "move", allowance_ns
        self._changed, self._settle, self._now_ns = changed, settle, now_ns
        self._budget = Budget(limits.total_ns, limits.increment_ns, limits.grace, limits.margin_ns)
        self._lock = threading.Condition()
        self._open: RemoteQuestion | None = None
        self._reply: Reply | None = None
        self._last: tuple[int, str] = (0, "")
        """The number and text of the last accepted answer."""
        self._ruled_late = 0
        """The number of the last question that was ruled late."""
        self._asked = self._pollers = self._missed = 0
        self._final: str | None = None
        self._ended = ""
        self._briefing = ""
        self._is_new = True
        """Whether the client needs the briefing: it is new, or was restarted."""
        self.fault: FaultInfo | None = None
        """The ruling on the last answer, if it was a fault."""
        self.game: Game | None = None
        """The game, once it has started."""

    # -- the game's side

    @property
    def left_ns(self) -> int | None:
        """The time left for the whole game; None without such a limit."""
        return self._budget.left_ns

    def put(self, request: Request) -> None:
        """Ask a question. A new client gets the briefing in the same text, as a process would."""
        first = self._asked == 0
        if first or self._per_move:
            self._briefing = request.briefing(request.seat)
        limit_ns = (self._limits.first_move_ns if first else self._limits.move_ns) + self._allowance_ns
        with self._lock:
            self._asked += 1
            now_ns = self._now_ns()
            text = self._briefing + request.prompt if self._is_new or self._per_move else request.prompt
            self._is_new = False
            self._open = RemoteQuestion(self._asked, text, now_ns, self._budget.allow(limit_ns), fault=self.fault)
            self._reply = None
            if not self._pollers:
                self._open.start_ns = now_ns
        self._changed()

    def answer(self) -> Answer:
        """Wait for the answer to the open question until its time is up. Raises GameAborted."""
        question = self._question
        answer = Answer(self.seat, started=question.number == 1 and not self._per_move)
        answer.fault = late_by_budget(answer, self._budget, self._limits.total_ns)
        if answer.fault:
            return self._close(answer)
        if self._missed >= MISSED_QUESTIONS and not self._pollers:
            answer.fault = Fault(FaultKind.SPENT, f"has not been heard of for {MISSED_QUESTIONS} questions")
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
        if reply:
            answer.text, answer.said_bytes = reply.text, len(reply.text.encode(errors="replace"))
            self._take_kibitz(answer, reply.kibitz)
        answer.fault = late_by_wall(question.limit_ns, answer.charged_ns if reply else None)
        if answer.fault is None and answer.said_bytes > self._limits.output_bytes:
            answer.fault = Fault(FaultKind.FLOODED, f"answered with more than {show_size(self._limits.output_bytes)}")
        spend_budget(answer, self._budget)
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
            self._missed = self._missed + 1 if late and not self._reply else 0
        if late:  # a client that has answered too late may be waiting for the next question
            self._changed()
        return answer

    def ruled(self, fault: FaultInfo | None) -> None:
        """Note the ruling on the last answer, which the client is told with the next question."""
        self.fault = fault

    def finish(self, text: str) -> None:
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
    def result(self) -> Result | None:
        """The result of a game that is over."""
        return self.game.result() if self.game and self._final is not None else None

    @property
    def ended(self) -> str:
        """Why the game was aborted; empty if it was not."""
        return self._ended

    @property
    def pollers(self) -> int:
        """How many requests of its client are waiting for the next question."""
        return self._pollers

    @property
    def is_heard(self) -> bool:
        """Whether a client waits for a question, or has answered one of the last."""
        return self._pollers > 0 or self._missed == 0

    @property
    def dropped(self) -> bool:
        """Whether the last question was ruled late and none has been asked since."""
        return self._open is None and self._ruled_late == self._asked > 0

    def question(self, after: int = 0) -> RemoteQuestion | None:
        """Return the question to send to a client that has answered ``after`` questions."""
        with self._lock:
            found = self._open
            return found if found and found.number > after and not self._reply else None

    @property
    def answered(self) -> int:
        """The number of the last question that the client has answered."""
        return self._last[0]

    def restart(self) -> None:
        """Note that the client was restarted: like a new process, it gets the briefing with its question. Its clock goes on."""
        with self._lock:
            if self._open and not self._reply and not self._per_move and self._open.number > 1:
                self._open.text = self._briefing + self._open.text
            else:
                self._is_new = True

    def enter(self) -> None:
        """Note that a client is waiting for the next question, so that its clock starts on delivery."""
        with self._lock:
            self._pollers += 1
            self._missed = 0

    def leave(self) -> None:
        """Note that a client has stopped waiting."""
        with self._lock:
            self._pollers -= 1
            # The question was not delivered: the clock does not wait for the client to return.
            if self._open and not self._pollers and not self._open.start_ns:
                self._open.start_ns = self._now_ns()
                self._lock.notify_all()

    def delivered(self, number: int, at_ns: int) -> None:
        """Start the clock of a question, whose text has been written to the socket."""
        with self._lock:
            if self._open and self._open.number == number:
                self._open.seen = True
                self._open.start_ns = self._open.start_ns or at_ns
                self._lock.notify_all()

    def submit(self, text: str, received_ns: int, kibitz: Sequence[str] = (), number: int | None = None) -> Submitted:
        """Submit an answer to the question ``number``; None for a client that does not number its answers."""
        with self._lock:
            if self._final is not None or self._ended:
                late = not self._ended and self.dropped and number in (None, self._ruled_late)
                return Submitted.LATE if late else Submitted.OVER
            if number is None:
                return self._submit_unnumbered(text, received_ns, kibitz)
            if number == self._last[0]:
                return Submitted.REPEATED if text == self._last[1] else Submitted.NOT_ASKED
            if self._open is None or self._reply or number != self._open.number or not self._open.seen:
                return Submitted.LATE if 0 < number == self._ruled_late else Submitted.NOT_ASKED
            return self._accept(self._open, text, received_ns, kibitz)

    def _submit_unnumbered(self, text: str, received_ns: int, kibitz: Sequence[str]) -> Submitted:
        question = self._open
        if question is None or self._reply:
            if question is None and self._ruled_late == self._asked > 0:
                return Submitted.LATE
            return Submitted.REPEATED if self._last[0] and text == self._last[1] else Submitted.NOT_ASKED
        if not question.seen:
            return Submitted.UNSEEN
        return self._accept(question, text, received_ns, kibitz)

    def _accept(self, question: RemoteQuestion, text: str, received_ns: int, kibitz: Sequence[str]) -> Submitted:
        # The kernel's clock for arrivals is coarse: it may say that an answer arrived before its question was sent.
        self._reply = Reply(text, kibitz, max(received_ns, question.start_ns or question.put_ns))
        self._last = (question.number, text)
        self._lock.notify_all()
        return Submitted.ACCEPTED

    def abort(self, reason: str) -> None:
        """Abort the game."""
        with self._lock:
            if self._final is None:
                self._ended = reason
            self._lock.notify_all()
        self._changed()
