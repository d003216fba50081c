"""List the record files in a folder and its subfolders with their size and modification time, without opening them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.records import at_rest
from arbiter.records.writer import SUFFIX

_SUFFIX = os.fsencode(SUFFIX)

Stamp = tuple[int, int]
"""Size, and modification time in ns: the file has changed if either differs."""


@dataclass(frozen=True, slots=True)
class FolderScan:
    """The record files below a folder, by relative path. Paths are bytes, since file names need not be valid UTF-8."""

    files: dict[bytes, Stamp] = field(default_factory=dict)
    archives: dict[bytes, Stamp] = field(default_factory=dict)
    """Files with packed games."""
    unreadable: dict[bytes, str] = field(default_factory=dict)
    """Folders that could not be read, with the reason."""


def scan(folder: Path) -> FolderScan:
    """Find all record files in a folder and its subfolders. Symbolic links to folders are not followed."""
    found, root = FolderScan(), os.fsencode(folder)
    pending = [b""]
    while pending:
        subfolder = pending.pop()
        try:
            with os.scandir(os.path.join(root, subfolder)) as entries:  # noqa: PTH118 - bytes
                for entry in entries:
                    path = os.path.join(subfolder, entry.name)  # noqa: PTH118
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(path)
                    elif entry.name.endswith(_SUFFIX) and (stamp := _stamp(entry)):
                        found.files[path] = stamp
                    elif _is_archive(entry.name) and (stamp := _stamp(entry)):
                        found.archives[path] = stamp
        except OSError as error:
            found.unreadable[subfolder] = f": {error.strerror}"
    return found


def _is_archive(name: bytes) -> bool:
    return name.startswith(os.fsencode(at_rest.PREFIX)) and name.endswith(os.fsencode(at_rest.ENDING))


def packed_paths(folder: Path, found: FolderScan) -> Iterator[Path]:
    """Yield the former paths of the packed games below a folder; archives that cannot be read are skipped."""
    for inner in sorted({os.path.dirname(path) for path in found.archives}):  # noqa: PTH120 - bytes
        yield from at_rest.paths(folder / os.fsdecode(inner), [])


def _stamp(entry: os.DirEntry[bytes]) -> Stamp | None:
    """Return size and modification time; None if the entry is not a file or has been deleted."""
    try:
        if not entry.is_file():
            return None
        status = entry.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
