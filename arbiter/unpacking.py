"""Writes the files of an archive whose author is not trusted; builds, commits, uploads and what a cluster sends come through here.

Nothing in an archive decides where, how much or what kind of file is written. Every path is walked from the folder down by
descriptors, and no step follows a link, so even a mistake elsewhere cannot have anything written outside. A member that
passes through a link or a file, or has the path of another file or link, is refused with the whole archive. Links are made
last, and stay only if following them leads to something in the folder. Files are never set-uid, devices or FIFOs.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size

_CHUNK = 1 << 16
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_PROGRAMS = (b"\x7fELF", b"#!")
_REASONS = {errno.EEXIST: "is there twice"} | dict.fromkeys(
    (errno.ENOTDIR, errno.ELOOP), "passes through a link or a file"
)
_DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError,
    OverflowError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ArchiveBounds:
    """How much an archive may hold once it is unpacked."""

    members: int
    bytes: int
    depth: int
    """Folders in which a file may be nested."""
    path: int = 1000
    """Characters of a path."""
    name: int = 255
    """Bytes of one name."""
    links: int = 5000
    """Symbolic links; each is followed once."""
    target: int = 500
    """Characters of the target of a link; longer ones are left out."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file, folder or link in an archive; a folder unless it is one of the others."""

    path: str
    content: IO[bytes] | None = None
    """Of a regular file."""
    executable: bool = False
    link: str | None = None
    """The target of a symbolic link."""
    same_as: str | None = None
    """The path of an earlier file, of which this is a hard link."""


def tar_members(file: IO[bytes]) -> Iterator[Member]:
    """Yield the members of a tar archive; devices and FIFOs are left out."""
    with tarfile.open(fileobj=file, mode="r:") as archive:
        for member in archive:
            if member.isdir():
                yield Member(member.name)
            elif member.isreg():
                yield Member(member.name, archive.extractfile(member), executable=bool(member.mode & 0o100))
            elif member.issym():
                yield Member(member.name, link=member.linkname)
            elif member.islnk():
                yield Member(member.name, same_as=member.linkname)


def unpack(
    members: Iterable[Member], folder: Path, bounds: ArchiveBounds, what: str, *, find_programs: bool = True
) -> None:
    """Write the members of an archive into an empty folder of ours. Raises UserError about ``what`` if it is damaged,
    exceeds a bound, or has a member that is refused; the folder is then incomplete.

    With ``find_programs``, files that look like programs become executable whatever the archive says. Everybody can read
    what was unpacked, regardless of our umask.
    """
    try:
        top = os.open(folder, _FOLDER)
        try:
            _Unpacking(top, bounds, what, find_programs).write(members)
        finally:
            os.close(top)
    except _DAMAGED as error:
        # Without the path of the folder, which is nobody's business.
        reason = (isinstance(error, OSError) and error.strerror) or str(error)
        raise UserError(f"{what} cannot be unpacked: {safe(reason, 150)}") from None


