"""What agents print on standard error, in a compressed file beside the record of their game.

The record itself keeps kibitz lines and the tail before a fault, and limits both. The log is not part of the game: replays,
digests and standings do not use it. Each line of the file is a :class:`StderrLine` in JSON.
"""

from __future__ import annotations

import contextlib
import io
import os
import zlib
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from arbiter.errors import UserError, unknown
from arbiter.records import at_rest
from arbiter.records.reader import record_bytes

if TYPE_CHECKING:
    import gzip

LogMode = Literal["tail", "all", "faults", "none"]
MODES: tuple[LogMode, ...] = ("tail", "all", "faults", "none")
SUFFIX = ".stderr.gz"
TAIL_BYTES = 64 << 10
"""How much is kept of each agent per game, unless all is kept."""
MOST_BYTES = 256 << 20
"""The most that is kept of each agent per game, so that no agent can fill the disk."""
_MOST_READ = 1 << 30
"""The most that is decompressed, all lines together: the file may be untrusted."""
LONGEST_TEXT = 16 << 20
"""The most bytes in one line of the file; more output in a turn is divided into several lines."""
_LONGEST_LINE = 8 * LONGEST_TEXT
"""The most that is read of one line, in which most characters may be escaped."""


class StderrLine(msgspec.Struct, omit_defaults=True, kw_only=True):
    """What one agent printed up to its answer in a turn."""

    seat: int
    turn: int
    """0 for what came after its last answer."""
    text: str
    cut: bool = False
    """Whether something before this text was left out."""


def parse_mode(text: str) -> LogMode:
    """Return what to keep. Raises UserError."""
    found = next((mode for mode in MODES if mode == text), None)
    if found is None:
        raise unknown("log", text, MODES)
    return found


def log_path(record: Path) -> Path:
    """Return where the log of a game is."""
    return record.with_suffix(SUFFIX)


class StderrLog:
    """Keeps the standard error of the agents of one game. Use as a context manager: the file is complete on leaving."""

    def __init__(self, record: Path, seats: int, mode: LogMode) -> None:
        self._path, self._mode = log_path(record), mode
        self._seats = [_SeatLog(seat, MOST_BYTES if mode == "all" else TAIL_BYTES) for seat in range(seats)]
        self._file: io.BufferedWriter | None = None
        self._out: gzip.GzipFile | None = None
        self._faulted = False

    def feed(self, seat: int, chunk: bytes) -> None:
        """Take what an agent printed."""
        self._seats[seat].feed(chunk)

    def end_turn(self, seat: int, turn: int, *, fault: bool) -> None:
        """Tie what an agent printed since its last answer to this turn."""
        self._faulted = self._faulted or fault
        log = self._seats[seat]
        if log.pending:
            log.end_turn(turn)
            if self._mode == "all":
                self._write(log.take())

    def __enter__(self) -> StderrLog:
        return self

    def __exit__(self, *_: object) -> None:
        for log in self._seats:
            log.end_turn(0)
        if self._mode != "faults" or self._faulted:
            lines = [line for log in self._seats for line in log.take()]
            # In the order of turns; what came after the last answer is last.
            self._write(sorted(lines, key=lambda line: (not line.turn, line.turn, line.seat)))
        self._close()

    def _write(self, lines: list[StderrLine]) -> None:
        if not lines:
            return
        try:
            if self._out is None:
                self._open()
            if self._out is not None:
                self._out.write(msgspec.json.Encoder().encode_lines(lines))
        except OSError as error:
            raise UserError(f"cannot write {self._path}: {error.strerror}") from None

    def _open(self) -> None:
        import gzip  # only once an agent has printed something

        # An existing log is from an earlier attempt at this game. Never follow a link that another user planted.
        self._path.unlink(missing_ok=True)
        handle = os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        self._file = os.fdopen(handle, "wb")
        self._out = gzip.GzipFile(filename="", mode="wb", compresslevel=1, fileobj=self._file, mtime=0)

    def _close(self) -> None:
        if self._out is None or self._file is None:
            return
        try:
            self._out.close()
            with contextlib.suppress(OSError):  # a file system without modes
                mask = os.umask(0o077)
                os.umask(mask)
                os.fchmod(self._file.fileno(), 0o644 & ~mask)  # until the game has ended, only its owner can read it
            self._file.close()
        except OSError as error:
            raise UserError(f"cannot write {self._path}: {error.strerror}") from None


class _SeatLog:
    """The part of an agent's standard error that is kept in memory."""

    def __init__(self, seat: int, most: int) -> None:
        self._seat, self._most, self._left = seat, most, MOST_BYTES
        self.pending = bytearray()
        self._cut = False
        self._lines: deque[tuple[int, bytes, bool]] = deque()
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        if self._most > TAIL_BYTES:  # all is kept, up to what may be written in a game
            chunk, rest = chunk[: self._left], chunk[self._left :]
            self._left -= len(chunk)
            self.pending += chunk
            self._cut = self._cut or bool(rest)
            return
        self.pending += chunk
        if len(self.pending) > self._most:
            del self.pending[: -self._most]
            self._cut = True

    def end_turn(self, turn: int) -> None:
        if not self.pending:
            return
        self._lines.append((turn, bytes(self.pending), self._cut))
        self._size += len(self.pending)
        self.pending, self._cut = bytearray(), False
        while self._size > self._most:
            first, text, _ = self._lines.popleft()
            self._size -= len(text)
            if keep := max(0, self._most - self._size):
                self._lines.appendleft((first, text[-keep:], True))
                self._size += keep
                break
            if self._lines:
                following, text, _ = self._lines.popleft()
                self._lines.appendleft((following, text, True))

    def take(self) -> list[StderrLine]:
        lines = [
            StderrLine(
                seat=self._seat,
                turn=turn,
                text=text[start : start + LONGEST_TEXT].decode(errors="replace"),
                cut=cut and not start,
            )
            for turn, text, cut in self._lines
            for start in range(0, len(text), LONGEST_TEXT)
        ]
        self._lines.clear()
        self._size = 0
        return lines


def read_stderr_log(record: Path) -> Iterator[StderrLine]:
    """Yield the log of a game; nothing if there is none. Raises UserError if it cannot be read.

    The log of an interrupted game is read up to where it ends.
    """
    import gzip

    path = log_path(record)
    decode = msgspec.json.Decoder(StderrLine).decode
    left = _MOST_READ
    if not at_rest.log_exists(path):
        return
    data = record_bytes(path)
    try:
        with gzip.open(io.BytesIO(data)) as file:
            while line := file.readline(min(left, _LONGEST_LINE)):
                left -= len(line)
                yield decode(line)
    except EOFError:
        return
    except (OSError, zlib.error, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a log of standard error ({getattr(error, 'strerror', None) or error})") from None
