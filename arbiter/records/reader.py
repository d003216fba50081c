"""Reading saved games back, finished or cut off."""

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
"""What decoding raises for bytes that are no line of a record: wrong data, wrong letters, brackets without end."""


@dataclass(frozen=True, slots=True)
class Record:
    """A saved game in memory."""

    path: Path
    header: Header
    answers: tuple[AnswerLine, ...]
    result: ResultLine | None
    """None for a game that was cut off."""
    torn: bool
    """The last line is incomplete: the arbiter was stopped while it wrote."""
    annulled: AnnulledLine | None = None
    """That the organiser has annulled it, and why."""

    def turns(self) -> Iterator[tuple[int, list[AnswerLine]]]:
        """Answers by turn, in order."""
        for turn, lines in groupby(self.answers, lambda line: line.turn):
            yield turn, list(lines)

    @property
    def names(self) -> list[str]:
        """Who sat where."""
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
    _check_format(path, header)
    annulled = decoded.pop() if isinstance(decoded[-1], AnnulledLine) else None
    result = decoded[-1] if isinstance(decoded[-1], ResultLine) else None
    middle = decoded[1:-1] if result else decoded[1:]
    answers = tuple(line for line in middle if isinstance(line, AnswerLine))
    if len(answers) != len(middle):
        raise UserError(f"{path}: a header or a result stands in the middle")
    record = Record(path, header, answers, result, torn, annulled if isinstance(annulled, AnnulledLine) else None)
    _check_seats(record)
    return record


def _check_seats(record: Record) -> None:
    """Whoever reads on may take every seat for one of the table."""
    seats, result = len(record.header.seats), record.result
    named = [line.seat for line in record.answers] + list(result.afterwards if result else ())
    strangers = [seat for seat in named if not 0 <= seat < seats]
    if strangers:
        raise UserError(f"{record.path}: it speaks of seat {strangers[0]}, but its header has {seats} seats")
    if result and not len(result.ranks) == len(result.scores) == seats:
        raise UserError(f"{record.path}: its result is not one of {seats} seats")


def load_header(path: Path) -> Header:
    """The header of a record, or of a file that holds just that."""
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
            raise UserError(f"{path} holds no header of a saved game ({error})") from None
    if not isinstance(header, Header):
        raise UserError(f"{path} does not begin with the header of a saved game")
    _check_format(path, header)
    return header


def load_header_or_setup(path: Path) -> Header | Json:
    """The header of a record, or the plain data of a file that holds a setup and nothing else."""
    try:
        data = msgspec.json.decode(path.read_bytes())
    except (OSError, RecursionError, msgspec.DecodeError):
        return load_header(path)
    return data if isinstance(data, dict) and "type" not in data else load_header(path)


def _check_format(path: Path, header: Header) -> None:
    if header.format > FORMAT:
        raise UserError(f"{path} has format {header.format}; this arbiter reads up to {FORMAT}: update it")


def find(paths: Iterable[Path]) -> list[Path]:
    """The records named, and those in the folders named, in order. What is not here is looked for among the saved
    games that come with the arbiter, so that ``matches/samples`` is there in any folder."""
    found: list[Path] = []
    for named in paths:
        try:
            path = named if named.exists() else bundled() / named
            if path.is_dir():
                found += sorted(inner for inner in path.rglob(f"*{SUFFIX}") if inner.is_file())
            elif path.exists():
                found.append(path)
            else:
                raise UserError(f"there is no saved game {str(named)!r}")
        except OSError as error:
            raise UserError(f"{named}: {error.strerror}") from None
    return found
