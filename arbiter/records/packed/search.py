"""Search packed games: conditions are evaluated on whole columns, so an archive needs no index besides itself.

Only the columns that a query is about are read; facts for the list are read for the games that are listed.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.archive.kibitz import fold
from arbiter.records.archive.query import ANY_FAULT, Query
from arbiter.records.archive.saved_game import SavedGame, between, summarise
from arbiter.records.packed.archive import Archive, Place
from arbiter.records.packed.values import LARGEST, moment_text
from arbiter.records.reader import load
from arbiter.scoring import SeatResult

Mask = npt.NDArray[np.bool_]
UNKNOWN = -(1 << 63)
"""Sorts like a value that is not known."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A game that matches."""

    key: int
    """What games are sorted by, in microseconds or turns; :data:`UNKNOWN` if it is not known."""
    path: str
    digest: str
    game: Callable[[], SavedGame]


def search_packed(
    archives: Sequence[Archive], query: Query, files: Mapping[Path, Sequence[str]]
) -> tuple[list[Hit], int]:
    """Return the first games that match, in no order, and the number of all that match.

    ``files`` has the names of the records that are files, by folder: these hide packed games of the same name.
    """
    found: list[Hit] = []
    total = 0
    for archive in archives if query.finished is not False else ():
        rows, keys = _matches(archive, query, files.get(archive.path.parent, ()))
        total += len(rows)
        if query.limit is not None and not query.duplicates and len(rows) > query.limit:
            rank = np.where(keys == UNKNOWN, np.inf, keys if query.reverse else -keys)
            worst = np.partition(rank, query.limit - 1)[query.limit - 1] if query.limit else -np.inf
            rows, keys = rows[rank <= worst], keys[rank <= worst]
        digests = archive.digests() if query.duplicates else None
        for row, key in zip(rows.tolist(), keys.tolist(), strict=True):
            place = archive.place(row)
            path = os.path.join(archive.path.parent, archive.name(place))  # noqa: PTH118 - may be a million
            digest = f"sha256:{digests[row].hex()}" if digests is not None and digests[row] else ""
            found.append(Hit(key, path, digest, functools.partial(_game, archive, place, path)))
    return found, total


def packed_count(archives: Sequence[Archive], files: Mapping[Path, Sequence[str]]) -> int:
    """Return the number of packed games that are not files as well."""
    return sum(len(archive) - len(_hidden(archive, files.get(archive.path.parent, ()))) for archive in archives)


def _hidden(archive: Archive, names: Sequence[str]) -> list[int]:
    return [archive.row(place) for name in names if (place := archive.find(name)) is not None]


