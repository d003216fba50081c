"""Writing a saved game as it goes. Quick turns are written several at a time; before anybody is waited for, everything
is in the file."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.format import AnswerLine, Digest, Header, Line, ResultLine

SUFFIX = ".jsonl"
_BATCH = 64
"""Lines of quick turns that are held back at most."""
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
        self._encode_lines = msgspec.json.Encoder().encode_lines
        self._digest = Digest(header)
        self._pending: list[AnswerLine] = []
        """Lines that are not in the file yet."""
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
            self._write([header])
        except UserError:
            os.close(self._fd)
            path.unlink()  # what has no header is no record, and would only be complained about later
            raise

    def answer(self, line: AnswerLine) -> None:
        """One answer."""
        self._pending.append(line)
        if len(self._pending) >= _BATCH:
            self.flush()

    def finish(self, result: ResultLine) -> str:
        """The result; returns the digest that was put into it."""
        self.flush()
        result.digest = self._digest.close(result.ranks, result.scores)
        self._write([result])
        return result.digest

    def flush(self) -> None:
        """Put everything into the file."""
        if self._pending:
            lines, self._pending = self._pending, []
            self._digest.add(lines)
            self._write(lines)

    def _write(self, lines: Sequence[Line]) -> None:
        data = self._encode_lines(lines)
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
