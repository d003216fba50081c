"""Packed games for statistics: whole row groups at a time, and only the columns that are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arbiter.records.archive.query import Query
from arbiter.records.at_rest import UnreadableArchive, passing_over
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.arrays import Numbers, elements
from arbiter.records.packed.schema import TIMES
from arbiter.records.packed.search import matching_rows
from arbiter.records.packed.times import usual_charge
from arbiter.records.packed.values import LARGEST, moment_text
from arbiter.records.stats.counted_game import STEPS_PER_DOUBLING, Batch, CountedGame, Times

_FACTS = ("name", "protocol", "seed", "started", "agents", "fingerprints", "ranks", "scores", "turns", "annulled")
_COLUMNS = (
    *(*_FACTS, "turn", "seat", "move", *TIMES),
    *("faults.list.element.seat", "faults.list.element.kind"),
)
_COMPLETE = ("agents", "fingerprints", "scores")
_BY_SEAT = (*_COMPLETE, "ranks")
"""Lists with an entry for each agent; all but the ranks are complete."""
_STEPS = 1024
"""More than the number of steps that the time scale has for 64 bits."""


def packed_batches(
    archive: Archive, query: Query, names: Sequence[str], opening: int, damaged: list[UnreadableArchive] | None = None
) -> Iterator[Batch]:
    """Yield the games of an archive that match, except those that also exist as files.

    What cannot be read is added to ``damaged``; without it, raises UnreadableArchive.
    """
    rows = np.zeros(0, np.int64)
    with passing_over(damaged):
        rows = matching_rows(archive, query, names)
    for group in range(archive.groups):
        start, end = archive.bounds(group)
        own = rows[(rows >= start) & (rows < end)] - start
        if not len(own):
            continue
        batch = Batch([])
        with passing_over(damaged), archive.fitting():
            table = archive.table(group, _COLUMNS)
            chosen = table if len(own) == len(table) else table.take(pa.array(own))
            batch = _batch(archive.path.parent, chosen, query.agents, opening)
        yield batch


def _batch(folder: Path, table: pa.Table, agents: Collection[str], opening: int) -> Batch:
    before = str(folder / "x")[:-1]  # a path each would take longer than the rest
    valid = pc.is_null(table.column("annulled"))
    kept = table.filter(valid).combine_chunks()
    _check(kept)
    facts = {name: _plain(kept.column(name)) for name in _FACTS if name != "annulled"}
    rows, turns = _flat(kept, "turn")
    openings = _openings(kept, rows, turns, opening)
    faults: list[list[tuple[int, str]]] = [[] for _ in range(kept.num_rows)]
    fault_rows, found = elements(kept.column("faults"))
    kinds = zip(found.field("seat").to_pylist(), found.field("kind").to_pylist(), strict=True)
    for row, (seat, kind) in zip(fault_rows.tolist(), kinds, strict=True):
        if kind is None or not 0 <= seat < len(facts["agents"][row]):
            raise ValueError("a fault of an agent that did not play")
        faults[row].append((seat, kind))
    games = [
        CountedGame(
            before + name, protocol, seed or 0, None if started is None else started * 1000, names, prints, _ranks(ranks), scores, length,
            tuple(moves), own,
        )
        for (name, protocol, seed, started, names, prints, ranks, scores, length), moves, own in zip(
            zip(*facts.values(), strict=True), openings, faults, strict=True
        )
    ]  # fmt: skip
    return Batch(games, _times(kept, games, rows, turns, agents), table.num_rows - kept.num_rows)


def _check(table: pa.Table) -> None:
    """Raise ValueError for games without a fact that is counted, or with another number of ranks or scores than of agents."""
    for name in ("name", "protocol", "turns", *_BY_SEAT, "move", "faults"):
        column = table.column(name)
        if column.null_count or (name in (*_COMPLETE, "move") and elements(column)[1].null_count):
            raise ValueError(f"a game without its {name}")
        if name in _BY_SEAT and pc.list_value_length(column) != pc.list_value_length(table.column("agents")):
            raise ValueError(f"{name} for another number of agents")
    for moment in pc.min_max(table.column("started").cast(pa.int64())).as_py().values():
        if moment is not None:
            moment_text(moment)


def _ranks(ranks: list[int | None]) -> list[int]:
    """Return the ranks of a game; one that does not fit its column counts as the last."""
    return [LARGEST if rank is None else rank for rank in ranks]


def _plain(column: pa.ChunkedArray) -> list[Any]:
    return list((column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist())


def _flat(table: pa.Table, name: str) -> tuple[Numbers, Numbers]:
    rows, values = elements(table.column(name))
    if values.null_count:
        raise ValueError(f"an answer without its {name}")
    return rows, values.to_numpy(zero_copy_only=False).astype(np.int64)


def _openings(table: pa.Table, rows: Numbers, turns: Numbers, opening: int) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in range(table.num_rows)]
    first = turns <= opening
    moves = elements(table.column("move"))[1].filter(pa.array(first)).to_pylist()
    for row, move in zip(rows[first].tolist(), moves, strict=True):
        found[row].append(move)
    return found


def _times(
    table: pa.Table, games: Sequence[CountedGame], rows: Numbers, turns: Numbers, agents: Collection[str]
) -> Times:
    if not games:
        return {}
    cpu, waited, idle, extra = (_flat(table, name)[1] for name in TIMES)
    charged = usual_charge(cpu, waited, idle) + extra
    steps = (STEPS_PER_DOUBLING * np.log2(np.clip(charged, 0, None) + 1)).astype(np.int64)
    tables = sorted({game.table for game in games})
    number = np.array([tables.index(game.table) for game in games], np.int64)
    mask = cpu + waited + idle != 0  # not known: pruned, or imported
    if agents:
        seats = _flat(table, "seat")[1]
        most = max((len(game.agents) for game in games), default=0)
        own = np.array([[name in agents for name in game.agents] + [False] * (most - len(game.agents)) for game in games])  # fmt: skip
        mask &= own[rows, seats]
    rows, turns, steps = rows[mask], turns[mask], steps[mask]
    if not len(rows):
        return {}
    keys, counts = np.unique((number[rows] << 42) + turns * _STEPS + steps, return_counts=True)
    found: Times = {each: Counter() for each in tables}
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        found[tables[key >> 42]][divmod(key & ((1 << 42) - 1), _STEPS)] += count
    return found
