"""Read saved games, finished or cut off."""

from __future__ import annotations

import errno
import fcntl
import io
import os
import stat
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import msgspec

from arbiter.config.workspace import bundled
from arbiter.errors import UserError, not_a_file
from arbiter.game import Json
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.format import FORMAT, AnnulledLine, AnswerLine, GameDigest, Header, ResultLine, decode_line
from arbiter.records.writer import SUFFIX
from arbiter.units import show_size

NOT_A_LINE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are not a line of a record: bad JSON, bad UTF-8, too deep nesting."""


class Record(msgspec.Struct, frozen=True):
    """A saved game in memory."""

    path: Path
    header: Header
    answers: tuple[AnswerLine, ...]
    result: ResultLine | None
    """None for a game that was cut off."""
    torn: bool
    """Whether the last line is incomplete: the arbiter was stopped while writing it."""
    annulled: AnnulledLine | None = None
    """The annulment, if the organiser has annulled the game."""

    def turns(self) -> Iterator[tuple[int, list[AnswerLine]]]:
        """Yield each turn with its answers, in order."""
        for turn, lines in groupby(self.answers, lambda line: line.turn):
            yield turn, list(lines)

    @property
    def names(self) -> list[str]:
        """The names of the agents, by seat."""
        return [seat.name for seat in self.header.seats]

    @property
    def seed(self) -> int | None:
        """The seed of all random outcomes; None while it is secret, which it is until the game has ended."""
        if not self.header.commitment:
            return self.header.seed
        return self.result.deal_seed if self.result else None

    def digest(self) -> GameDigest:
        """Return the digest over the header and all answers."""
        digest = GameDigest(self.header)
        digest.add(self.answers)
        return digest

    def is_unchanged(self, digest: GameDigest | None = None) -> bool:
        """Whether the record of a finished game has the digest that was written at the end of the game."""
        if self.result is None:
            return False
        found = (digest or self.digest()).close(self.result.ranks, self.result.scores, self.result.deal_seed)
        return found == self.result.digest


MOST_BYTES = 1 << 28
"""The largest file that is read: far more than any record, but a file with a hole can be of any size."""


def read_file(path: Path) -> bytes:
    """Read a regular file. Raises UserError for anything else: a FIFO could block, and a device might never end."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):
                raise not_a_file(path, status.st_mode)
            check_size(path, status.st_size)
            with open(file, "rb", closefd=False) as opened:
                return opened.read()
        finally:
            os.close(file)
    except OSError as error:
        if error.errno == errno.ENXIO:  # the only file that cannot be opened for reading in this way
            raise not_a_file(path, stat.S_IFSOCK) from None
        raise UserError(f"{path}: {error.strerror}") from None
    except ValueError as error:  # a null character in the path
        raise UserError(f"{str(path)!r}: {error}") from None


def check_size(path: Path, size: int) -> None:
    """Raise UserError for a file that is too large to be a saved game."""
    if size > MOST_BYTES:
        raise UserError(
            f"{path}: {show_size(size)} is too large for a saved game; at most {show_size(MOST_BYTES)} are read"
        )


def record_bytes(path: Path) -> bytes:
    """Read a saved game, or the log beside it, by its path: a file, or packed in an archive of its folder. Raises UserError."""
    try:
        return read_file(path)
    except UserError as error:
        if not isinstance(error.__context__, FileNotFoundError) or (packed := at_rest.read(path)) is None:
            raise
        return packed


def load_record(path: Path) -> Record:
    """Read a record, as a file or packed. Raises UserError if it is not one."""
    return check_record(path, record_bytes(path))


def check_record(path: Path, data: bytes) -> Record:
    """Return the record with these contents. Raises UserError if they are not one."""
    decoded = []
    torn = False
    for number, line in enumerate(io.BytesIO(data), 1):
        if torn := not line.endswith(b"\n"):
            break
        try:
            decoded.append(decode_line(line))
        except NOT_A_LINE as error:
            raise UserError(f"{path}, line {number}: not a line of a saved game ({error})") from None
    header = decoded[0] if decoded else None
    if not isinstance(header, Header):
        raise UserError(f"{path} is not a saved game: it does not begin with a header")
    check_record_format(path, header)
    annulled = decoded.pop() if isinstance(decoded[-1], AnnulledLine) else None
    result = decoded[-1] if isinstance(decoded[-1], ResultLine) else None
    middle = decoded[1:-1] if result else decoded[1:]
    answers = tuple(line for line in middle if isinstance(line, AnswerLine))
    if len(answers) != len(middle):
        raise UserError(f"{path}: unexpected header or result line between the answers")
    record = Record(path, header, answers, result, torn, annulled if isinstance(annulled, AnnulledLine) else None)
    _check_seats(record)
    return record


def is_being_written(path: Path) -> bool:
    """Return whether an arbiter is playing this game now: it holds a lock on the record while it writes it."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # removed meanwhile, or a file system without locks
        return False
    return False


def _check_seats(record: Record) -> None:
    """Raise UserError unless every seat number is valid, so that callers can index by seat."""
    seats, result = len(record.header.seats), record.result
    named = [line.seat for line in record.answers] + list(result.afterwards if result else ())
    invalid = [seat for seat in named if not 0 <= seat < seats]
    if invalid:
        raise UserError(f"{record.path}: invalid seat {invalid[0]}: the header has {seats} seats")
    if result and not len(result.ranks) == len(result.scores) == seats:
        raise UserError(f"{record.path}: the result must have ranks and scores for {seats} seats")


def load_header(path: Path) -> Header:
    """Read the header of a record, or of a file with just a header. Raises UserError."""
    data = record_bytes(path)
    try:
        header = decode_line(data.partition(b"\n")[0])
    except NOT_A_LINE:
        try:
            header = decode_line(data)
        except NOT_A_LINE as error:
            raise UserError(f"{path} does not contain the header of a saved game ({error})") from None
    if not isinstance(header, Header):
        raise UserError(f"{path} does not begin with the header of a saved game")
    check_record_format(path, header)
    return header


def load_header_or_setup(path: Path) -> Header | Json:
    """Read the header of a record, or plain data from a file with just a setup. Raises UserError."""
    try:
        data = msgspec.json.decode(record_bytes(path))
    except (RecursionError, msgspec.DecodeError):
        return load_header(path)
    return data if isinstance(data, dict) and "type" not in data else load_header(path)


def check_record_format(path: Path, header: Header) -> None:
    """Raise UserError for a record that a newer arbiter has written."""
    if header.format > FORMAT:
        raise UserError(
            f"{path} has format {header.format}; this arbiter reads formats up to {FORMAT}: update the arbiter"
        )


def find_records(paths: Iterable[Path], damaged: list[UnreadableArchive] | None = None) -> list[Path]:
    """Return the given records and those in the given folders, in order. Raises UserError.

    A path that does not exist is looked up among the bundled games, so ``matches/samples`` works in any folder. Archives in
    these folders that cannot be read are added to ``damaged``; without it, raises UnreadableArchive.
    """
    found: list[Path] = []
    for named in paths:
        try:
            path = named if at_rest.exists(named) else bundled() / named
            if path.is_dir():
                packed = {
                    inner
                    for folder in {each.parent for each in path.rglob(at_rest.PATTERN)}
                    for inner in at_rest.paths(folder, damaged)
                }
                found += sorted(packed.union(inner for inner in path.rglob(f"*{SUFFIX}") if inner.is_file()))
            elif at_rest.exists(path):
                found.append(path)
            else:
                raise UserError(f"no such saved game {str(named)!r}")
        except OSError as error:
            raise UserError(f"{named}: {error.strerror}") from None
    return found
