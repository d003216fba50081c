"""Caches of what agents are made from: built agents, commits, variants, archives from the head of a cluster. Each has a folder
per result, named after the hash of what it was made from.

Several arbiters may use it at the same time, and any of them may be killed at any moment. A result is unpacked into a folder
of its own and then renamed, so it is complete or absent. A lock file keeps a result from being removed between the moment it
is found and the moment it is marked as used.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from arbiter.agents.prepare.build import cache_folder
from arbiter.errors import UserError

MOST_BYTES = 4 << 30
LONGEST_UNUSED_S = 30 * 86_400
IN_USE_S = 86_400
"""A result used this recently is not removed to free space: games may be running it."""
_PREFIX = "building-"
_LOCK = ".lock"


class Cache:
    """One of the caches: ``builds``, ``commits``, ``variants``, ``archives`` … ``runs`` has only folders that are removed after use."""

    def __init__(self, kind: str = "builds") -> None:
        """Create its folder if necessary. Raises UserError if it cannot be written."""
        self.folder = cache_folder().with_name(kind)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if not os.access(self.folder, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise UserError(
                f"cannot cache {kind} in {str(self.folder)!r}: {error.strerror}; "
                "set XDG_CACHE_HOME to a writable folder"
            ) from None

    def find(self, key: str) -> Path | None:
        """Return the folder with a result, and mark it as used; None if there is none."""
        with self._locked(fcntl.LOCK_SH):
            try:
                os.utime(self.folder / key)
            except FileNotFoundError:
                return None
        return self.folder / key

    def store(self, key: str, fill: Callable[[Path], None]) -> Path:
        """Return the folder with a result, which ``fill`` writes into an empty folder.

        Another arbiter may have stored the same result meanwhile; then that one is kept.
        """
        done = self.folder / key
        with self.new_folder() as folder:
            fill(folder)
            folder.chmod(0o755)
            _keep_one(folder, done)
        self.prune()
        return done

    def prune(self) -> None:
        """Remove results that were not used for a long time, the oldest ones beyond the size limit, and what killed
        arbiters have left behind."""
        now = time.time()
        with self._locked(fcntl.LOCK_EX):
            doomed = [path for path in self.folder.glob(f"{_PREFIX}*") if is_abandoned(path)]
            kept = 0
            for used, path in sorted(self._results(), reverse=True):
                size = _size(path)
                unused_s = now - used
                if unused_s > LONGEST_UNUSED_S or (unused_s > IN_USE_S and kept + size > MOST_BYTES):
                    # Renamed first, so that a half-removed result is never found. Another arbiter may still be removing
                    # an earlier result of this name.
                    aside = f"{_PREFIX}removed-{os.getpid()}-{time.monotonic_ns()}-{path.name}"
                    doomed.append(path.rename(self.folder / aside))
                else:
                    kept += size
        for path in doomed:
            _remove(path)

    def _results(self) -> Iterator[tuple[float, Path]]:
        for path in self.folder.iterdir():
            if not path.name.startswith((_PREFIX, ".")):
                yield path.lstat().st_mtime, path

    @contextlib.contextmanager
    def new_folder(self) -> Iterator[Path]:
        """Make an empty folder, locked while this context lasts, and remove it afterwards unless it was renamed."""
        with self._locked(fcntl.LOCK_SH):
            folder = Path(tempfile.mkdtemp(dir=self.folder, prefix=_PREFIX))
            held = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
            fcntl.flock(held, fcntl.LOCK_EX)
        try:
            yield folder
        finally:
            os.close(held)
            _remove(folder)

    @contextlib.contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, how)
            yield
        finally:
            os.close(lock)


def _keep_one(folder: Path, done: Path) -> None:
    """Rename a folder to where the result belongs, unless another arbiter has put one there."""
    while True:
        try:
            folder.rename(done)
            return
        except OSError as error:
            if done.is_dir():
                return
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise
            # The other result has been pruned meanwhile: there is room for ours now.


def is_abandoned(folder: Path) -> bool:
    """Return whether no process holds the lock of a folder: the one that made it has ended."""
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True


def _size(path: Path) -> int:
    if not path.is_dir() or path.is_symlink():
        return path.lstat().st_size
    return sum(file.lstat().st_size for file in path.rglob("*"))


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
