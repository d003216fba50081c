"""Search packed games: conditions are evaluated on whole columns, so an archive needs no index besides itself.

Only the columns that a query is about are read; names and facts are read for the games that are listed.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import pyarrow as pa

from arbiter.records.archive.game_summary import GameSummary, between, summarise_record
from arbiter.records.archive.query import Query
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.arrays import Numbers
from arbiter.records.packed.column_file import Place
from arbiter.records.packed.conditions import UNKNOWN, conditions, numbers
from arbiter.records.packed.kibitz import games_with
from arbiter.records.packed.values import moment_text
from arbiter.records.reader import load_record


@dataclass(frozen=True, slots=True)
class Hit:
    """A game that matches."""

    key: int
    """The value that games are sorted by, in microseconds or turns; :data:`UNKNOWN` if it is not known."""
    digest: str
    """Empty unless duplicates are searched for."""
    path: Callable[[], str]
    game: Callable[[], GameSummary]


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
            digest = f"sha256:{digests[row].hex()}" if digests is not None and digests[row] else ""
            found.append(
                Hit(key, digest, functools.partial(_path, archive, place), functools.partial(_game, archive, place))
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
    columns = {column for needed, _ in tests for column in needed} | set(_SORTED_BY[query.sort])
    table = archive.columns(sorted(columns))
    mask = np.ones(table.num_rows, np.bool_)
    mask[_hidden(archive, names)] = False
    with archive.fitting():
        for _, test in tests:
            mask &= test(table)
            if not mask.any():
                break
        if query.kibitz is not None:
            mask &= games_with(archive, query, mask)
        rows = np.flatnonzero(mask)
        return rows, _keys(table, query)[rows]


_SORTED_BY = {"date": ["started"], "length": ["turns"], "duration": ["started", "ended"]}


def _keys(table: pa.Table, query: Query) -> Numbers:
    columns = [numbers(table.column(name)) for name in _SORTED_BY[query.sort]]
    unknown = np.logical_or.reduce([column == UNKNOWN for column in columns])
    if query.sort == "length":
        return columns[0]
    key = (columns[1] - columns[0] if query.sort == "duration" else columns[0]) * 1000
    return np.where(unknown | ((key < 0) & (query.sort == "duration")), UNKNOWN, key)


def _path(archive: Archive, place: Place) -> str:
    return os.path.join(archive.path.parent, archive.name(place))  # noqa: PTH118 - may be a million


def _game(archive: Archive, place: Place) -> GameSummary:
    """Return the summary of a packed game, from its columns or, if these are not sufficient, from its record."""
    with archive.fitting():
        return _summary(archive, place)


def _summary(archive: Archive, place: Place) -> GameSummary:
    facts, path = archive.facts(place), _path(archive, place)
    exact = facts["header"] or ""
    known = None not in (facts["seed"], facts["digest"], facts["ended"], *(facts["ranks"] or [None]))
    if not known or '"started":\1' not in exact:
        return msgspec.structs.replace(summarise_record(load_record(Path(path))), record=path)
    faults: list[dict[str, int]] = [{} for _ in facts["agents"]]
    for fault in facts["faults"]:
        kinds = faults[fault["seat"]]
        kinds[fault["kind"]] = kinds.get(fault["kind"], 0) + 1
    started, ended = moment_text(facts["started"])[1:-1], moment_text(facts["ended"])[1:-1]
    values = {
        "record": path, "finished": True, "duration_us": between(started, ended), "seats": facts["agents"], "faults": faults,
        "started": started, "ended": ended, "digest": f"sha256:{facts['digest'].hex()}",
        **{name: facts[name] for name in _AS_THEY_ARE},
    }  # fmt: skip
    try:
        found = msgspec.convert(values, GameSummary)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    if not len(found.seats) == len(found.ranks) == len(found.scores):
        raise ValueError("ranks or scores for another number of agents")
    return found


_AS_THEY_ARE = ("protocol", "seed", "contest", "stage", "turns", "ranks", "scores", "reason")
