"""Drop parts of packed games: the archive is written again, read back and compared, and takes the place of the old one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.archive.query import Query
from arbiter.records.folder_lock import PARTIAL, sync
from arbiter.records.packed.archive import BROKEN, Archive
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import schema, writing
from arbiter.records.packed.search import matching_rows
from arbiter.records.pruning import Part, Pruned, pruned_record, without_log

_COLUMNS: dict[Part, tuple[str, ...]] = {
    "kibitz": ("kibitz",),
    "times": ("wall_us", "off_cpu_us", "waited_us", "extra_us"),
    "logs": ("stderr_log",),
}
Game = tuple[str, bytes, bytes | None, int]
"""The name, the record, the log and the moment it was modified."""


def preview(archive: Archive, query: Query, names: Sequence[str], parts: Collection[Part]) -> Pruned:
    """Estimate what dropping parts of the games that match would free: their share of the columns concerned."""
    rows = matching_rows(archive, query, names)
    done = Pruned(matching=len(rows), before=archive.path.stat().st_size if len(rows) else 0)
    for group in range(archive.groups):
        start, end = archive.bounds(group)
        own = rows[(rows >= start) & (rows < end)] - start
        if len(own):
            games, freed = _in_group(archive, group, pa.array(own), parts)
            done.games += games
            done.freed += freed
    return done


def _in_group(archive: Archive, group: int, own: pa.Array, parts: Collection[Part]) -> tuple[int, int]:
    sizes = archive.group_sizes(group)
    affected = np.zeros(len(own), np.bool_)
    freed = 0.0
    for part in parts:
        name = _COLUMNS[part][0]
        column = archive.table(group, [name]).column(name)
        weights = _weights(column)
        chosen = weights[own.to_numpy()]
        affected |= chosen > 0
        if total := weights.sum():
            freed += sum(sizes.get(each, 0) for each in _COLUMNS[part]) * float(chosen.sum() / total)
    return int(affected.sum()), round(freed)


def _weights(column: pa.ChunkedArray) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return for each game how much of a column is its own: bytes of a log, entries of a list that are not 0."""
    lists = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    if not pa.types.is_list(lists.type):
        found = pc.fill_null(pc.binary_length(lists), 0).to_numpy(zero_copy_only=False)
    else:
        rows, flat = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False), pc.list_flatten(lists)
        used = np.ones(len(flat), np.bool_) if pa.types.is_struct(flat.type) else flat.to_numpy() != 0
        found = np.bincount(rows[used], minlength=len(lists))
    weights: np.ndarray[tuple[int], np.dtype[np.int64]] = np.asarray(found, np.int64)
    return weights


def prune_archive(archive: Archive, query: Query, names: Sequence[str], parts: Collection[Part]) -> Pruned:
    """Drop parts of the packed games that match. Raises UserError and OSError; nothing is changed then."""
    rows = set(matching_rows(archive, query, names).tolist())
    done = Pruned(matching=len(rows))
    if not rows:
        return done
    partial = archive.path.with_name(f".{archive.path.name}{PARTIAL}")
    with pq.ParquetWriter(partial, schema(), **writing()) as writer:
        for group in range(archive.groups):
            packed = Rows()
            for name, data, log, modified in _group(archive, group, rows, parts, done):
                packed.add(name, data, modified, log)
            writer.write_table(packed.table())
    if not done.games:
        partial.unlink()
        return done
    partial.chmod(archive.path.stat().st_mode & 0o777)
    sync(partial)
    _compare(partial, archive, rows, parts)
    done.before = archive.path.stat().st_size
    done.freed = done.before - partial.stat().st_size
    partial.rename(archive.path)
    sync(archive.path.parent)
    return done


def _group(
    archive: Archive, group: int, rows: Collection[int], parts: Collection[Part], done: Pruned
) -> Iterator[Game]:
    """Yield the games of a row group as they should be."""
    table, start = archive.table(group), archive.bounds(group)[0]
    moments = table.column("modified").cast(pa.int64()).to_pylist()
    logs, names = table.column("stderr_log").to_pylist(), table.column("name").to_pylist()
    try:
        for row, (name, data, log, ms) in enumerate(zip(names, records(table), logs, moments, strict=True), start):
            if row not in rows:
                yield name, data, log, ms
                continue
            has_log = "logs" in parts and log is not None
            path = archive.path.parent / name
            try:
                new = pruned_record(path, data, parts)
                new = without_log(path, new or data) if has_log else new
            except UserError as error:
                done.kept.append(str(error))
                new, has_log = None, False
            done.games += new is not None
            yield name, data if new is None else new, None if has_log else log, ms
    except BROKEN as error:
        raise UserError(f"{archive.path}: part {group + 1} is damaged ({error}); nothing was dropped") from None


def _compare(partial: Path, archive: Archive, rows: Collection[int], parts: Collection[Part]) -> None:
    """Read the new archive back and compare every game with what it should be. Raises UserError."""
    written = Archive(partial)
    if written.groups != archive.groups:
        raise UserError(f"{archive.path}: cannot be written again; nothing was dropped")
    for group in range(archive.groups):
        wanted = list(_group(archive, group, rows, parts, Pruned()))
        if list(_group(written, group, (), parts, Pruned())) != wanted:
            raise UserError(f"{archive.path}: part {group + 1} cannot be read back; nothing was dropped")
