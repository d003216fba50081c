"""Standard error of agents: kibitz lines are kept, and the tail of everything.

Everything is bounded, so that a flood takes no memory: the length of a kept line, the lines kept per turn, the tail.
"""

from __future__ import annotations

PREFIX = b"kibitz "
_KIBITZ = b"\n" + PREFIX
LINE_BYTES = 4096
"""Length at which a kibitz line is cut, with a note."""
TURN_LINES = 200
"""Kibitz lines kept per turn."""
TAIL_BYTES = 4096


class StderrKeeper:
    """Collects the kibitz lines of a turn and the tail of everything, from chunks of bytes split anywhere."""

    __slots__ = ("_cut", "_lines", "_lost", "_partial", "_shortened", "_tail", "received")

    def __init__(self) -> None:
        self._partial = b""
        self._cut = False
        self._lines: list[str] = []
        self._lost = 0
        self._shortened = False
        self._tail = b""
        self.received = 0
        """Bytes received in this turn."""

    def feed(self, chunk: bytes) -> None:
        """Take more bytes."""
        self.received += len(chunk)
        self._tail = (self._tail + chunk)[-TAIL_BYTES:]
        first, newline, rest = chunk.partition(b"\n")
        if not newline:
            self._grow(first)
            return
        self._line(first)
        whole, newline, unfinished = rest.rpartition(b"\n")
        if newline:
            self._whole_lines(b"\n" + whole)
        self._grow(unfinished)

    def _whole_lines(self, text: bytes) -> None:
        """Take complete lines, each after its newline. Only kibitz lines are processed one by one: a flood of newlines
        must not delay the other agents."""
        start = text.find(_KIBITZ)
        while start >= 0 and len(self._lines) < TURN_LINES:
            line, _, _ = text[start + 1 : start + 2 + LINE_BYTES + len(PREFIX)].partition(b"\n")
            self._line(line)
            start = text.find(_KIBITZ, start + 1)
        if start >= 0:
            self._lost += text.count(_KIBITZ, start)

    def _line(self, line: bytes) -> None:
        self._grow(line)
        line, cut = self._partial, self._cut
        self._partial, self._cut = b"", False
        if line.startswith(PREFIX):
            if len(self._lines) < TURN_LINES:
                text = line[len(PREFIX) :].rstrip(b"\r").decode(errors="replace")
                self._lines.append(text + " […]" if cut else text)
                self._shortened = self._shortened or cut
            else:
                self._lost += 1

    def _grow(self, piece: bytes) -> None:
        room = LINE_BYTES + len(PREFIX) - len(self._partial)
        self._cut = self._cut or len(piece) > room
        self._partial += piece[:room]

    def finish(self) -> None:
        """Take the end of the stream: an unfinished last line counts as a line."""
        if self._partial:
            self._line(b"")

    def take(self, notes: list[str]) -> list[str]:
        """Return the kibitz lines since the last call, and append to ``notes`` what was cut or left out."""
        lines, self._lines = self._lines, []
        if self._shortened:
            notes.append(f"a kibitz longer than {LINE_BYTES} bytes was cut")
            self._shortened = False
        if self._lost:
            notes.append(f"{self._lost} kibitz lines beyond {TURN_LINES} in a turn were left out")
            self._lost = 0
        self.received = 0
        return lines

    def tail(self) -> str:
        """Return the tail of everything printed, kibitz or not."""
        return self._tail.decode(errors="replace")
