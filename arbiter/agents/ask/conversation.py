"""The conversation with one process of an agent, from its spawn to its kill.

The poller calls it with events. Those that belong to the open question go to its :class:`Question`; everything else is
kept until the next question: output that was not asked for, an exit, a limit that was exceeded.
"""

from __future__ import annotations

from time import monotonic_ns

import msgspec

from arbiter.agents.ask.excess import exceeded_limit
from arbiter.agents.ask.fast_path import FastPath, Unfinished, fast_path
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.question import Question, describe_exit
from arbiter.agents.ask.request import Seat
from arbiter.agents.ask.side_output import SideOutput
from arbiter.agents.clock.meter import OVERSLEPT_NS, Meter
from arbiter.agents.clock.sentinel import NEEDED_NS
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.game import Fault, FaultKind


class Conversation:
    """The input and output of one process. Ended by :meth:`kill`."""

    __slots__ = (
        "_backlog",
        "_excess",
        "_made_fast_path",
        "_poller",
        "_seat",
        "_unsent",
        "fast_path",
        "has_answered",
        "has_exited",
        "output",
        "process",
        "question",
    )  # fmt: skip

    def __init__(self, process: AgentProcess, unsent: bytes, seat: Seat, poller: Poller) -> None:
        """``unsent`` is input that is sent with the first question; without it, the prompt is in the pipe already."""
        self.process, self._unsent = process, unsent
        self._seat, self._poller = seat, poller
        self.question: Question | None = None
        """The question being asked, if any."""
        self.output = SideOutput(seat.limits.stderr_bytes)
        self.has_answered = False
        """Whether the process has answered a question."""
        self.has_exited = False
        self._excess: Fault | None = None
        """The limit that it exceeded since its last answer."""
        self._backlog = False
        """Whether the agent had to wait for the arbiter to read or write since the last poll."""
        self.fast_path: FastPath | None = None
        """Set while the process lives, has taken all its input, and has caused no event since its last answer."""
        self._made_fast_path: FastPath | None = None
        """The fast path to the process, made on first use."""

    def listen(self) -> None:
        """Receive the events of the process from now on. Raises OSError."""
        self._poller.watch(self.process, self, undisturbed=self.process.preloaded and not self._unsent)

    # -- a question

    @property
    def open_question(self) -> Question:
        """The open question. There must be one."""
        if self.question is None:
            raise AssertionError("no question is open")
        return self.question

    def fault_between_moves(self) -> Fault | None:
        """Return the agent's fault since its last answer, or None."""
        if self._excess:
            return self._excess
        if self.has_exited:
            code = self.process.exit_code or 0
            kind = FaultKind.CRASHED if code else FaultKind.SILENT
            return Fault(kind, f"{describe_exit(code)} between moves")
        return self.output.fault_between_moves()

    def add_input(self, prompt: bytes) -> None:
        """Add a prompt to the input that is sent with the next question."""
        self._unsent += prompt

    def begin(self, question: Question) -> None:
        """Open a question and send its prompt."""
        self._open(question)
        if not self._poller.listens_to(self.process.stdout):
            question.close(monotonic_ns())
        if self.process.stdin >= 0:
            if not self.process.preloaded:
                question.limit.restart()
            self._send()

    def carry_on(self, question: Question, so_far: Unfinished) -> None:
        """Open a question that the fast path began and could not finish."""
        self._open(question)
        if so_far.late_ns >= OVERSLEPT_NS:
            question.limit.meter.overslept(so_far.late_ns, 0)
        if so_far.said:
            question.hear(so_far.said, so_far.now_ns)
        if so_far.unsent:
            self._unsent = so_far.unsent
            self._send()

    def _open(self, question: Question) -> None:
        self.question, self.fast_path, self._backlog = question, None, False

    def _send(self) -> None:
        self._unsent = self._poller.write(self.process, self._unsent, self)
        if not self._unsent and self._seat.lifetime == "move":
            self.process.close_stdin()

    def resume_waiting(self, now_ns: int) -> None:
        """Note that the arbiter goes back to waiting for the answer."""
        self.open_question.limit.meter.resume_waiting(now_ns, backlog=self._backlog)
        self._backlog = False

    def close_question(self) -> Question:
        """Close the settled question and return it."""
        question, self.question = self.open_question, None
        self.has_answered = self.has_answered or question.fault is None
        return question

    def offer_fast_path(self, index: int, meter: Meter) -> None:
        """Let the next question take the fast path, if nothing stands in its way; ``index`` is that of the seat."""
        if self.has_exited or self._unsent or not self._poller.listens_to(self.process.stdout):
            return
        limits = self._seat.limits
        self._made_fast_path = self._made_fast_path or fast_path(
            index,
            self.process,
            meter,
            limit_ns=limits.move_ns,
            output_bytes=limits.output_bytes,
            patience_ns=min(limits.move_ns, NEEDED_NS),
        )
        self.fast_path = self._made_fast_path

    def withdraw_fast_path(self) -> None:
        """Let the next question take the slow path."""
        self.fast_path = None

    # -- limits on memory and processes

    def watch(self, now_ns: int) -> None:
        """Check the limits of the agent, whether it is being asked or not."""
        if self.question is not None:
            self._watch_question(self.question, now_ns)
        elif not (self.has_exited or self._excess):
            fault = exceeded_limit(self.process, self._seat.limits)
            if fault:
                # Killed at once, to release the memory; the fault becomes its next answer.
                self._excess = msgspec.structs.replace(fault, detail=f"{fault.detail}, between moves")
                self.process.end()

    def _watch_question(self, question: Question, now_ns: int) -> None:
        if not question.ended_ns and self.process.exit_code is None:
            question.limit.read(now_ns)  # the run-queue waits of helpers are lost when they exit
            if fault := exceeded_limit(self.process, self._seat.limits):
                question.fail(fault, now_ns)

    # -- events

    def heard(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        question = self.question
        if question is not None and not question.ended_ns:
            question.hear(chunk, now_ns)
            return True
        return self.output.hear_stale(chunk)

    def heard_stderr(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        if self._seat.stderr_log:
            self._seat.stderr_log(chunk)
        flood = self.output.hear_stderr(chunk)
        if flood and self.question is not None:
            self.question.fail(flood, now_ns)
        return flood is None

    def closed(self, now_ns: int) -> None:
        self.fast_path = None
        if self.question is not None:
            self.question.close(now_ns)

    def writable(self) -> None:
        self.fast_path = None
        self._backlog = True
        self._send()

    def exited(self, now_ns: int) -> None:
        self.fast_path = None
        process, question = self.process, self.question
        is_open = question is not None and not question.ended_ns
        if question is not None and is_open:
            question.limit.read_before_reaping(now_ns)
        process.reap()
        if question is not None and is_open:
            question.exit(process.exit_code or 0, now_ns)
        self.has_exited = True

    def overslept(self, slept_ns: int, meant_ns: int, busy_ns: int) -> None:
        if self.question is not None and not self.question.ended_ns:
            self.question.limit.meter.overslept(slept_ns, meant_ns, busy_ns)

    def held_up(self, wait_ns: int) -> None:
        if self.question is not None:
            self.question.limit.meter.held_up(wait_ns)

    # -- the end

    def end_input(self, text: str) -> None:
        """Send the process its last input and end of file, as far as its pipe takes it."""
        self.question, self.fast_path = None, None
        if text:
            self._poller.write(self.process, self._unsent + text.encode(), self)
        self._poller.stop_writing(self.process)
        self.process.close_stdin()

    def kill(self) -> None:
        """Kill the process with everything it started."""
        self.question, self.fast_path = None, None
        self._poller.forget(self.process)
        self.process.kill()
