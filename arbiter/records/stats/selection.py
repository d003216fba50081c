"""The games for statistics: those that match a query, as files and packed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.config.workspace import bundled
from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.at_rest import UnreadableArchive
from arbiter.records.reader import Record, check_record, load_record
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.records.search.scan import scan

if TYPE_CHECKING:
    from arbiter.records.packed.archive import Archive

OnProgress = Callable[[int, int], None]


def matching_records(
    folder: Path,
    query: Query,
    progress: OnProgress | None = None,
    damaged: list[UnreadableArchive] | None = None,
) -> Iterator[Record]:
    """Yield the finished games that match, one at a time, as files and packed. Raises UserError.

    Archives that cannot be read, and parts of them, are added to ``damaged``; without it, raises UnreadableArchive.
    """
    query = replace(query, finished=True)
    names = _file_names(folder)
    for archive in _archives(folder, damaged):
        from arbiter.records.packed.search import matching_rows

        rows: list[int] = []
        with at_rest.passing_over(damaged):
            rows = matching_rows(archive, query, names.get(archive.path.parent, ())).tolist()
        for place in map(archive.place, rows):
            record: Record | None = None
            with at_rest.passing_over(damaged):
                record = check_record(archive.path.parent / archive.name(place), archive.record(place))
            if record is not None:
                yield record
    yield from _loose_records(folder, query, progress)


def _archives(folder: Path, damaged: list[UnreadableArchive] | None) -> Iterator[Archive]:
    return at_rest.readable((folder / os.fsdecode(path) for path in sorted(scan(folder).archives)), damaged)


def _file_names(folder: Path) -> dict[Path, list[str]]:
    """Return the names of the records that are files, by folder: these hide packed games of the same name."""
    names: dict[Path, list[str]] = {}
    for path in scan(folder).files:
        file = folder / os.fsdecode(path)
        names.setdefault(file.parent, []).append(file.name)
    return names


def _loose_records(folder: Path, query: Query, progress: OnProgress | None = None) -> Iterator[Record]:
    """Yield the records that match and are files; those that are deleted meanwhile are passed over."""
    if not scan(folder).files:
        return
    bundled_games = folder.resolve().is_relative_to(bundled() / "matches" / "samples")
    for game in search(folder, query, keep=not bundled_games, progress=progress, packed=False).games:
        try:
            yield load_record(Path(game.record))
        except UserError:
            continue
