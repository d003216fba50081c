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
    partial = target.with_name(f".arbiter-{secrets.token_hex(4)}.partial")
    try:
        handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o666)
    except PermissionError:
        if not target.exists():
            raise
        target.write_bytes(data)  # it may be written, although its folder may not
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        _keep_owner_and_mode(target, partial)
        partial.replace(target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _is_written_in_place(path: Path) -> bool:
    """Return whether a path leads to something other than a file, or to what is open already, such as /dev/stdout."""
    return (path.exists() and not path.is_file()) or path.absolute().parts[1:2] in (("dev",), ("proc",))


def _keep_owner_and_mode(old: Path, new: Path) -> None:
    with contextlib.suppress(OSError):  # there is none, or the file is another user's
        status = old.stat()
        os.chown(new, status.st_uid, status.st_gid)
        new.chmod(status.st_mode & 0o7777)
