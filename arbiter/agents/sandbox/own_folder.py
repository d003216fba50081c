"""The agent's writable folder at levels without mount namespaces: a temporary folder on disk, removed afterwards.

Its content is untrusted: folders nested deeper than PATH_MAX, folders without read permission, FIFOs; the agent may even have
removed the folder or replaced it. So cleaning up goes through directory descriptors one level at a time, never follows a
symbolic link, and never opens a file.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator

_PREFIX = "arbiter-own-"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PATH_ONLY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make(links: Iterable[tuple[str, str]]) -> str:
    """Create a folder with these symbolic links (name and target) and return its path."""
    _remove_stale()
    folder = tempfile.mkdtemp(prefix=f"{_prefix()}{os.getpid()}-")
    add_links(folder, links)
    return folder


def add_links(folder: str, links: Iterable[tuple[str, str]]) -> None:
    """Create the symbolic links in it."""
    for name, target in links:
        os.symlink(target, os.path.join(folder, name))


def empty(folder: str) -> None:
    """Remove its content; create it again if it is gone or no longer a folder."""
    try:
        with _opened(folder, None) as top:
            _empty(top)
    except OSError:
        _replace(folder)


def remove(folder: str) -> None:
    """Remove the folder with its content."""
    with contextlib.suppress(OSError):
        empty(folder)
        os.rmdir(folder)


def _replace(folder: str) -> None:
    """Create the folder again after it was removed or replaced by something else."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            return
        os.unlink(folder)
    os.mkdir(folder, 0o700)


@contextlib.contextmanager
def _opened(name: str, within: int | None) -> Iterator[int]:
    """Open a folder, even one without permissions: its owner can change them. That is done through a descriptor, since the name
    may refer to a symbolic link by now."""
    place = os.open(name, _PATH_ONLY, dir_fd=within)
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
    """Empty a folder. Folders inside its folders are moved up into it and emptied in turn, so no path gets long and no call
    recurses."""
    moved = 0
    unique = os.urandom(8).hex()  # cannot be in use as a name already
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
                with _opened(below, inner):  # sets the permissions that moving it needs
                    moved += 1
                    os.rename(below, f"{prefix}-{moved}", src_dir_fd=inner, dst_dir_fd=top)
    os.rmdir(name, dir_fd=top)
    return moved


def _prefix() -> str:
    """Return a prefix with the pid namespace: the pid that follows it is only meaningful there."""
    return f"{_PREFIX}{os.stat('/proc/self/ns/pid').st_ino}-"


def _remove_stale() -> None:
    """Remove folders of arbiters that were killed."""
    prefix = _prefix()
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            owner = entry.name.removeprefix(prefix).partition("-")[0]
            if entry.name.startswith(prefix) and owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid == os.getuid():
                        remove(entry.path)
