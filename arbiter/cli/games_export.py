"""``arbiter games --format`` and ``--sql``: the list of games, or the answer to a SELECT statement, for other programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from arbiter.cli import common
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.output_files import write_whole
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.exports.table import safe_cell
from arbiter.records.summary import GameSummary
from arbiter.registry import find_protocol
from arbiter.seat_names import SeatNames
from arbiter.text import format_table, safe

_WIDEST_CELL = 60


def print_answer(
    folder: Path, statement: str, file_format: str, output: Path | None, damaged: list[UnreadableArchive]
) -> None:
    """Print the answer to a SELECT statement, or write it to a file. Raises UserError.

    Archives that cannot be opened are left out, and added to ``damaged``.
    """
    at_rest.check_archive_libraries(what="--sql", also="duckdb")
    _check_output(file_format, output)
    from arbiter.records.packed.sql import ask

    answer = ask(folder, statement, damaged)
    if file_format == "parquet":
        _write(_parquet(answer), output)
        return
    try:
        names, rows = answer.column_names, answer.to_pylist()
    except OverflowError:  # an archive may state any time
        raise UserError("--sql: a time outside of the years 1 to 9999; cast it: SELECT started::VARCHAR") from None
    if file_format == "json":
        _write(_json([_plain(row) for row in rows]), output)
    elif file_format == "csv":
        _write(_csv(names, rows), output)
    else:
        cells = [[safe(str(_plain(value)), _WIDEST_CELL) for value in row.values()] for row in rows]
        _write((format_table(cells, [safe(name, _WIDEST_CELL) for name in names]) + "\n").encode(), output)


def print_games(
    games: Sequence[GameSummary], document: Callable[[], object], file_format: str, output: Path | None
) -> None:
    """Print a list of games, or write it to a file; ``document`` returns what ``--json`` prints. Raises UserError."""
    _check_output(file_format, output)
    if file_format == "json":
        _write(_json(document()), output)
        return
    if file_format == "csv":
        rows = [msgspec.to_builtins(game) for game in games]
        readable = [row | {"reason": _reason(game)} for row, game in zip(rows, games, strict=True)]
        _write(_csv(list(GameSummary.__struct_fields__), readable), output)
        return
    at_rest.check_archive_libraries(what="--format parquet")
    _write(_parquet(_table(games)), output)


def _reason(game: GameSummary) -> str:
    """Return why a game ended, with the names of agents in place of seats if its protocol is known here."""
    try:
        return SeatNames(find_protocol(game.protocol, Workspace()), game.seats).in_words(game.reason)
    except UserError:
        return game.reason


def _table(games: Sequence[GameSummary]) -> Any:
    """Return games as a table with the columns of an archive. Raises UserError."""
    import pyarrow as pa

    from arbiter.records.packed.columns import FACTS, facts

    rows = list(map(facts, games))
    names = [os.fsencode(game.record).decode(errors="backslashreplace") for game in games]
    try:
        columns = {name: pa.array([row[name] for row in rows], fact.kind) for name, fact in FACTS.items()}
    except OverflowError:
        raise UserError("--format parquet: a number in one of these games is out of range") from None
    return pa.table({"record": names, "finished": [game.finished for game in games], **columns})


def _check_output(file_format: str, output: Path | None) -> None:
    if file_format == "parquet" and output is None and sys.stdout.isatty():
        raise UserError("--format parquet is not for a terminal; give --output FILE")


def _write(data: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    write_whole(output, data)
    click.echo(f"written  {common.display_path(output)}", err=True)


def _parquet(table: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _json(document: object) -> bytes:
    return f"{common.json_text(document)}\n".encode()


def _csv(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as CSV; a cell that is a list or an object is JSON, and none is a formula."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(_plain(row[name])) for name in names])
    return os.fsencode(text.getvalue())  # names of files need not be UTF-8


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return msgspec.json.encode(value).decode()
    return safe_cell(value) if isinstance(value, str) else value


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: bytes in hexadecimal, moments as text."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