def _matches(
    archive: Archive, query: Query, names: Sequence[str]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rows of an archive that match, and what each is sorted by."""
    tests = list(_tests(query))
    columns = {column for needed, _ in tests for column in needed} | set(_SORTED_BY[query.sort])
    table = archive.columns(sorted(columns))
    mask = np.ones(table.num_rows, np.bool_)
    mask[_hidden(archive, names)] = False
    for _, test in tests:
        mask &= test(table)
        if not mask.any():
            break
    if query.kibitz is not None:
        mask &= _said_anywhere(archive, query, mask)
    rows = np.flatnonzero(mask)
    return rows, _keys(table, query)[rows]


_SORTED_BY = {"date": ["started"], "length": ["turns"], "duration": ["started", "ended"]}


def _keys(table: pa.Table, query: Query) -> npt.NDArray[np.int64]:
    columns = [_numbers(table.column(name)) for name in _SORTED_BY[query.sort]]
    unknown = np.logical_or.reduce([column == UNKNOWN for column in columns])
    if query.sort == "length":
        return columns[0]
    key = (columns[1] - columns[0] if query.sort == "duration" else columns[0]) * 1000
    return np.where(unknown | ((key < 0) & (query.sort == "duration")), UNKNOWN, key)


def _numbers(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    found: npt.NDArray[np.int64] = column.cast(pa.int64()).fill_null(UNKNOWN).to_numpy()
    return found


Test = Callable[[pa.Table], Mask]


def _tests(query: Query) -> Iterator[tuple[list[str], Test]]:
    for name in query.agents:
        yield ["agents"], functools.partial(_played, name)
    for ending, names in ((SeatResult.WON, query.won), (SeatResult.DREW, query.drew), (SeatResult.LOST, query.lost)):
        for name in names:
            yield ["agents", "ranks"], functools.partial(_ended, name, ending)
    for column, value in (("protocol", query.protocol), ("contest", query.contest), ("stage", query.stage)):
        if value is not None:
            yield [column], functools.partial(_equal, column, value)
    if query.seed is not None:
        yield ["seed"] if abs(query.seed) < LARGEST else ["header"], lambda table: _seed(table, query.seed or 0)
    if query.since_us is not None or query.until_us is not None:
        yield ["started"], lambda table: _between_times(table, query)
    if query.faults:
        yield ["agents", "faults.list.element.kind", "faults.list.element.seat"], lambda table: _faulted(table, query)


def _equal(column: str, value: str, table: pa.Table) -> Mask:
    return _bool(pc.equal(table.column(column), value))


def _bool(found: pa.ChunkedArray) -> Mask:
    mask: Mask = found.fill_null(False).to_numpy().astype(np.bool_)
    return mask


def _seed(table: pa.Table, seed: int) -> Mask:
    if abs(seed) < LARGEST:
        return _bool(pc.equal(table.column("seed"), pa.scalar(seed, pa.int64())))
    return _bool(pc.match_substring(table.column("header"), f'"seed":{seed},'))


def _between_times(table: pa.Table, query: Query) -> Mask:
    started = _numbers(table.column("started")) * 1000
    known = _numbers(table.column("started")) != UNKNOWN
    since = query.since_us if query.since_us is not None else UNKNOWN
    until = query.until_us if query.until_us is not None else (1 << 63) - 1
    mask: Mask = known & (started >= since) & (started <= until)
    return mask


def _flat(column: pa.ChunkedArray) -> tuple[npt.NDArray[np.int64], pa.Array]:
    """Return the row of every element of a list column, and the elements."""
    lists = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    return pc.list_parent_indices(lists).to_numpy().astype(np.int64), pc.list_flatten(lists)


def _rows(rows: npt.NDArray[np.int64], wanted: Mask, length: int) -> Mask:
    mask = np.zeros(length, np.bool_)
    mask[rows[wanted]] = True
    return mask


def _played(name: str, table: pa.Table) -> Mask:
    rows, names = _flat(table.column("agents"))
    return _rows(rows, pc.equal(names, name).fill_null(False).to_numpy(zero_copy_only=False), table.num_rows)


def _ended(name: str, ending: SeatResult, table: pa.Table) -> Mask:
    rows, flat = _flat(table.column("ranks"))
    first = pc.equal(flat, 1).fill_null(False).to_numpy(zero_copy_only=False)
    shared = np.bincount(rows[first], minlength=table.num_rows)[rows]
    ended = {SeatResult.WON: first & (shared == 1), SeatResult.DREW: first & (shared > 1), SeatResult.LOST: ~first}
    _, names = _flat(table.column("agents"))
    named = pc.equal(names, name).fill_null(False).to_numpy(zero_copy_only=False)
    return _rows(rows, named & ended[ending], table.num_rows)


def _faulted(table: pa.Table, query: Query) -> Mask:
    rows, flat = _flat(table.column("faults"))
    kinds = flat.field("kind")
    wanted = np.ones(len(flat), np.bool_)
    if ANY_FAULT not in query.faults:
        wanted = pc.is_in(kinds, pa.array(query.faults, pa.string())).to_numpy(zero_copy_only=False)
    if query.agents:
        starts = table.column("agents").combine_chunks().offsets.to_numpy() if len(table) else np.zeros(1, np.int64)
        _, names = _flat(table.column("agents"))
        own = pc.is_in(names, pa.array(query.agents, pa.string())).to_numpy(zero_copy_only=False)
        wanted = wanted & own[(starts[rows] - starts[0]) + flat.field("seat").to_numpy(zero_copy_only=False)]
    return _rows(rows, wanted, table.num_rows)


def _said_anywhere(archive: Archive, query: Query, mask: Mask) -> Mask:
    """Look at kibitz one row group at a time, which bounds the memory it takes, where any game is left."""
    found = np.zeros(len(mask), np.bool_)
    for group in range(archive.groups):
        start, end = archive.bounds(group)
        if mask[start:end].any():
            found[start:end] = _said(archive, group, query, mask[start:end])
    return found


def _said(archive: Archive, group: int, query: Query, mask: Mask) -> Mask:
    """Return which games have kibitz with the text, by one of the agents if the query names any."""
    table = archive.table(group, ["kibitz"] + (["agents", "seat"] if query.agents else []))
    rows, flat = _flat(table.column("kibitz"))
    wanted = fold(query.kibitz or "")
    texts = flat.field("text")
    if wanted.isascii() and _is_ascii(texts):  # folding is lower case then
        lowered = pc.replace_substring(pc.ascii_lower(texts), "\n", " ")
        found = pc.match_substring(lowered, wanted).fill_null(False).to_numpy(zero_copy_only=False)
    else:
        candidates = mask[rows]
        found = np.array([on and wanted in fold(text) for on, text in zip(candidates, texts.to_pylist(), strict=True)], np.bool_)  # fmt: skip
    if query.agents and found.any():
        found = found & _by_agents(table, rows, flat.field("at").to_numpy(), query)
    return _rows(rows, found, table.num_rows)


def _is_ascii(texts: pa.StringArray) -> bool:
    data = texts.buffers()[2]
    return data is None or not (np.frombuffer(data, np.uint8) & 0x80).any()


def _by_agents(table: pa.Table, rows: npt.NDArray[np.int64], at: npt.NDArray[np.int64], query: Query) -> Mask:
    """Return which entries are of an agent in the query; positions after the last answer stand for seats."""
    seats, names = table.column("seat").to_pylist(), table.column("agents").to_pylist()
    return np.array(
        [
            names[row][seats[row][position] if position < len(seats[row]) else position - len(seats[row])]
            in query.agents
            for row, position in zip(rows.tolist(), at.tolist(), strict=True)
        ],
        np.bool_,
    )


def _game(archive: Archive, place: Place, path: str) -> SavedGame:
    """Return the summary of a packed game, from its columns or, where these cannot tell all, from its record."""
    facts = archive.facts(place)
    exact = facts["header"] or ""
    if None in (facts["seed"], facts["digest"]) or '"started":\1' not in exact or facts["ended"] is None:
        return msgspec.structs.replace(summarise(load(Path(path))), record=path)
    faults: list[dict[str, int]] = [{} for _ in facts["agents"]]
    for fault in facts["faults"]:
        kinds = faults[fault["seat"]]
        kinds[fault["kind"]] = kinds.get(fault["kind"], 0) + 1
    started, ended = moment_text(facts["started"])[1:-1], moment_text(facts["ended"])[1:-1]
    return SavedGame(
        record=path, finished=True, duration_us=between(started, ended), seats=facts["agents"], faults=faults,
        started=started, ended=ended, digest=f"sha256:{facts['digest'].hex()}",
        **{name: facts[name] for name in _AS_THEY_ARE},
    )  # fmt: skip


_AS_THEY_ARE = ("protocol", "seed", "contest", "stage", "turns", "ranks", "scores", "reason")
