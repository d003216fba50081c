"""An agent's writable folder where the sandbox has no file system of its own to give it: one on disk, removed afterwards.

What an agent leaves there is a stranger's: folders deeper than a path can be long, folders nobody may read, pipes. So it
is removed through descriptors, level by level, never following a link and never opening a file.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable


def make(links: Iterable[tuple[str, str]]) -> str:
    """A new folder with links of these names."""
    folder = tempfile.mkdtemp(prefix="arbiter-own-")
    fill(folder, links)
    return folder


def fill(folder: str, links: Iterable[tuple[str, str]]) -> None:
    """Put the links in."""
    for name, target in links:
        os.symlink(target, os.path.join(folder, name))


def empty(folder: str) -> None:
    """Remove whatever is in it."""
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        os.fchmod(top, 0o700)
        _empty(top)
    finally:
        os.close(top)


def remove(folder: str) -> None:
    """The folder and whatever is in it."""
    with contextlib.suppress(FileNotFoundError):
        empty(folder)
        os.rmdir(folder)


def _empty(top: int) -> None:
    """A folder below this one is moved up to it and then emptied in turn, so nothing is ever deep and nothing recurs."""
    moved = 0
    while names := os.listdir(top):
        for name in names:
            try:
                os.unlink(name, dir_fd=top)
            except (IsADirectoryError, PermissionError):
                moved = _lift(top, name, moved)


def _lift(top: int, name: str, moved: int) -> int:
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=top)
    try:
        for below in os.listdir(inner):
            try:
                os.unlink(below, dir_fd=inner)
            except (IsADirectoryError, PermissionError):
                os.chmod(below, 0o700, dir_fd=inner)
                moved += 1
                os.rename(below, f".lifted-{moved}-{os.getpid()}", src_dir_fd=inner, dst_dir_fd=top)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)
    return moved
