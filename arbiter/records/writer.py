"""Writing a saved game as it goes. Turns that follow each other within milliseconds are written together; before anybody
is waited for, everything is in the file."""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic_ns

import msgspec

from arbiter.errors import UserError
from arbiter.records.format import AnswerLine, Digest, Header, Line, ResultLine

SUFFIX = ".jsonl"
_LINGER_NS = 5_000_000
"""How long lines of quick turns may be held back."""
_NAMES_BYTES = 180
"""Of all players together in a file's name: file systems take 255 for the whole of it."""


def now() -> str:
    """The time of day as records have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_path(folder: Path, header: Header) -> Path:
    """A name that sorts by time and says who played: ``20261116-091500-splendor-greedy-random-1.jsonl``."""
    when = re.sub(r"\D", "", header.started)[:14]
    most = _NAMES_BYTES // len(header.seats)
    players = "-".join(_short(re.sub(r"[^\w.]+", "_", seat.name)[:20], most) for seat in header.seats)
    stem = f"{when[:8]}-{when[8:]}-{header.protocol}-{players}"
    number = header.game
    while os.path.lexists(path := folder / f"{stem}-{number}{SUFFIX}"):
        number += 1
    return path


def _short(name: str, most: int) -> str:
    return name.encode()[:most].decode(errors="ignore")


class Taken(UserError):
    """Somebody else has begun to write a record of this name."""


def new_record(folder: Path, header: Header) -> RecordWriter:
    """A record under a name of its own, also when others begin theirs in the same folder at the same moment."""
    while True:
        with contextlib.suppress(Taken):
            return RecordWriter(new_path(folder, header), header)


class RecordWriter:
    """One record being written. Use as a context manager."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder().encode
        self._digest = Digest(header)
        self._pending: list[bytes] = []
        """Lines that are not in the file yet."""
        self._flushed_ns = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Never through a link somebody planted, never over an older game.
            self._fd = os.open(
                path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
            )
        except FileExistsError as error:
            raise Taken(f"cannot save games in {path.parent}: {error.strerror}") from None
        except (OSError, ValueError) as error:  # no path holds a null character
            reason = getattr(error, "strerror", None) or error
            raise UserError(f"cannot save games in {path.parent}: {reason}") from None
        try:
            self._write(header)
            self.flush()
        except UserError:
            os.close(self._fd)
            path.unlink()  # what has no header is no record, and would only be complained about later
            raise

    def answer(self, line: AnswerLine) -> None:
        """One answer."""
        self._digest.add(line)
        self._write(line)

    def finish(self, result: ResultLine) -> str:
        """The result; returns the digest that was put into it."""
        result.digest = self._digest.close(result.ranks, result.scores)
        self._write(result)
        self.flush()
        return result.digest

    def _write(self, line: Line) -> None:
        self._pending.append(self._encode(line))
        if monotonic_ns() - self._flushed_ns > _LINGER_NS:
            self.flush()

    def flush(self) -> None:
        """Put everything into the file."""
        if not self._pending:
            return
        self._pending.append(b"")
        data = b"\n".join(self._pending)
        self._pending.clear()
        self._flushed_ns = monotonic_ns()
        try:
            written = os.write(self._fd, data)
            while written != len(data):
                written += os.write(self._fd, data[written:])
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}") from None

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.flush()
        finally:
            os.close(self._fd)
