"""Search packed games: conditions are evaluated on whole columns, so an archive needs no index besides itself.

Only the columns that a query is about are read; names and facts are read for the games that are listed.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.column_file import Numbers, Place, elements, whole
from arbiter.records.packed.conditions import Mask, conditions, flags, numbers
from arbiter.records.packed.read_ahead import read_ahead
from arbiter.records.search.kibitz import fold
from arbiter.records.search.query import UNKNOWN, Hit, Query


def search_packed(
    archives: Sequence[Archive], query: Query, files: Mapping[Path, Sequence[str]], damaged: list[UnreadableArchive]
) -> tuple[list[Hit], int]:
    """Return the first games that match, in no particular order, and the number of all that match.

    ``files`` has the names of the records that are files, by folder: these hide packed games of the same name. Archives that
    cannot be read as far as needed are passed over, and added to ``damaged``.
    """
    found: list[Hit] = []
    total = 0
    for archive in archives if query.finished is not False else ():
        try:
            rows, keys = _matches(archive, query, files.get(archive.path.parent, ()))
            digests = archive.digests() if query.duplicates else None
        except UnreadableArchive as error:
            damaged.append(error)
            continue
        total += len(rows)
        if query.limit is not None and not query.duplicates and len(rows) > query.limit:
            rows, keys = _first(rows, keys, query.limit, reverse=query.reverse)
        for row, key in zip(rows.tolist(), keys.tolist(), strict=True):
            place = archive.place(row)
            digest = digests[row] or "" if digests is not None else ""
            found.append(
                Hit(key, digest, functools.partial(_path, archive, place), functools.partial(archive.summary, place))
            )
    return found, total


def _first(rows: Numbers, keys: Numbers, limit: int, *, reverse: bool) -> tuple[Numbers, Numbers]:
    """Return the rows that come first in the order of a query. The rows of an archive are in the order of their names."""
    rank = np.where(keys == UNKNOWN, np.inf, keys if reverse else -keys)
    worst = np.partition(rank, limit - 1)[limit - 1] if limit else -np.inf
    rows, keys, rank = rows[rank <= worst], keys[rank <= worst], rank[rank <= worst]
    first = np.argsort(rank, kind="stable")[:limit]
    return rows[first], keys[first]


def packed_count(archives: Sequence[Archive], files: Mapping[Path, Sequence[str]]) -> int:
    """Return the number of packed games that are not files as well."""
    count = 0
    for archive in archives:
        count += len(archive)
        with contextlib.suppress(UnreadableArchive):
            count -= len(_hidden(archive, files.get(archive.path.parent, ())))
    return count


def matching_rows(archive: Archive, query: Query, names: Sequence[str]) -> Numbers:
    """Return the rows of an archive that match, except games that also exist as files, which have these ``names``."""
    return _matches(archive, query, names)[0]


def _hidden(archive: Archive, names: Sequence[str]) -> list[int]:
    return [archive.row(place) for name in names if (place := archive.find(name)) is not None]


def _matches(archive: Archive, query: Query, names: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Return the rows of an archive that match, and what each is sorted by."""
    tests = list(conditions(query))
    columns = {column for needed, _ in tests for column in needed} | {_SORTED_BY[query.sort]}
    table = archive.columns(sorted(columns))
    mask = np.ones(table.num_rows, np.bool_)
    mask[_hidden(archive, names)] = False
    with archive.fitting():
        for _, test in tests:
            mask &= test(table)
            if not mask.any():
                break
        if query.kibitz is not None:
            mask &= _spoken(archive, query, mask)
        rows = np.flatnonzero(mask)
        return rows, numbers(table.column(_SORTED_BY[query.sort]))[rows]


def _spoken(archive: Archive, query: Query, mask: Mask) -> Mask:
    """Return which of the games in the mask have kibitz with the text of the query, by one of its agents if it names any."""
    found = np.zeros(len(mask), np.bool_)
    needed = ["kibitz", "agents"] if query.agents else ["kibitz"]
    groups = [group for group in range(archive.groups) if mask[slice(*archive.bounds(group))].any()]
    for group, table in zip(groups, read_ahead(lambda group: archive.table(group, needed), groups), strict=True):
        rows, texts = elements(table.column("kibitz"))
        wanted = containing(texts, fold(query.kibitz or ""))
        if query.agents:
            wanted &= flags(pc.is_in(elements(table.column("agents"))[1], pa.array(query.agents)))[_seats(table, rows)]
        found[archive.bounds(group)[0] + rows[wanted]] = True
    return found & mask


def containing(texts: pa.StringArray, wanted: str) -> Mask:
    """Return which texts contain another. All are searched as one buffer, ten times as fast as pyarrow searches them."""
    found = np.zeros(len(texts), np.bool_)
    if not len(texts) or not wanted:
        return flags(texts.is_valid())
    _, offsets, data = texts.buffers()
    ends = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    together, sought, at = bytes(data or b""), wanted.encode(), int(ends[0])
    while (at := together.find(sought, at, int(ends[-1]))) >= 0:
        text = int(np.searchsorted(ends, at, "right")) - 1
        end = int(ends[text + 1])
        found[text] |= at + len(sought) <= end  # else it begins in one text and ends in the next
        at = end if found[text] else at + 1
    return found


def _seats(table: pa.Table, rows: Numbers) -> Numbers:
    """Return where the agents of the elements of ``kibitz`` are among all agents of a table: both are lists by seat."""
    firsts = {name: whole(table.column(name)).offsets.to_numpy().astype(np.int64) for name in ("agents", "kibitz")}
    agents, kibitz = firsts["agents"], firsts["kibitz"]
    found: Numbers = agents[rows] - agents[0] + np.arange(len(rows)) - (kibitz[rows] - kibitz[0])
    return found


_SORTED_BY = {"date": "started", "length": "turns", "duration": "duration_us"}


def _path(archive: Archive, place: Place) -> str:
    return os.path.join(archive.path.parent, archive.name(place))  # noqa: PTH118 - may be a million
