"""Which records there are under a folder, and when each was last written, without opening any."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.records.writer import SUFFIX

_SUFFIX = os.fsencode(SUFFIX)

Stamp = tuple[int, int]
"""Size, and the time of the last change in ns: other ones, another file."""


@dataclass(frozen=True, slots=True)
class Tree:
    """What a folder holds, by path below it in bytes: names of files need not be text."""

    files: dict[bytes, Stamp] = field(default_factory=dict)
    closed: dict[bytes, str] = field(default_factory=dict)
    """Folders that could not be looked into, and why."""


def scan(folder: Path) -> Tree:
    """All files with the name of a record, in all folders below; links to folders are not followed."""
    tree, root = Tree(), os.fsencode(folder)
    waiting = [b""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(os.path.join(root, below)) as entries:  # noqa: PTH118 - bytes
                for entry in entries:
                    path = os.path.join(below, entry.name)  # noqa: PTH118
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(path)
                    elif entry.name.endswith(_SUFFIX) and (stamp := _stamp(entry)):
                        tree.files[path] = stamp
        except OSError as error:
            tree.closed[below] = f": {error.strerror}"
    return tree


def _stamp(entry: os.DirEntry[bytes]) -> Stamp | None:
    """None for what is no file, or is gone already."""
    try:
        if not entry.is_file():
            return None
        status = entry.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
