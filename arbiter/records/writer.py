"""Writing a saved game as it goes: every line is in the file before the next turn begins."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.records.format import AnswerLine, Digest, Header, Line, ResultLine

SUFFIX = ".jsonl"


def now() -> str:
    """The time of day as records have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_path(folder: Path, header: Header) -> Path:
    """A name that sorts by time and says who played: ``20261116-091500-splendor-greedy-random-1.jsonl``."""
    when = re.sub(r"\D", "", header.started)[:14]
    players = "-".join(re.sub(r"[^\w.]+", "_", seat.name)[:20] for seat in header.seats)
    stem = f"{when[:8]}-{when[8:]}-{header.protocol}-{players}"
    number = header.game
    while (path := folder / f"{stem}-{number}{SUFFIX}").exists():
        number += 1
    return path


class RecordWriter:
    """One record being written. Use as a context manager."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._encode = msgspec.json.Encoder().encode
        self._digest = Digest(header)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Never through a link somebody planted, never over an older game.
            self._fd = os.open(
                path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
            )
        except OSError as error:
            raise UserError(f"cannot save games in {path.parent}: {error.strerror}") from None
        self._write(header)

    def answer(self, line: AnswerLine) -> None:
        """One answer."""
        self._digest.add(line)
        self._write(line)

    def finish(self, result: ResultLine) -> str:
        """The result; returns the digest that was put into it."""
        result.digest = self._digest.close(result.ranks, result.scores)
        self._write(result)
        return result.digest

    def _write(self, line: Line) -> None:
        data = self._encode(line) + b"\n"
        try:
            written = os.write(self._fd, data)
            while written != len(data):
                written += os.write(self._fd, data[written:])
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}") from None

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._fd)
