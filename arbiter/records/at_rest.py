"""Packed games of a folder: the one place that knows whether a saved game is a file or a row of an archive.

An archive is a Parquet file beside the records it was made from, and holds finished records of that folder alone. A file always
counts more than a packed game of the same name: packing and unpacking may be killed at any moment, and then both are there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.errors import UserError
from arbiter.records.writer import SUFFIX

if TYPE_CHECKING:
    from arbiter.records.packed.archive import Archive

PREFIX, ENDING = "archive-", ".parquet"
PATTERN = f"{PREFIX}*{ENDING}"
LOG_SUFFIX = ".stderr.gz"
"""As in :mod:`arbiter.records.stderr_log`."""


def archives(folder: Path) -> list[Path]:
    """Return the archives in a folder, in the order in which they were made."""
    try:
        names = [path.name for path in folder.glob(PATTERN)]
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def opened(path: Path) -> Archive:
    """Open an archive. Raises UserError if it cannot be read, or if the libraries for that are not installed."""
    check_installed(path)
    from arbiter.records.packed.archive import open_archive

    return open_archive(path)


def check_installed(path: Path | None = None) -> None:
    """Raise UserError unless the libraries for archives are installed."""
    import importlib.util

    missing = [name for name in ("pyarrow", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        what = f"{path} holds packed games, and reading them" if path else "packing games"
        raise UserError(f"{what} needs {' and '.join(missing)}: pip install {' '.join(missing)}")


def read(path: Path) -> bytes | None:
    """Return a packed record, or the packed log of a record, by the path it had as a file; None if there is none."""
    is_log = path.name.endswith(LOG_SUFFIX)
    name = path.name.removesuffix(LOG_SUFFIX) + SUFFIX if is_log else path.name
    for archive in map(opened, archives(path.parent)):
        row = archive.find(name)
        if row is not None:
            return archive.log(row) if is_log else archive.record(row)
    return None


def holds(path: Path) -> bool:
    """Return whether there is a packed game that was a file at this path."""
    return any(archive.find(path.name) is not None for archive in map(opened, archives(path.parent)))


def exists(path: Path) -> bool:
    """Return whether there is a saved game at this path, as a file or packed."""
    return os.path.lexists(path) or holds(path)


def log_exists(path: Path) -> bool:
    """Return whether there is a log of standard error at this path, as a file or packed."""
    return os.path.lexists(path) or read(path) is not None


def check_loose(path: Path) -> None:
    """Raise UserError for a packed game, which cannot be changed or moved."""
    if not os.path.lexists(path) and holds(path):
        raise UserError(f"{path} is packed; run 'arbiter unpack {path.parent}' first")


def modified_ns(path: Path) -> int:
    """Return when a saved game was modified last, as a file or before it was packed. Raises OSError if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        for archive in map(opened, archives(path.parent)):
            row = archive.find(path.name)
            if row is not None:
                return archive.modified_ms(row) * 1_000_000
        raise


def paths(folder: Path) -> Iterator[Path]:
    """Yield the paths that the packed games of a folder had as files, except those of games that are files again."""
    for archive in map(opened, archives(folder)):
        for name in archive.names():
            if not os.path.lexists(path := folder / name):
                yield path
