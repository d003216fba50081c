"""What agents say on standard error: kibitz lines are kept, the rest is remembered only as a tail.

Everything is bounded, so that a flood costs no memory: a kept line, the lines kept in a turn, the tail.
"""

from __future__ import annotations

PREFIX = b"kibitz "
_KIBITZ = b"\n" + PREFIX
LINE_BYTES = 4096
"""Longest kibitz kept; the rest of the line is cut off, with a note."""
TURN_LINES = 200
"""Most kibitz lines kept in one turn."""
TAIL_BYTES = 4096


class StderrKeeper:
    """Takes chunks of bytes as they come; gives the kibitz lines of a turn and the last of the rest."""

    __slots__ = ("_cut", "_lines", "_lost", "_partial", "_shortened", "_tail", "received")

    def __init__(self) -> None:
        self._partial = b""
        self._cut = False
        self._lines: list[str] = []
        self._lost = 0
        self._shortened = False
        self._tail = b""
        self.received = 0
        """Bytes in this turn."""

    def feed(self, chunk: bytes) -> None:
        """More bytes, split anywhere."""
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
        """Complete lines, each behind its newline. Only those that count are looked at one by one: who prints nothing
        but newlines would otherwise keep us from hearing the others."""
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
        """The agent is gone: an unfinished last line counts as a line."""
        if self._partial:
            self._line(b"")

    def take(self, notes: list[str]) -> list[str]:
        """The kibitz lines since the last call. What was cut or left out is added to ``notes``."""
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
        """The last of everything said, kibitz or not."""
        return self._tail.decode(errors="replace")
