"""One question to one agent: a small state machine fed with what its pipes bring.

It holds no file descriptor and reads no clock, so every dialogue can be tested without a process. The table
feeds it bytes, end of file and exit, each with the time at which it came, and asks after every batch whether
that settles the question.
"""

from __future__ import annotations

import signal
from dataclasses import dataclass

from arbiter.game import Fault, FaultKind
from arbiter.units import show_duration, show_size

EXIT_GRACE_NS = 100_000_000
"""How long a process that closed its standard output may take to end: the kernel closes the files of a dying
process a moment before it reports the death."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a question."""

    until: str
    """A long-lived agent answers with a line; one spawned for the move with all it prints until it exits."""
    limit_ns: int
    output_bytes: int
    strict_exit: bool = True


class Exchange:
    """What has been said so far to one question, and what it comes to."""

    __slots__ = (
        "_closed_ns",
        "_end",
        "_exit_code",
        "_exited",
        "deadline_ns",
        "fault",
        "said",
        "settled_ns",
        "start_ns",
        "terms",
    )

    def __init__(self, terms: Terms, start_ns: int) -> None:
        self.terms = terms
        self.start_ns = start_ns
        self.deadline_ns = start_ns + terms.limit_ns
        self.said = b""
        self.fault: Fault | None = None
        self.settled_ns = 0
        """When the question was settled; 0 while it is open."""
        self._end = -1
        self._closed_ns = 0
        self._exited = False
        self._exit_code = 0

    def hear(self, chunk: bytes, now_ns: int) -> None:
        """Bytes on standard output. Those after the deadline do not count."""
        if self.settled_ns or now_ns > self.deadline_ns:
            return
        if self.terms.until == "line" and self._end < 0:
            found = chunk.find(b"\n")
            if found >= 0:
                self._end = len(self.said) + found
        self.said = self.said + chunk if self.said else chunk

    def extend(self, deadline_ns: int) -> None:
        """More time: less was charged than has passed."""
        self.deadline_ns = max(self.deadline_ns, deadline_ns)

    def close(self, now_ns: int) -> None:
        """End of file on standard output. After the deadline it does not count."""
        if not self._closed_ns and now_ns <= self.deadline_ns:
            self._closed_ns = now_ns

    def exit(self, code: int) -> None:
        """The process has ended, and all it printed has been heard."""
        self._exited, self._exit_code = True, code

    def settle(self, now_ns: int) -> bool:
        """Whether the question is settled at this time; if it is, :attr:`fault` and :attr:`text` hold."""
        if self.settled_ns:
            return True
        if self._end >= 0 and self._end <= self.terms.output_bytes:
            return self._done(now_ns)
        if len(self.said) > self.terms.output_bytes:
            most = show_size(self.terms.output_bytes)
            return self._fail(FaultKind.FLOODED, f"printed more than {most} in one turn", now_ns)
        if self._exited:
            return self._ended(now_ns)
        if self._closed_ns and now_ns >= min(self._closed_ns + EXIT_GRACE_NS, self.deadline_ns):
            if self.text.strip():
                return self._done(self._closed_ns)
            return self._fail(FaultKind.CLOSED, "closed its standard output without answering", now_ns)
        if now_ns >= self.deadline_ns:
            return self._late(now_ns)
        return False

    def _ended(self, now_ns: int) -> bool:
        code = self._exit_code
        answered = bool(self.text.strip())
        if now_ns > self.deadline_ns:
            return self._late(now_ns)
        if code and not (answered and not self.terms.strict_exit):
            return self._fail(FaultKind.CRASHED, describe_exit(code), now_ns)
        if not answered:
            return self._fail(FaultKind.SILENT, f"{describe_exit(code)} without answering", now_ns)
        return self._done(now_ns)

    def _late(self, now_ns: int) -> bool:
        detail = f"no answer within {show_duration(self.terms.limit_ns)}"
        if self.terms.until == "line" and self.said and self._end < 0:
            detail += f" ({len(self.said)} bytes came, but no end of line)"
        return self._fail(FaultKind.LATE, detail, now_ns)

    def _done(self, now_ns: int) -> bool:
        self.settled_ns = now_ns
        return True

    def _fail(self, kind: FaultKind, detail: str, now_ns: int) -> bool:
        self.fault = Fault(kind, detail)
        return self._done(now_ns)

    def fail(self, kind: FaultKind, detail: str, now_ns: int) -> None:
        """Settle it with a fault found elsewhere, such as a limit that the table watches."""
        if not self.settled_ns:
            self._fail(kind, detail, now_ns)

    def overrule(self) -> None:
        """The answer came in time for the wall, as it was extended, but it was charged too much."""
        self._late(self.settled_ns)

    @property
    def wake_ns(self) -> int:
        """When to look again if nothing comes."""
        if self._closed_ns:
            return min(self._closed_ns + EXIT_GRACE_NS, self.deadline_ns)
        return self.deadline_ns

    @property
    def text(self) -> str:
        """The answer: a line without its newline, or all that was said."""
        said = self.said[: self._end] if self._end >= 0 else self.said
        return said[: self.terms.output_bytes].decode(errors="replace")

    @property
    def surplus(self) -> int:
        """Bytes after the line that is the answer."""
        return len(self.said) - self._end - 1 if self._end >= 0 else 0


def describe_exit(code: int) -> str:
    """``-11`` → ``killed by signal 11 (SIGSEGV)``, ``3`` → ``exited with code 3``."""
    if code >= 0:
        return f"exited with code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = "unknown"
    return f"killed by signal {-code} ({name})"
