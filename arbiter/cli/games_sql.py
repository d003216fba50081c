"""``arbiter games --sql``: the answer to a SELECT statement, as a table or in a format of the field."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import click

from arbiter.cli import common
from arbiter.errors import UserError
from arbiter.records import at_rest

_WIDEST_CELL = 60


def print_answer(folder: Path, statement: str, file_format: str, output: Path | None) -> None:
    """Print the answer, or write it to a file. Raises UserError."""
    at_rest.check_installed()
    if importlib.util.find_spec("duckdb") is None:
        raise UserError("--sql needs duckdb: pip install duckdb")
    from arbiter.records.packed.sql import ask

    if file_format == "parquet" and output is None and sys.stdout.isatty():
        raise UserError("--format parquet is not for a terminal; give --output FILE")
    data = _encoded(ask(folder, statement), file_format)
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise UserError(f"cannot write {output}: {error.strerror}") from None
    click.echo(f"written  {common.display_path(output)}", err=True)


def _encoded(answer: Any, file_format: str) -> bytes:
    if file_format == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        sink = pa.BufferOutputStream()
        pq.write_table(answer, sink, compression="zstd")
        return bytes(sink.getvalue())
    rows = answer.to_pylist()
    if file_format == "json":
        import msgspec

        return msgspec.json.format(msgspec.json.encode([_plain(row) for row in rows]), indent=2) + b"\n"
    if file_format == "csv":
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(answer.column_names)
        writer.writerows(list(_plain(row).values()) for row in rows)
        return text.getvalue().encode()
    cells = [[common.safe(str(_plain(value)), _WIDEST_CELL) for value in row.values()] for row in rows]
    return (common.table(cells, [common.safe(name, _WIDEST_CELL) for name in answer.column_names]) + "\n").encode()


def _plain(value: Any) -> Any:
    """Return a value as JSON can hold it: bytes in hexadecimal, moments as text."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.hex()
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
