"""An agent's writable folder where the sandbox has no file system of its own to give it: one on disk, removed afterwards.

What an agent leaves there is a stranger's: folders deeper than a path can be long, folders nobody may read, pipes; it may
even have removed the folder, or put something else in its place. So everything is reached through descriptors, level by
level, never following a link and never opening a file.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterable, Iterator

_PREFIX = "arbiter-own-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PLACE = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make(links: Iterable[tuple[str, str]]) -> str:
    """A new folder with links of these names."""
    _remove_stale()
    folder = tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-")
    fill(folder, links)
    return folder


def fill(folder: str, links: Iterable[tuple[str, str]]) -> None:
    """Put the links in."""
    for name, target in links:
        os.symlink(target, os.path.join(folder, name))


def empty(folder: str) -> None:
    """Remove whatever is in it; if it is gone, or no folder any more, make it anew."""
    try:
        with _opened(folder, None) as top:
            _empty(top)
    except OSError:
        _replace(folder)


def remove(folder: str) -> None:
    """The folder and whatever is in it."""
    with contextlib.suppress(OSError):
        empty(folder)
        os.rmdir(folder)


def _replace(folder: str) -> None:
    """Somebody has removed it, or put something else in its place."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            return
        os.unlink(folder)
    os.mkdir(folder, 0o700)


@contextlib.contextmanager
def _opened(name: str, within: int | None) -> Iterator[int]:
    """A descriptor of a folder, also of one that nobody may read: as its owner we can change that. Not by its name, which
    might be a link by now."""
    place = os.open(name, _PLACE, dir_fd=within)
    try:
        os.chmod(f"/proc/self/fd/{place}", 0o700)
        folder = os.open(".", _FOLDER, dir_fd=place)
    finally:
        os.close(place)
    try:
        yield folder
    finally:
        os.close(folder)


def _empty(top: int) -> None:
    """A folder below this one is moved up to it and then emptied in turn, so nothing is ever deep and nothing recurs."""
    moved = 0
    unique = secrets.token_hex(8)  # whatever is there cannot be called that
    while names := os.listdir(top):
        for name in names:
            try:
                os.unlink(name, dir_fd=top)
            except (IsADirectoryError, PermissionError):
                moved = _lift(top, name, f".lifted-{unique}", moved)


def _lift(top: int, name: str, prefix: str, moved: int) -> int:
    with _opened(name, top) as inner:
        for below in os.listdir(inner):
            try:
                os.unlink(below, dir_fd=inner)
            except (IsADirectoryError, PermissionError):
                with _opened(below, inner):  # makes it ours to move
                    moved += 1
                    os.rename(below, f"{prefix}-{moved}", src_dir_fd=inner, dst_dir_fd=top)
    os.rmdir(name, dir_fd=top)
    return moved


def _prefix() -> str:
    """Numbers of processes mean something only among those who count alike; a container counts by itself."""
    return f"{_PREFIX}{os.stat('/proc/self/ns/pid').st_ino}-"


def _remove_stale() -> None:
    """Folders of arbiters that were killed."""
    prefix = _prefix()
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            owner = entry.name.removeprefix(prefix).partition("-")[0]
            if entry.name.startswith(prefix) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == os.getuid():
                        remove(entry.path)
