"""The inputs and the result of a build, as archives in unnamed files.

Both directions are bounded in files, bytes and depth. The result comes from an untrusted program: names, modes, links
and types of its files are checked one by one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tarfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from arbiter.agents.prepare.source_text import BYTE_ORDER_MARK
from arbiter.errors import UserError
from arbiter.units import show_size
from arbiter.unpacking import ArchiveBounds, tar_members, unpack

MOST_FILES = 50_000
MOST_BYTES = 1 << 30
DEEPEST = 60
LONGEST_PATH = 1000
MOST_LINKS = 5000
_CHUNK = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_REGULAR = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
_SKIPPED = (".git", ".hg", ".svn")
"""Folders that are never inputs of a build: they hold the history of the sources, not sources."""

FileId = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file, folder or link that is an input of a build."""

    name: str
    """Relative to the folder of sources."""
    top: Path
    """The folder to copy it from."""
    inside: str
    """Its path in that folder."""
    mode: int
    """Its type and permissions."""
    unmarked: bool = False
    """Whether a byte-order mark at its beginning is left out."""


def of_files(files: Iterable[tuple[str, str]]) -> list[Input]:
    """Return the inputs of a build of single files, given by name and path. A link is replaced by the file it leads to.

    A byte-order mark is left out: javac and scalac refuse it, and it means nothing to other compilers.
    """
    real = [(name, Path(path).resolve()) for name, path in files]
    return [Input(name, path.parent, path.name, path.lstat().st_mode, unmarked=True) for name, path in real]


def folder_inputs(folder: Path, hidden: Collection[FileId]) -> list[Input]:
    """Return the inputs of a build of a whole folder, without what is ``hidden`` from its author. Raises UserError."""
    found: list[Input] = []
    for each in _walk(folder, "", hidden):
        found.append(each)
        if len(found) > MOST_FILES:
            raise UserError(f"{folder.name} cannot be built: it has more than {MOST_FILES} files")
    return found


def _walk(top: Path, inside: str, hidden: Collection[FileId]) -> Iterator[Input]:
    if inside.count("/") > DEEPEST or len(inside) > LONGEST_PATH:
        raise UserError(f"{top.name} cannot be built: its folders are nested more than {DEEPEST} deep")
    for name, status in _listed(top, inside):
        if name in _SKIPPED or (status.st_dev, status.st_ino) in hidden:
            continue
        if stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
            yield Input(inside + name, top, inside + name, status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            yield from _walk(top, f"{inside}{name}/", hidden)


def _listed(top: Path, inside: str) -> list[tuple[str, os.stat_result]]:
    """Return the names in a folder, sorted, with the status of each."""
    with _folder_above(top, inside) as (folder, _), os.scandir(folder) as listing:
        return sorted((entry.name, entry.stat(follow_symlinks=False)) for entry in listing)


@contextlib.contextmanager
def _folder_above(top: Path, inside: str) -> Iterator[tuple[int, str]]:
    """Open the folder that a file is in; yield it with the name of the file there.

    Folders are opened one by one, and never through a symbolic link: their owner may replace them while we copy.
    """
    *above, name = inside.split("/")
    with contextlib.ExitStack() as leaving:
        folder = os.open(top, _FOLDER)
        leaving.callback(os.close, folder)
        for part in above:
            folder = os.open(part, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            leaving.callback(os.close, folder)
        yield folder, name


def digest(inputs: Iterable[Input]) -> str:
    """Return a hash of the inputs: names, contents, links, and what is executable. Raises UserError."""
    whole = InputDigest()
    for each in inputs:
        if not stat.S_ISREG(each.mode):
            whole.add(each, _target(each))
            continue
        with _opened(each) as file:
            content = _Hashed(file)
            while content.size <= MOST_BYTES and content.read(_CHUNK):
                pass
        whole.add(each, content.hash.hexdigest(), content.size)
    return whole.hexdigest()


class InputDigest:
    """A hash of the inputs of a build, which are added one by one."""

    def __init__(self) -> None:
        self._hash, self._size = hashlib.sha256(), 0

    def add(self, each: Input, content: str, size: int = 0) -> None:
        """Add an input; ``content`` is the hash of a file, or the target of a link. Raises UserError if the inputs are too large
        altogether."""
        self._size += size
        if self._size > MOST_BYTES:
            raise UserError(f"up to {each.name!r} it has more than {show_size(MOST_BYTES)}, too much to build")
        words = (each.name, str(stat.S_IFMT(each.mode) | each.mode & 0o100), content)
        self._hash.update("".join(f"{word}\0" for word in words).encode(errors="surrogateescape"))

    def hexdigest(self) -> str:
        """Return the hash so far."""
        return self._hash.hexdigest()


class _Hashed:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.hash, self.size = file, hashlib.sha256(), 0

    def read(self, most: int) -> bytes:
        data = self._file.read(most)
        self.hash.update(data)
        self.size += len(data)
        return data


def _target(each: Input) -> str:
    if not stat.S_ISLNK(each.mode):
        return ""
    with _folder_above(each.top, each.inside) as (folder, name):
        return os.readlink(name, dir_fd=folder)


@contextlib.contextmanager
def _opened(each: Input) -> Iterator[IO[bytes]]:
    """Open a regular file; refuse anything that has replaced it."""
    with _folder_above(each.top, each.inside) as (folder, name):
        opened = os.open(name, _REGULAR, dir_fd=folder)
    with os.fdopen(opened, "rb") as file:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{each.name!r} is no longer a regular file")
        if status.st_size > MOST_BYTES:
            raise UserError(f"{each.name!r} has more than {show_size(MOST_BYTES)}, too much to build")
        if each.unmarked and file.read(len(BYTE_ORDER_MARK)) != BYTE_ORDER_MARK:
            file.seek(0)
        yield file


def pack_inputs(inputs: Iterable[Input], below: str, folders: Sequence[str], archive: IO[bytes]) -> str:
    """Write an archive with the inputs in the folder ``below``, and these empty folders; return their :func:`digest`.

    Files have no owner and ordinary modes, so that the process that unpacks them owns them.
    """
    whole = InputDigest()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in folders:
            tar.addfile(_member(name, tarfile.DIRTYPE, 0o755))
        for each in inputs:
            name = f"{below}/{each.name}"
            if stat.S_ISREG(each.mode):
                with _opened(each) as file:
                    member = _member(name, tarfile.REGTYPE, 0o755 if each.mode & 0o100 else 0o644)
                    member.size = os.fstat(file.fileno()).st_size - file.tell()
                    content = _Hashed(file)
                    tar.addfile(member, content)  # type: ignore[arg-type]
                whole.add(each, content.hash.hexdigest(), content.size)
            else:
                member = _member(name, tarfile.DIRTYPE if stat.S_ISDIR(each.mode) else tarfile.SYMTYPE, 0o755)
                member.linkname = _target(each)
                tar.addfile(member)
                whole.add(each, _target(each))
    archive.seek(0)
    return whole.hexdigest()


def _member(name: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.mode = kind, mode
    return member


def unpack_build(archive: IO[bytes], folder: Path, what: str = "its result") -> None:
    """Unpack an archive into an empty folder of ours. Raises UserError about ``what``; see :func:`arbiter.unpacking.unpack`."""
    bounds = ArchiveBounds(MOST_FILES, MOST_BYTES, DEEPEST, LONGEST_PATH, links=MOST_LINKS)
    unpack(tar_members(archive), folder, bounds, what)
