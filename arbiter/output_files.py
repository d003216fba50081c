"""Write files whole or not at all, and make folders to write to.

A full disk leaves no half of an export under its name, nor destroys an older one. Folders are checked before the work whose
results go there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
from pathlib import Path

from arbiter.errors import UserError

PARTIAL = ".partial"
"""The end of temporary names, which begin with a dot."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def make_writable(folder: Path) -> None:
    """Make a folder, unless it exists. Raises OSError, also for a folder that may not be written to."""
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder))


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file, which replaces one of that name when it is complete. Raises UserError that names the file.

    Text is written as UTF-8.
    """
    try:
        _write(path, data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from None


def _write(path: Path, data: bytes) -> None:
    if _is_written_in_place(path):
        path.write_bytes(data)
        return
    target = Path(os.path.realpath(path))  # a link stays one
    try:
        replace_file(target, data)
    except PermissionError:
        if not target.exists():
            raise
        target.write_bytes(data)  # it may be written, although its folder may not


def replace_file(
    path: Path, data: bytes, mode: int | None = None, *, on_disk: bool = False, modified_ns: int | None = None
) -> None:
    """Write a file under a temporary name and rename it, so that it is whole or not there. Raises OSError.

    Without a mode, it has that of the file it replaces. ``on_disk`` waits until it would survive a power failure.
    """
    partial = path.with_name(f".arbiter-{secrets.token_hex(4)}{PARTIAL}")
    try:
        handle = os.open(partial, _NEW, 0o666 if mode is None else mode)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if on_disk:
                os.fsync(handle)
            if modified_ns is not None:
                os.utime(handle, ns=(modified_ns, modified_ns))
        if mode is None:
            _keep_owner_and_mode(path, partial)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    if on_disk:
        sync(path.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _is_written_in_place(path: Path) -> bool:
    """Return whether a path leads to something other than a file, or to what is open already, such as /dev/stdout."""
    return (path.exists() and not path.is_file()) or path.absolute().parts[1:2] in (("dev",), ("proc",))


def _keep_owner_and_mode(old: Path, new: Path) -> None:
    with contextlib.suppress(OSError):  # there is none, or the file is another user's
        status = old.stat()
        os.chown(new, status.st_uid, status.st_gid)
        new.chmod(status.st_mode & 0o7777)
