"""Unpacks the result of a build, which comes from an untrusted program.

Regular files, folders, and links that stay inside are taken; devices, FIFOs, sockets, and links to anywhere else are left
out. No file is set-uid. Nothing is ever written through a link: links are made last.
"""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from typing import IO

from arbiter.agents.building import archive as limits
from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size

_CHUNK = 1 << 20
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_PROGRAMS = (b"\x7fELF", b"#!")


def unpack_build(archive: IO[bytes], folder: Path) -> None:
    """Unpack an archive into an empty folder of ours. Raises UserError if it is damaged or exceeds a limit."""
    links: list[tuple[Path, str]] = []
    count = size = 0
    try:
        with tarfile.open(fileobj=archive, mode="r:") as tar:
            for member in tar:
                count, size = count + 1, size + max(0, member.size)
                _check(member, count, size)
                place = folder / _inside(member.name)
                if member.isdir():
                    place.mkdir(mode=0o755, parents=True, exist_ok=True)
                elif member.isreg():
                    _write(tar, member, place)
                elif member.islnk():
                    place.hardlink_to(folder / _inside(member.linkname))
                elif member.issym() and len(member.linkname) <= limits.LONGEST_TARGET:
                    links.append((place, member.linkname))
                    if len(links) > limits.MOST_LINKS:
                        raise UserError(f"its result has more than {limits.MOST_LINKS} links")
        for place, target in links:
            place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
            place.symlink_to(target)
    except (tarfile.TarError, OSError, ValueError) as error:
        raise UserError(f"its result cannot be unpacked: {safe(str(error))}") from None
    _drop_links_to_outside(folder, [place for place, _ in links])


def _check(member: tarfile.TarInfo, count: int, size: int) -> None:
    if count > limits.MOST_FILES:
        raise UserError(f"its result has more than {limits.MOST_FILES} files")
    if size > limits.MOST_BYTES:
        raise UserError(f"its result has more than {show_size(limits.MOST_BYTES)}")
    if member.name.count("/") > limits.DEEPEST or len(member.name) > limits.LONGEST_PATH:
        raise UserError(f"its result has folders nested more than {limits.DEEPEST} deep")


def _inside(name: str) -> str:
    """Return a relative path without ``..``. Raises ValueError for any other."""
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if name.startswith("/") or ".." in parts:
        raise ValueError(f"{name!r} is outside")
    return "/".join(parts) or "."


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, place: Path) -> None:
    content = tar.extractfile(member)
    if content is None:
        raise ValueError(f"{member.name!r} has no content")
    place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    start = content.read(_CHUNK)
    # Also decided by content: where a box cannot change modes (Landlock), linkers cannot make their output executable.
    mode = 0o755 if member.mode & 0o100 or start.startswith(_PROGRAMS) else 0o644
    with os.fdopen(os.open(place, _CREATE, mode), "wb") as file:
        os.fchmod(file.fileno(), mode)  # regardless of our umask
        while start:
            file.write(start)
            start = content.read(_CHUNK)


def _drop_links_to_outside(folder: Path, links: list[Path]) -> None:
    """Remove links that do not lead to something in the folder. What they lead to is compared after following all links."""
    top = folder.resolve()
    for link in links:
        if link.readlink().is_absolute() or not _leads_into(link, top):
            link.unlink()


def _leads_into(link: Path, top: Path) -> bool:
    """Return whether a link leads to something in a folder. The kernel follows a bounded number of links."""
    try:
        place = os.open(link, os.O_PATH | os.O_CLOEXEC)
    except OSError:  # it leads nowhere, or in a circle
        return False
    try:
        return Path(f"/proc/self/fd/{place}").readlink().is_relative_to(top)
    finally:
        os.close(place)
