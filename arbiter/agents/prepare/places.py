"""System folders, and shared folders such as home folders, which decide what agents may see.

Folders are compared by device and inode as well as by path: a link or a bind mount gives a folder a second path.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
"""Folders of programs and libraries, which every agent may read."""
_SHARED = (
    "/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/proc", "/sys", "/run", "/etc", "/var", "/home", "/root", "/opt", "/srv", "/mnt",
)  # fmt: skip
"""Folders shared by many users and programs, which are never shown as a whole."""


def is_in(path: str, folders: Iterable[str]) -> bool:
    """Return whether a path is one of these folders or beneath one, without looking at the file system."""
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def without_dots(file: Path) -> Path:
    """Return the path of a file without "..": a sandbox has only the folders that lead to a program, so no other may be on the
    way. The file itself may be a symbolic link, and stays one."""
    return file.parent.resolve() / file.name if ".." in file.parts else file


def home_folder() -> str | None:
    """Return the real path of the user's home folder; None where it is unknown."""
    home = os.path.expanduser("~")  # unchanged where it is unknown
    return os.path.realpath(home) if os.path.isabs(home) else None


def holds_more_than_an_agent(folder: str | os.PathLike[str]) -> bool:
    """Return whether a folder is a home folder, one above the user's, or one that many programs share, such as /tmp."""
    real = os.path.realpath(folder)
    if os.path.dirname(real) == "/home":
        return True
    paths, identities = _wide(home_folder(), os.path.realpath(tempfile.gettempdir()))
    return real in paths or identity(real) in identities


@lru_cache(maxsize=8)
def _wide(home: str | None, temporary: str) -> tuple[frozenset[str], frozenset[tuple[int, int]]]:
    """Return the folders that hold more than an agent, by path and by device and inode."""
    paths = {*_SHARED, temporary}
    while home and home not in paths:
        paths.add(home)
        home = os.path.dirname(home)
    return frozenset(paths), frozenset(filter(None, map(identity, paths)))


def identity(path: str) -> tuple[int, int] | None:
    """Return the device and inode that a path leads to; None if it does not exist or cannot be examined."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_dev, found.st_ino
