"""Copies of what an agent wrote to its own folder, kept for its author after the game.

The folder's content is untrusted: it is read through directory descriptors, one level at a time, without following a
symbolic link or opening anything but regular files. How much is kept is bounded, and no file name is used as the agent
chose it. A list beside the copies says what was left out, and why.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from arbiter.agents.sandbox.own_copies import FileId

MOST_BYTES = 64 << 20
"""The most that is kept of one agent and game."""
MOST_FILES = 1000
MOST_SEEN = 20_000
"""The most entries that are looked at."""
DEEPEST = 20
"""The deepest nesting of folders that is copied."""
_LONGEST_NAME = 200
_CHUNK = 1 << 20
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+=@, ")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class KeptFiles(msgspec.Struct):
    """What was kept of one agent's folder, and what was not."""

    files: int = 0
    bytes: int = 0
    left_out: Counter[str] = msgspec.field(default_factory=Counter)
    """How many entries were not kept, by reason."""


class _Copy(msgspec.Struct):
    kept: KeptFiles
    since_ns: int
    skip: Collection[FileId]
    copies: Mapping[FileId, int]
    seen: int = 0

    def folder(self, source: int, target: Path, depth: int) -> None:
        """Copy the files of an open folder; ``target`` is made when the first of them is kept."""
        for name in _listed(source):
            self.seen += 1
            if self.seen > MOST_SEEN:
                self.kept.left_out["not looked at: too many files"] += 1
                return
            try:
                self._entry(source, name, target, depth)
            except PermissionError:
                self.kept.left_out["unreadable"] += 1
            except OSError as error:
                self.kept.left_out[f"failed: {error.strerror}"] += 1

    def _entry(self, source: int, name: str, target: Path, depth: int) -> None:
        found = os.stat(name, dir_fd=source, follow_symlinks=False)
        file = (found.st_dev, found.st_ino)
        if file in self.skip or self.copies.get(file) == found.st_ctime_ns:
            return
        if stat.S_ISDIR(found.st_mode):
            if depth == DEEPEST:
                self.kept.left_out["nested too deeply"] += 1
                return
            inner = os.open(name, _FOLDER, dir_fd=source)
            try:
                self.folder(inner, target / plain_name(name), depth + 1)
            finally:
                os.close(inner)
        elif found.st_ctime_ns < self.since_ns:
            return
        elif not stat.S_ISREG(found.st_mode):
            if not (stat.S_ISLNK(found.st_mode) and depth == 0 and not self.since_ns):  # a link to the agent's program
                self.kept.left_out["not a regular file"] += 1
        elif self.kept.files >= MOST_FILES:
            self.kept.left_out[f"beyond {MOST_FILES} files"] += 1
        else:
            self._file(source, name, target)

    def _file(self, source: int, name: str, target: Path) -> None:
        file = os.open(name, _FILE, dir_fd=source)
        try:
            found = os.fstat(file)
            if not stat.S_ISREG(
                found.st_mode
            ):  # replaced since: without a sandbox, something of the agent may still run
                self.kept.left_out["not a regular file"] += 1
            elif found.st_size > MOST_BYTES - self.kept.bytes:
                self.kept.left_out[f"beyond {MOST_BYTES >> 20} MB"] += 1
            else:
                target.mkdir(parents=True, exist_ok=True)
                self.kept.bytes += _copy(file, target / plain_name(name), found.st_size)
                self.kept.files += 1
        finally:
            os.close(file)


def keep(
    folder: int,
    target: Path,
    *,
    since_ns: int = 0,
    skip: Collection[FileId] = (),
    copies: Mapping[FileId, int] = MappingProxyType({}),
) -> KeptFiles:
    """Copy the regular files in an open folder to ``target``, which need not exist. Raises nothing.

    Only files changed at ``since_ns`` or later are kept, by the time of the system clock that no program can set on a file.
    Files and folders in ``skip`` are passed over, and so are ``copies`` that have not been changed since they were made.
    """
    kept = KeptFiles()
    try:
        _Copy(kept, since_ns, skip, copies).folder(folder, target, 0)
    except OSError as error:
        kept.left_out[f"failed: {error.strerror}"] += 1
    return kept


def write_list(kept: KeptFiles, file: Path) -> None:
    """Write the list of what was kept and left out, as JSON. Errors are ignored: a full disk must not stop a
    contest."""
    with contextlib.suppress(OSError):
        file.write_bytes(msgspec.json.encode(kept) + b"\n")


def new_folder(within: Path, name: str) -> Path:
    """Make a folder of this name, or of that name and a number if there is one already. Raises OSError."""
    for number in itertools.count(1):
        folder = within / (name if number == 1 else f"{name}-{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            return folder
    raise AssertionError("count never ends")


def plain_name(name: str) -> str:
    """Return a file name with nothing in it that a terminal, a shell or another system could misread; different names stay
    different."""
    shown = "".join(
        letter if letter in _PLAIN else "".join(f"%{byte:02X}" for byte in os.fsencode(letter)) for letter in name
    )
    if len(shown) <= _LONGEST_NAME:
        return shown
    return f"{shown[:_LONGEST_NAME]}%{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}"


def _listed(folder: int) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            yield entry.name


def _copy(file: int, target: Path, size: int) -> int:
    copy = os.open(target, _NEW, 0o644)
    copied = 0
    try:
        while copied < size and (data := os.read(file, min(_CHUNK, size - copied))):
            view = memoryview(data)
            while view:
                view = view[os.write(copy, view) :]
            copied += len(data)
    finally:
        os.close(copy)
    return copied
