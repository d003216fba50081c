"""Drop parts of packed games: the archive is rewritten, read back and compared, and then replaces the old one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.output_files import PARTIAL
from arbiter.records.packed import columns
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.columns import PackedGame
from arbiter.records.packed.packing import put_in_place
from arbiter.records.packed.search import matching_rows
from arbiter.records.pruning import Part, Pruned, pruned_record, without_logs
from arbiter.records.reader import check_record
from arbiter.records.search.query import Query


def prune_archive(
    archive: Archive, query: Query, names: Sequence[str], parts: Collection[Part], *, really: bool
) -> Pruned:
    """Drop parts of the packed games that match, or find out what that would free. Raises UserError and OSError; nothing is
    changed then."""
    rows = set(matching_rows(archive, query, names).tolist())
    done = Pruned(matching=len(rows))
    if not rows:
        return done
    partial = archive.path.with_name(f".{archive.path.name}{PARTIAL}")
    counted = pa.MockOutputStream()  # counts bytes and writes nothing
    with pq.ParquetWriter(partial if really else counted, columns.schema(), **columns.writing()) as writer:
        for group in range(archive.groups):
            games = _wanted(archive, group, rows, parts, done)
            found = [columns.row(game, check_record(archive.path.parent / game.name, game.record)) for game in games]
            writer.write_table(columns.table(found))
    if done.games:
        done.before = archive.path.stat().st_size
        done.freed = done.before - (partial.stat().st_size if really else counted.size())
    if really and done.games:
        mode = archive.path.stat().st_mode & 0o777
        put_in_place(partial, archive.path, mode, lambda written: _is_same(written, archive, rows, parts))
    elif really:
        partial.unlink()
    return done


def _wanted(
    archive: Archive, group: int, rows: Collection[int], parts: Collection[Part], done: Pruned
) -> Iterator[PackedGame]:
    """Yield the games of a row group as they should be. Raises UserError."""
    for row, game in enumerate(archive.games(group), archive.bounds(group)[0]):
        if row not in rows:
            yield game
            continue
        path, drop_logs = archive.path.parent / game.name, "logs" in parts and bool(game.logs)
        try:
            new = pruned_record(path, game.record, parts)
            new = without_logs(path, new or game.record) if drop_logs else new
        except UserError as error:
            done.kept.append(str(error))
            new, drop_logs = None, False
        done.games += new is not None
        yield replace(game, record=new or game.record, logs={} if drop_logs else game.logs)


def _is_same(written: Archive, archive: Archive, rows: Collection[int], parts: Collection[Part]) -> bool:
    """Return whether every game of a new archive is as it should be."""
    return written.groups == archive.groups and all(
        list(written.games(group)) == list(_wanted(archive, group, rows, parts, Pruned()))
        for group in range(archive.groups)
    )
