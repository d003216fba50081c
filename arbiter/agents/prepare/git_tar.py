"""Extracts the archive that git makes of a commit, whose author is not trusted.

The filters of :mod:`tarfile` would do, but Python 3.11.2, which Debian 12 has, lacks them. Git stores only files, folders and
symbolic links. Nothing is ever written through a link: links are made last, and must stay inside.
"""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from pathlib import Path, PurePosixPath

from arbiter.errors import UserError
from arbiter.text import safe

_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def extract_commit(data: bytes, folder: Path) -> None:
    """Extract an archive into an empty folder of ours. Raises UserError for a path that leads out of it, TarError, OSError."""
    links: list[tuple[Path, str]] = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            place = folder / _inside(member.name)
            if member.isdir():
                place.mkdir(parents=True, exist_ok=True)
            elif member.issym():
                _inside(os.path.join(os.path.dirname(member.name), member.linkname))
                links.append((place, member.linkname))
            elif member.isreg():
                place.parent.mkdir(parents=True, exist_ok=True)
                mode = 0o755 if member.mode & 0o100 else 0o644
                source = archive.extractfile(member)
                with os.fdopen(os.open(place, _CREATE, mode), "wb") as file:
                    os.fchmod(file.fileno(), mode)  # regardless of the umask
                    shutil.copyfileobj(source or io.BytesIO(), file)
    for place, target in links:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)


def _inside(name: str) -> str:
    """Return a normalised path that stays in the folder."""
    path = os.path.normpath(name)
    if path.startswith("/") or PurePosixPath(path).parts[:1] == ("..",):
        raise UserError(f"{safe(name, 100)!r} leads out of the commit")
    return path
