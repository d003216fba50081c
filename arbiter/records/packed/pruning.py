"""Drop parts of packed games: the archive is rewritten, read back and compared, and then replaces the old one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arbiter.errors import UserError
from arbiter.records.archive.query import Query
from arbiter.records.at_rest import LOGS, UnreadableArchive
from arbiter.records.folder_lock import PARTIAL, sync
from arbiter.records.packed.archive import Archive, PackedGame
from arbiter.records.packed.arrays import Numbers, elements, whole
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.schema import TIMES, schema, writing
from arbiter.records.packed.search import matching_rows
from arbiter.records.pruning import Part, Pruned, pruned_record, without_logs

_COLUMNS: dict[Part, tuple[tuple[str, ...], ...]] = {
    "kibitz": (("kibitz", "kibitz_at"),),
    "times": (TIMES,),
    "logs": tuple((name,) for name in LOGS),
}
"""The columns of each part, grouped: the share of a group that is freed is estimated from all its columns together."""


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
        for names in _COLUMNS[part]:
            table = archive.table(group, names)
            weights = sum(map(_weights, table.columns), np.zeros(len(table), np.int64))
            chosen = weights[own.to_numpy()]
            affected |= chosen > 0
            if total := weights.sum():
                freed += sum(sizes.get(each, 0) for each in names) * float(chosen.sum() / total)
    return int(affected.sum()), round(freed)


def _weights(column: pa.ChunkedArray) -> Numbers:
    """Return how much of a column belongs to each game: bytes of text or of a log, or entries of a list that are not 0."""
    if not pa.types.is_list(column.type):
        found = pc.fill_null(pc.binary_length(whole(column)), 0).to_numpy(zero_copy_only=False)
    else:
        rows, flat = elements(column)
        found = np.bincount(rows[flat.to_numpy(zero_copy_only=False) != 0], minlength=len(column))
    return np.asarray(found, np.int64)


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
            for game in _wanted(archive, group, rows, parts, done):
                packed.add(game.name, game.record, game.modified_ms, game.logs)
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


def _compare(partial: Path, archive: Archive, rows: Collection[int], parts: Collection[Part]) -> None:
    """Read the new archive back and compare every game with what it should be. Raises UserError."""
    try:
        written = Archive(partial)
        same = written.groups == archive.groups and all(
            list(written.games(group)) == list(_wanted(archive, group, rows, parts, Pruned()))
            for group in range(archive.groups)
        )
    except UnreadableArchive:
        same = False
    if not same:
        raise UserError(f"{archive.path}: cannot be read back after it was written again; nothing was dropped")