class _Unpacking:
    """The state of one unpacking."""

    def __init__(self, top: int, bounds: ArchiveBounds, what: str, find_programs: bool) -> None:
        self._top, self._bounds, self._what, self._find_programs = top, bounds, what, find_programs
        self._members = self._bytes = 0
        self._links: list[tuple[list[str], str]] = []

    def write(self, members: Iterable[Member]) -> None:
        for member in members:
            self._members += 1
            if self._members > self._bounds.members:
                raise UserError(f"{self._what} has more than {self._bounds.members} files")
            with _refused(member.path):
                self._add(member)
        for parts, target in self._links:
            with _refused("/".join(parts)), _opened(self._top, parts[:-1]) as folder:
                os.symlink(target, parts[-1], dir_fd=folder)
        self._drop_links_to_outside()

    def _add(self, member: Member) -> None:
        parts = self._parts(member.path)
        if member.content is None and member.link is None and member.same_as is None:
            with _opened(self._top, parts):
                return
        if not parts:
            raise ValueError("is outside")
        if member.link is not None:
            self._add_link(parts, member.link)
            return
        with _opened(self._top, parts[:-1]) as folder:
            if member.content is not None:
                self._copy(member.content, folder, parts[-1], executable=member.executable)
            elif member.same_as is not None:
                *above, name = self._parts(member.same_as) or [""]
                with _opened(self._top, above) as other:
                    os.link(name, parts[-1], src_dir_fd=other, dst_dir_fd=folder, follow_symlinks=False)

    def _parts(self, path: str) -> list[str]:
        parts = [part for part in path.split("/") if part not in ("", ".")]
        if path.startswith("/") or ".." in parts:
            raise ValueError("is outside")
        if len(parts) > self._bounds.depth + 1 or len(path) > self._bounds.path:
            raise UserError(f"{self._what} has folders nested more than {self._bounds.depth} deep")
        if any(len(os.fsencode(part)) > self._bounds.name for part in parts):
            raise UserError(f"{self._what} has a file whose name is longer than {self._bounds.name} bytes")
        return parts

    def _add_link(self, parts: list[str], target: str) -> None:
        if len(target) <= self._bounds.target:
            self._links.append((parts, target))
            if len(self._links) > self._bounds.links:
                raise UserError(f"{self._what} has more than {self._bounds.links} links")

    def _copy(self, content: IO[bytes], folder: int, name: str, *, executable: bool) -> None:
        chunk = content.read(_CHUNK)
        # By content, since modes may be lost on the way: linkers in a box that cannot change modes, archives without modes.
        executable = executable or (self._find_programs and chunk.startswith(_PROGRAMS))
        with os.fdopen(os.open(name, _CREATE, 0o600, dir_fd=folder), "wb") as file:
            os.fchmod(file.fileno(), 0o755 if executable else 0o644)
            while chunk:
                self._bytes += len(chunk)
                if self._bytes > self._bounds.bytes:
                    raise UserError(f"{self._what} is larger than {show_size(self._bounds.bytes)} when unpacked")
                file.write(chunk)
                chunk = content.read(_CHUNK)

    def _drop_links_to_outside(self) -> None:
        """Remove links that do not lead to something in the folder. What they lead to is compared after following all
        links, of which the kernel follows a bounded number."""
        top = Path(f"/proc/self/fd/{self._top}").readlink()
        for parts, target in self._links:
            with _opened(self._top, parts[:-1]) as folder:
                if target.startswith("/") or not _leads_into(top, folder, parts[-1]):
                    os.unlink(parts[-1], dir_fd=folder)


@contextlib.contextmanager
def _refused(path: str) -> Iterator[None]:
    """Say which member it was that failed."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or error.strerror or str(error)
        raise ValueError(f"{safe(path, 60)!r} {reason}") from None
    except ValueError as error:
        raise ValueError(f"{safe(path, 60)!r} {error}") from None


@contextlib.contextmanager
def _opened(top: int, folders: Sequence[str]) -> Iterator[int]:
    """Open a folder below another; those on the way are made if they are missing, and no link is followed."""
    with contextlib.ExitStack() as stack:
        at = top
        for name in folders:
            at = _entered(at, name)
            stack.callback(os.close, at)
        yield at


def _entered(above: int, name: str) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=above)
    except FileNotFoundError:
        os.mkdir(name, 0o700, dir_fd=above)
    made = os.open(name, _FOLDER, dir_fd=above)
    os.fchmod(made, 0o755)  # regardless of our umask
    return made


def _leads_into(top: Path, folder: int, link: str) -> bool:
    try:
        place = os.open(link, os.O_PATH | os.O_CLOEXEC, dir_fd=folder)
    except OSError:  # it leads nowhere, or in a circle
        return False
    try:
        return Path(f"/proc/self/fd/{place}").readlink().is_relative_to(top)
    finally:
        os.close(place)
