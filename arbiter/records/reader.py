"""Read saved games, finished or cut off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import msgspec

from arbiter.errors import UserError
from arbiter.game import Json
from arbiter.records.format import FORMAT, AnnulledLine, AnswerLine, Header, ResultLine, decode
from arbiter.records.writer import SUFFIX
from arbiter.workspace import bundled

NOT_A_LINE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises for bytes that are not a line of a record: bad JSON, bad UTF-8, too deep nesting."""


@dataclass(frozen=True, slots=True)
class Record:
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


def load(path: Path) -> Record:
    """Read a record. Raises UserError if the file is not one."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    lines = raw.split(b"\n")
    torn = bool(lines.pop())
    decoded = []
    for number, line in enumerate(lines, 1):
        try:
            decoded.append(decode(line))
        except NOT_A_LINE as error:
            raise UserError(f"{path}, line {number}: not a line of a saved game ({error})") from None
    header = decoded[0] if decoded else None
    if not isinstance(header, Header):
        raise UserError(f"{path} is not a saved game: it does not begin with a header")
    check_format(path, header)
    annulled = decoded.pop() if isinstance(decoded[-1], AnnulledLine) else None
    result = decoded[-1] if isinstance(decoded[-1], ResultLine) else None
    middle = decoded[1:-1] if result else decoded[1:]
    answers = tuple(line for line in middle if isinstance(line, AnswerLine))
    if len(answers) != len(middle):
        raise UserError(f"{path}: unexpected header or result line between the answers")
    record = Record(path, header, answers, result, torn, annulled if isinstance(annulled, AnnulledLine) else None)
    _check_seats(record)
    return record


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
    try:
        with path.open("rb") as file:
            line = file.readline()
        header = decode(line)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    except NOT_A_LINE:
        try:
            header = decode(path.read_bytes())
        except NOT_A_LINE as error:
            raise UserError(f"{path} does not contain the header of a saved game ({error})") from None
    if not isinstance(header, Header):
        raise UserError(f"{path} does not begin with the header of a saved game")
    check_format(path, header)
    return header


def load_header_or_setup(path: Path) -> Header | Json:
    """Read the header of a record, or plain data from a file with just a setup. Raises UserError."""
    try:
        data = msgspec.json.decode(path.read_bytes())
    except (OSError, RecursionError, msgspec.DecodeError):
        return load_header(path)
    return data if isinstance(data, dict) and "type" not in data else load_header(path)


def check_format(path: Path, header: Header) -> None:
    """Raise UserError for a record that a newer arbiter has written."""
    if header.format > FORMAT:
        raise UserError(
            f"{path} has format {header.format}; this arbiter reads formats up to {FORMAT}: update the arbiter"
        )


def find(paths: Iterable[Path]) -> list[Path]:
    """Return the given records and those in the given folders, in order. Raises UserError.

    A path that does not exist is looked up among the bundled games, so ``matches/samples`` works in any folder.
    """
    found: list[Path] = []
    for named in paths:
        try:
            path = named if named.exists() else bundled() / named
            if path.is_dir():
                found += sorted(inner for inner in path.rglob(f"*{SUFFIX}") if inner.is_file())
            elif path.exists():
                found.append(path)
            else:
                raise UserError(f"no such saved game {str(named)!r}")
        except OSError as error:
            raise UserError(f"{named}: {error.strerror}") from None
    return found
