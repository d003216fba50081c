"""The conversation with one process of an agent, from its spawn to its kill.

The poller calls it with events. Those that belong to the open question go to its :class:`Exchange`; everything else is
kept until the next question: output that was not asked for, an exit, a limit that was exceeded.
"""

from __future__ import annotations

from time import monotonic_ns

import msgspec

from arbiter.agents.ask.excess import exceeded_limit
from arbiter.agents.ask.exchange import Exchange, describe_exit
from arbiter.agents.ask.fast_path import FastPath, Unfinished, fast_path
from arbiter.agents.ask.poller import Poller
from arbiter.agents.ask.request import Seat
from arbiter.agents.ask.side_output import SideOutput
from arbiter.agents.clock.meter import OVERSLEPT_NS, Meter
from arbiter.agents.clock.sentinel import NEEDED_NS
from arbiter.agents.launch.process import CHUNK, AgentProcess
from arbiter.game import Fault, FaultKind


class Conversation:
    """What is sent to one process and what comes back. Ended by :meth:`kill`."""

    __slots__ = (
        "_backlog", "_excess", "_made_fast_path", "_meter", "_poller", "_seat", "_unsent", "exchange", "fast_path", "has_answered",
        "has_exited", "output", "process",
    )  # fmt: skip

    def __init__(self, process: AgentProcess, unsent: bytes, seat: Seat, meter: Meter, poller: Poller) -> None:
        """``unsent`` is input that is sent with the first question; without it, the prompt is in the pipe already."""
        self.process, self._unsent = process, unsent
        self._seat, self._meter, self._poller = seat, meter, poller
        self.exchange: Exchange | None = None
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
    def open_exchange(self) -> Exchange:
        """The open question. There must be one."""
        if self.exchange is None:
            raise AssertionError("no question is open")
        return self.exchange

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

    def begin(self, exchange: Exchange) -> None:
        """Open a question and send its prompt."""
        self._open(exchange)
        if not self._poller.listens_to(self.process.stdout):
            exchange.close(monotonic_ns())
        if self.process.stdin >= 0:
            self._send()

    def carry_on(self, exchange: Exchange, so_far: Unfinished) -> None:
        """Open a question that the fast path began and could not finish."""
        self._open(exchange)
        if so_far.late_ns >= OVERSLEPT_NS:
            self._meter.overslept(so_far.late_ns)
        if so_far.said:
            exchange.hear(so_far.said, so_far.now_ns)
        if so_far.unsent:
            self._unsent = so_far.unsent
            self._send()

    def _open(self, exchange: Exchange) -> None:
        self.exchange, self.fast_path, self._backlog = exchange, None, False

    def _send(self) -> None:
        self._unsent = self._poller.write(self.process, self._unsent, self)
        if not self._unsent and self._seat.lifetime == "move":
            self.process.close_stdin()

    def resume_waiting(self, now_ns: int) -> None:
        """Note that the arbiter goes back to waiting for the answer."""
        self._meter.resume_waiting(now_ns, backlog=self._backlog)
        self._backlog = False

    def close_question(self) -> Exchange:
        """Close the settled question and return it."""
        exchange, self.exchange = self.open_exchange, None
        self.has_answered = self.has_answered or exchange.fault is None
        return exchange

    def offer_fast_path(self, index: int) -> None:
        """Let the next question take the fast path, if nothing stands in its way; ``index`` is that of the seat."""
        if self.has_exited or self._unsent or not self._poller.listens_to(self.process.stdout):
            return
        limits = self._seat.limits
        self._made_fast_path = self._made_fast_path or fast_path(
            index,
            self.process,
            self._meter,
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
        if self.exchange is not None:
            self._watch_question(self.exchange, now_ns)
        elif not (self.has_exited or self._excess or self.process.kernel_limits_all):
            fault = exceeded_limit(self.process, self._seat.limits)
            if fault:
                # Killed at once, to release the memory; the fault becomes its next answer.
                self._excess = msgspec.structs.replace(fault, detail=f"{fault.detail}, between moves")
                self.process.end()

    def _watch_question(self, exchange: Exchange, now_ns: int) -> None:
        if not exchange.ended_ns and self.process.exit_code is None:
            self._meter.look(now_ns)  # the run-queue waits of helpers are lost when they exit
            if fault := exceeded_limit(self.process, self._seat.limits):
                exchange.fail(fault, now_ns)

    # -- events

    def heard(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        exchange = self.exchange
        if exchange is not None and not exchange.ended_ns:
            exchange.hear(chunk, now_ns)
            return True
        return self.output.hear_stale(chunk)

    def heard_stderr(self, chunk: bytes, now_ns: int) -> bool:
        self.fast_path = None
        self._backlog = self._backlog or len(chunk) == CHUNK
        if self._seat.stderr_log:
            self._seat.stderr_log(chunk)
        flood = self.output.hear_stderr(chunk)
        if flood and self.exchange is not None:
            self.exchange.fail(flood, now_ns)
        return flood is None

    def closed(self, now_ns: int) -> None:
        self.fast_path = None
        if self.exchange is not None:
            self.exchange.close(now_ns)

    def writable(self) -> None:
        self.fast_path = None
        self._backlog = True
        self._send()

    def exited(self, now_ns: int) -> None:
        self.fast_path = None
        process, exchange = self.process, self.exchange
        is_open = exchange is not None and not exchange.ended_ns
        if is_open:
            self._meter.look_before_reaping(now_ns)
        process.reap()
        if exchange is not None and is_open:
            exchange.exit(process.exit_code or 0, now_ns)
        self.has_exited = True

    def overslept(self, late_ns: int, asleep_ns: int, busy_ns: int) -> None:
        if self.exchange is not None and not self.exchange.ended_ns:
            self._meter.overslept(late_ns, asleep_ns=asleep_ns, busy_ns=busy_ns)

    def held_up(self, wait_ns: int) -> None:
        self._meter.held_up(wait_ns)

    # -- the end

    def end_input(self, text: str) -> None:
        """Send the process its last input and end of file, as far as its pipe takes it."""
        self.exchange, self.fast_path = None, None
        if text:
            self._poller.write(self.process, self._unsent + text.encode(), self)
        self._poller.stop_writing(self.process)
        self.process.close_stdin()

    def kill(self) -> None:
        """Kill the process with everything it started."""
        self.exchange, self.fast_path = None, None
        self._poller.forget(self.process)
        self.process.kill()
