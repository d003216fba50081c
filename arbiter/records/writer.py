"""Write a record while its game is played.

Lines are buffered, so that fast turns are written several at a time. The caller flushes before it waits for an agent.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.output_files import make_writable
from arbiter.records.format import AnswerLine, GameDigest, Header, Line, ResultLine

SUFFIX = ".jsonl"
_BUFFERED_LINES = 64
_NAMES_BYTES = 180
"""The most bytes of all agent names together in a file name, which file systems limit to 255 bytes."""


def now() -> str:
    """Return the current time in UTC, in the format of records."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def new_path(folder: Path, header: Header) -> Path:
    """Return an unused path that sorts by time: ``20261116-091500-splendor-greedy-random-1.jsonl``."""
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


def make_games_folder(folder: Path) -> None:
    """Make the folder that games are saved in, if it does not exist. Raises UserError, also if it may not be written to."""
    try:
        make_writable(folder)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = "it is not a folder" if isinstance(error, FileExistsError) else getattr(error, "strerror", error)
        raise UserError(f"cannot save games in {folder}: {reason}; choose another folder with --save") from None


class RecordExists(UserError):
    """There is already a record at this path."""


def new_record(folder: Path, header: Header) -> RecordWriter:
    """Open a new record with a unique name, even if other arbiters do the same in this folder at the same time."""
    while True:
        with contextlib.suppress(RecordExists):
            return RecordWriter(new_path(folder, header), header)


class RecordWriter:
    """Writes one record. Use it as a context manager."""

    def __init__(self, path: Path, header: Header) -> None:
        self.path = path
        self._encode_lines = msgspec.json.Encoder().encode_lines
        self._digest = GameDigest(header)
        self._pending: list[AnswerLine] = []
        """The buffered lines."""
        make_games_folder(path.parent)
        try:
            # Never follow a symbolic link that another user planted, never overwrite a game.
            self._fd = os.open(
                path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
            )
        except FileExistsError as error:
            raise RecordExists(f"cannot save games in {path.parent}: {error.strerror}") from None
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            reason = getattr(error, "strerror", None) or error
            raise UserError(f"cannot save games in {path.parent}: {reason}") from None
        self._mode = os.fstat(self._fd).st_mode & 0o777
        with contextlib.suppress(OSError):  # a file system without modes
            # The header has the deal: until the game has ended, only the owner may read it.
            os.fchmod(self._fd, self._mode & 0o600)
        with contextlib.suppress(OSError):  # a file system without locks
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # means that the game is being played
        try:
            self._write([header])
        except UserError:
            os.close(self._fd)
            path.unlink()  # without a header it is not a record, and searches would report it as damaged
            raise

    def answer(self, line: AnswerLine) -> None:
        """Add one answer."""
        self._pending.append(line)
        if len(self._pending) >= _BUFFERED_LINES:
            self.flush()

    def finish(self, result: ResultLine) -> str:
        """Write the result with the digest of the game, and return the digest."""
        self.flush()
        result.digest = self._digest.close(result.ranks, result.scores, result.deal_seed)
        self._write([result])
        with contextlib.suppress(OSError):  # a file system without modes
            os.fchmod(self._fd, self._mode)
        return result.digest

    def moves_hash(self) -> str:
        """Return the hash of the moves of a finished game; see :meth:`GameDigest.moves_hash`."""
        return self._digest.moves_hash()

    def flush(self) -> None:
        """Write all buffered lines to the file."""
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
