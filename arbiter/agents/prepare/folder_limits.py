"""How large an agent's folder may be: its files are hashed and copied before the first game, at the organiser's cost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size

MOST_FILES = 20_000
"""Files, folders and links."""
MOST_LEVELS = 64
"""Folders inside folders."""
MOST_BYTES = 1 << 30
"""Total size of the files that are hashed by content; larger files, which are data, are identified by size and time."""
HASHED_BYTES = 1 << 20
"""Size up to which the content of a file is hashed."""


def check_folder_limits(text: str, folder: Path) -> None:
    """Raise UserError if an agent's folder exceeds a limit, or has something in it that cannot be read.

    ``text`` is what the user typed for it. No link is followed and no file is opened, and the search ends at the first limit
    that is exceeded, so it takes a bounded time whatever is in the folder.
    """
    files = size = 0
    for entry, level in _entries(folder):
        files += 1
        if files > MOST_FILES:
            raise UserError(f"{text}: too many files: the folder of an agent may hold {MOST_FILES}")
        if level > MOST_LEVELS:
            raise UserError(
                f"{text}: folders are nested too deeply: the folder of an agent may have {MOST_LEVELS} levels"
            )
        if entry.is_symlink() or not (entry.is_file() or entry.is_dir()):
            continue
        if not os.access(entry.path, os.R_OK | (os.X_OK if entry.is_dir() else 0)):
            raise UserError(f"{text}: permission denied ({safe(os.path.relpath(entry.path, folder))})")
        length = entry.stat(follow_symlinks=False).st_size if entry.is_file() else 0
        size += length if length <= HASHED_BYTES else 0
        if size > MOST_BYTES:
            raise UserError(f"{text}: too large: the small files of an agent may hold {show_size(MOST_BYTES)} together")


def _entries(folder: Path) -> Iterator[tuple[os.DirEntry[str], int]]:
    """Yield every entry of a folder and of the folders in it, with its level."""
    waiting = [(str(folder), 1)]
    while waiting:
        path, level = waiting.pop()
        with os.scandir(path) as listing:
            for entry in listing:
                yield entry, level
                if entry.is_dir(follow_symlinks=False):
                    waiting.append((entry.path, level + 1))
