"""One question to one agent: a state machine without I/O.

It has no file descriptors and reads no clock, so every dialogue can be tested without a process. The conversation feeds it
bytes, end of file and exit, each with its time, and the seat asks after every batch of events whether the question is
settled. The question owns its :class:`TimeLimit`, and that the readings.
"""

from __future__ import annotations

import signal
from typing import Literal

import msgspec

from arbiter.agents.ask.time_limit import TimeLimit
from arbiter.game import Fault, FaultKind
from arbiter.units import show_size

EXIT_GRACE_NS = 300_000_000
"""How long a process that closed its standard output may take to exit: the kernel closes the files of an exiting process
before it reports the exit, and the process may have to wait for a core in between."""
_SHOWN_BYTES = 200
"""Bytes of surplus output that a note may quote."""


class AnswerRules(msgspec.Struct, frozen=True):
    """What counts as an answer."""

    until: Literal["line", "exit"]
    """A long-lived agent answers with a line; one spawned for the move with everything it prints until it exits."""
    output_bytes: int
    strict_exit: bool = True
    """Whether an exit status other than 0 voids the answer."""


class Question:
    """What an agent has printed in reply to one question, and the ruling on it."""

    __slots__ = (
        "_closed_ns",
        "_exit_code",
        "_exited_ns",
        "_line_end",
        "_line_ns",
        "_rules",
        "ended_ns",
        "fault",
        "limit",
        "said",
        "settled",
    )

    def __init__(self, rules: AnswerRules, limit: TimeLimit) -> None:
        self._rules, self.limit = rules, limit
        self.said = b""
        self.fault: Fault | None = None
        self.ended_ns = 0
        """When the question was answered or failed; 0 while it is open."""
        self.settled = False
        """Whether the ruling is final; a ruling on an answer after the limit may have to wait for kernel readings."""
        self._line_end = -1
        self._line_ns = 0
        """When the end of the line arrived, which is when the question was answered; rulings on it come later."""
        self._closed_ns = 0
        self._exit_code: int | None = None
        self._exited_ns = 0

    # -- events

    def hear(self, chunk: bytes, now_ns: int) -> None:
        """Take bytes from standard output."""
        if self.ended_ns or self._is_late(now_ns):
            return
        if self._rules.until == "line" and self._line_end < 0:
            found = chunk.find(b"\n")
            if found >= 0:
                self._line_end, self._line_ns = len(self.said) + found, now_ns
        self.said = self.said + chunk if self.said else chunk

    def close(self, now_ns: int) -> None:
        """Take end of file on standard output."""
        if not (self._closed_ns or self.ended_ns or self._is_late(now_ns)):
            self._closed_ns = now_ns

    def exit(self, code: int, now_ns: int) -> None:
        """Take the exit of the process, after all of its output. Reaping it may have taken some time since
        ``now_ns``."""
        self._exit_code, self._exited_ns = code, now_ns

    def fail(self, fault: Fault, now_ns: int) -> None:
        """Take a fault found elsewhere, such as too much memory."""
        if not self.ended_ns:
            self._end(now_ns, fault)

    # -- rulings

    def settle(self, now_ns: int) -> bool:
        """Rule on all events so far. Once this returns True, the ruling is final."""
        if not self.settled:
            if not self.ended_ns:
                self._find_end(now_ns)
            if self.ended_ns:
                self.settled = self._confirm(now_ns)
        return self.settled

    def _find_end(self, now_ns: int) -> None:
        rules = self._rules
        if 0 <= self._line_end <= rules.output_bytes:
            self._end(self._line_ns)
        elif len(self.said) > rules.output_bytes:
            most = show_size(rules.output_bytes)
            self._end(now_ns, Fault(FaultKind.FLOODED, f"printed more than {most} in one turn"))
        elif self._exit_code is not None:
            if not self._is_late(self._exited_ns):
                self._end(self._exited_ns, self._fault_of_exit(self._exit_code))
        elif self._closed_ns and now_ns >= min(self._closed_ns + EXIT_GRACE_NS, self.limit.deadline_ns):
            if self._answered:
                # It may go on working, so it is charged until it is killed, but it has answered in time.
                self._end(max(self._closed_ns, min(now_ns, self.limit.deadline_ns)))
            else:
                self._end(now_ns, Fault(FaultKind.CLOSED, "closed its standard output without answering"))
        else:
            self._is_late(now_ns)

    def _is_late(self, now_ns: int) -> bool:
        if not self.limit.is_over(now_ns):
            return False
        self._end(now_ns, self._late())
        return True

    def _late(self) -> Fault:
        unfinished = self._rules.until == "line" and self._line_end < 0
        return self.limit.fault(len(self.said) if unfinished else 0)

    def _fault_of_exit(self, code: int) -> Fault | None:
        if code and (self._rules.strict_exit or not self._answered):
            return Fault(FaultKind.CRASHED, describe_exit(code))
        if not self._answered:
            return Fault(FaultKind.SILENT, f"{describe_exit(code)} without answering")
        return None

    def _end(self, now_ns: int, fault: Fault | None = None) -> None:
        self.ended_ns, self.fault = now_ns, fault

    def _confirm(self, now_ns: int) -> bool:
        if self.fault is not None:
            self.limit.close(self.ended_ns)
            return True
        in_time = self.limit.allows(self.ended_ns, now_ns)
        if in_time is False:
            self.fault = self._late()
        return in_time is not None

    # -- results

    @property
    def wake_ns(self) -> int:
        """When to rule again if no event arrives before."""
        if self.limit.rule_again_ns:
            return self.limit.rule_again_ns
        deadline_ns = self.limit.deadline_ns
        return min(self._closed_ns + EXIT_GRACE_NS, deadline_ns) if self._closed_ns else deadline_ns

    @property
    def wall_ns(self) -> int:
        """Time from the start of the question to its end."""
        return self.ended_ns - self.limit.start_ns

    @property
    def text(self) -> str:
        """The answer: a line without its newline, or everything that was printed."""
        said = self.said[: self._line_end] if self._line_end >= 0 else self.said
        return said[: self._rules.output_bytes].decode(errors="replace")

    @property
    def surplus(self) -> int:
        """The number of bytes after the answer line."""
        return len(self.said) - self._line_end - 1 if self._line_end >= 0 else 0

    @property
    def surplus_text(self) -> str:
        """The start of the output after the answer line."""
        return self.said[self._line_end + 1 :][:_SHOWN_BYTES].decode(errors="replace") if self._line_end >= 0 else ""

    @property
    def _answered(self) -> bool:
        return bool(self.text.strip())


def describe_exit(code: int) -> str:
    """Describe how a process ended: ``-11`` → ``killed by signal 11 (SIGSEGV)``, ``3`` → ``exited with status 3``."""
    if code >= 0:
        return f"exited with status {code}"
    named = -code in set(signal.Signals)  # real-time signals have no names
    return f"killed by signal {-code}{f' ({signal.Signals(-code).name})' if named else ''}"
