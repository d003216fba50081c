"""SQL over saved games, packed or not, with DuckDB: read-only, in memory, and without access to any other file.

Values of records are data in columns and never become a part of a statement; the statement is the user's own.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.packed import columns
from arbiter.records.packed.bounded_memory import bounded_memory
from arbiter.records.packed.columns import PackedGame
from arbiter.records.reader import check_record, find_records, read_file
from arbiter.records.search.scan import scan

SETTINGS = {"memory_limit": "400MB", "temp_directory": ""}
"""Without a folder for what does not fit into memory: DuckDB would write it to the current one, until the disk is full."""

_VIEWS = """
CREATE VIEW lines AS
SELECT name, agents, unnest(from_json(
    '[' || array_to_string(string_split(rtrim(decode(record), chr(10)), chr(10)), ',') || ']',
    '[{"type": "VARCHAR", "turn": "BIGINT", "seat": "BIGINT", "move": "VARCHAR", "fault": {"kind": "VARCHAR"},
       "wall_us": "BIGINT", "cpu_us": "BIGINT", "charged_us": "BIGINT", "waited_us": "BIGINT", "kibitz": ["VARCHAR"],
       "afterwards": "MAP(BIGINT, VARCHAR[])"}]')) AS line FROM games;
CREATE VIEW answers AS
SELECT name, line.turn, line.seat, agents[line.seat + 1] AS agent, line.move, line.fault.kind AS fault, line.wall_us, line.cpu_us,
       line.charged_us, coalesce(line.waited_us, 0) AS waited_us
FROM lines WHERE line.type = 'answer';
CREATE VIEW kibitz_lines AS
SELECT name, turn, seat, agents[seat + 1] AS agent, unnest(kibitz) AS line
FROM (SELECT name, agents, line.turn, line.seat, line.kibitz FROM lines WHERE line.type = 'answer' UNION ALL
      SELECT name, agents, NULL, after.key, after.value
      FROM (SELECT name, agents, unnest(map_entries(line.afterwards)) AS after FROM lines WHERE line.type = 'result'));
CREATE VIEW seats AS
SELECT name, protocol, started, unnest(range(len(agents))) AS seat, unnest(agents) AS agent,
       unnest(fingerprints) AS fingerprint, unnest(ranks) AS rank, unnest(scores) AS score, unnest(answers) AS answers,
       unnest(think_us) AS think_us, unnest(slowest_us) AS slowest_us FROM games;
"""
"""Views that are easier to query than lists. Answers and lines of kibitz are read from the records themselves."""


@contextlib.contextmanager
def database(folder: Path, damaged: list[UnreadableArchive] | None = None) -> Iterator[Any]:
    """Open a database with the table ``games`` and views of it. Raises UserError.

    Archives that cannot be opened are added to ``damaged``; without it, raises UnreadableArchive.
    """
    found = scan(folder)
    archives = list(at_rest.readable((folder / os.fsdecode(path) for path in sorted(found.archives)), damaged))
    packed = [str(archive.path) for archive in archives]
    hidden = [
        [str(archive.path), path.name]
        for archive in archives
        for path in (folder / os.fsdecode(file) for file in found.files)
        if path.parent == archive.path.parent and archive.find(path.name) is not None
    ]
    with duckdb.connect(":memory:", config=SETTINGS) as db:
        db.register("loose_games", _loose(folder))
        db.execute("CREATE TEMP TABLE hidden_games (archive VARCHAR, name VARCHAR)")
        if hidden:
            db.executemany("INSERT INTO hidden_games VALUES (?, ?)", hidden)
        source = "SELECT * FROM loose_games"
        if packed:
            files = ", ".join("'" + path.replace("'", "''") + "'" for path in packed)
            source += (
                f" UNION ALL SELECT * EXCLUDE (filename) FROM read_parquet([{files}], filename = true) AS packed WHERE NOT "
                "EXISTS (FROM hidden_games WHERE archive = packed.filename AND hidden_games.name = packed.name)"
            )
        db.execute(f"CREATE VIEW games AS {source}")
        db.execute(_VIEWS)
        db.execute("SET allowed_paths = [{}]".format(", ".join("'" + path.replace("'", "''") + "'" for path in packed)))
        db.execute("SET python_enable_replacements = false")
        db.execute("SET enable_external_access = false")
        db.execute("SET lock_configuration = true")
        yield db


def _loose(folder: Path) -> Any:
    """Return the finished records that are files, as a table."""
    parts = [columns.table([])]
    for path in find_records([folder], []):
        with contextlib.suppress(UserError, OverflowError):
            if path.is_file() and (record := check_record(path, data := read_file(path))).result is not None:
                parts.append(columns.table([columns.row(PackedGame(path.name, data, {}, 0), record)]))
    return pa.concat_tables(parts)


def ask(folder: Path, statement: str, damaged: list[UnreadableArchive] | None = None) -> Any:
    """Return the answer to one SELECT statement as an Arrow table. Raises UserError.

    Archives that cannot be opened are added to ``damaged``; without it, raises UnreadableArchive.
    """
    # DuckDB's own limit does not count everything that it unpacks.
    with database(folder, damaged) as db, bounded_memory():
        try:
            statements = db.extract_statements(statement)
            if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
                raise UserError(
                    "--sql: give one SELECT statement about the table games, or its views answers, seats and kibitz_lines"
                )
            return db.sql(statement).to_arrow_table()
        except duckdb.Error as error:
            lines: Sequence[str] = str(error).splitlines()
            raise UserError(f"--sql: {lines[0] if lines else 'not understood'}") from None
        except MemoryError:
            raise UserError("--sql: the answer takes too much memory; ask for less of it") from None
