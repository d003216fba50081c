"""Saved games of a folder, whether they are files or rows of an archive, so that other modules need not distinguish the two.

An archive is a Parquet file beside the records it was made from, and holds only finished records of that folder. A
file takes precedence over a packed game of the same name: packing and unpacking may be killed at any moment, which
leaves both.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.errors import UserError, not_installed
from arbiter.records.writer import SUFFIX

if TYPE_CHECKING:
    from arbiter.records.packed.archive import Archive
    from arbiter.records.packed.column_file import Place

PREFIX, ENDING = "archive-", ".parquet"
PATTERN = f"{PREFIX}*{ENDING}"
LOGS = {"stderr_log": ".stderr.gz", "referee_log": ".referee.json.gz"}
"""Logs beside a record, which are packed with it: the column of each, and how the names of its files end."""


RESTORE = "restore it from a backup, or move it out of its folder to go on without its games"


class UnreadableArchive(UserError):
    """An archive that cannot be read, or not as a whole."""

    path: Path


def unreadable(path: Path, problem: str, advice: str = RESTORE) -> UnreadableArchive:
    """Return the error for an archive with a problem, with what to do about it."""
    error = UnreadableArchive(f"{path}: {problem}" + (f"; {advice}" if advice else ""))
    error.path = path
    return error


@contextlib.contextmanager
def passing_over(damaged: list[UnreadableArchive] | None) -> Iterator[None]:
    """Add an UnreadableArchive that is raised in the block to ``damaged``, and leave the block; without it, raise it."""
    try:
        yield
    except UnreadableArchive as error:
        if damaged is None:
            raise
        damaged.append(error)


def is_archive(path: Path) -> bool:
    """Return whether a file has the name of an archive."""
    return path.name.startswith(PREFIX) and path.name.endswith(ENDING)


def archives(folder: Path) -> list[Path]:
    """Return the archives in a folder, in the order in which they were made."""
    try:
        names = [path.name for path in folder.glob(PATTERN)]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def opened(path: Path) -> Archive:
    """Open an archive. Raises UnreadableArchive, and UserError if the libraries for reading it are not installed."""
    check_archive_libraries(path)
    from arbiter.records.packed.archive import open_archive

    return open_archive(path)


def check_archive_libraries(path: Path | None = None, *, what: str = "packing games", also: str = "") -> None:
    """Raise UserError unless the libraries for archives are installed, and the library ``also``; for an archive that cannot be
    read without them, UnreadableArchive."""
    needed = [name for name in ("pyarrow", "numpy", also) if name]
    if problem := not_installed("reading packed games" if path else what, *needed):
        raise unreadable(path, problem, "") if path else UserError(problem)


def read(path: Path) -> bytes | None:
    """Return a packed record, or a packed log of a record, by the path it had as a file; None if there is none."""
    kind = next((name for name, ending in LOGS.items() if path.name.endswith(ending)), None)
    found = _find(path if kind is None else path.with_name(path.name.removesuffix(LOGS[kind]) + SUFFIX))
    if found is None:
        return None
    archive, place = found
    return archive.record(place) if kind is None else archive.log(place, kind)


def logs_of(record: Path) -> dict[str, Path]:
    """Return where the logs of a record are, or would be, by column."""
    stem = str(record).removesuffix(SUFFIX)
    return {name: Path(stem + ending) for name, ending in LOGS.items()}


def _find(path: Path) -> tuple[Archive, Place] | None:
    """Return the archive that holds the game that was a file at this path, and where in it; None if none does.

    Raises UnreadableArchive if none does, but one that cannot be read might.
    """
    if not path.name.endswith(SUFFIX):
        return None
    damaged: list[UnreadableArchive] = []
    for archive in _likely_first(archives(path.parent), path.name, damaged):
        with passing_over(damaged):
            if (place := archive.find(path.name)) is not None:
                return archive, place
    if damaged:
        raise damaged[0]
    return None


def _likely_first(paths: Sequence[Path], name: str, damaged: list[UnreadableArchive]) -> Iterator[Archive]:
    """Yield all archives in the order in which it is worth looking for a name: the archives of a contest are usually in the
    order of its games, so a binary search usually finds it, and few archives have to be opened.

    Those that cannot be read are added to ``damaged`` instead.
    """
    tried: set[int] = set()
    low, high = 0, len(paths)
    while low < high:
        middle = (low + high) // 2
        tried.add(middle)
        archive = next(readable(paths[middle : middle + 1], damaged), None)
        if archive is None:
            break
        yield archive
        if name < archive.first_name:
            high = middle
        else:
            low = middle + 1
    yield from readable([path for number, path in enumerate(paths) if number not in tried], damaged)


def readable(paths: Iterable[Path], damaged: list[UnreadableArchive] | None) -> Iterator[Archive]:
    """Open archives. Those that cannot be read are added to ``damaged``; without it, raises UnreadableArchive."""
    for path in paths:
        archive: Archive | None = None
        with passing_over(damaged):
            archive = opened(path)
        if archive is not None:
            yield archive


def holds(path: Path) -> bool:
    """Return whether there is a packed game that was a file at this path."""
    return _find(path) is not None


def exists(path: Path) -> bool:
    """Return whether there is a saved game at this path, as a file or packed."""
    return os.path.lexists(path) or holds(path)


def log_exists(path: Path) -> bool:
    """Return whether there is a log at this path, as a file or packed."""
    return os.path.lexists(path) or read(path) is not None


def check_loose(path: Path) -> None:
    """Raise UserError for a packed game, which cannot be changed or moved."""
    if not os.path.lexists(path) and holds(path):
        raise UserError(f"{path} is packed; run 'arbiter archive unpack {path.parent}' first")


def modified_ns(path: Path) -> int:
    """Return when a saved game was modified last, as a file or before it was packed. Raises OSError if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        found = _find(path)
        if found is None:
            raise
        archive, place = found
        return archive.modified_ns(place)


def paths(folder: Path, damaged: list[UnreadableArchive] | None = None) -> Iterator[Path]:
    """Yield the paths that the packed games of a folder had as files, except those of games that are files again.

    Archives that cannot be read are added to ``damaged``; without it, raises UnreadableArchive.
    """
    for archive in readable(archives(folder), damaged):
        names: list[str] = []
        with passing_over(damaged):
            names = list(archive.names())
        for name in names:
            if not os.path.lexists(path := folder / name):
                yield path
