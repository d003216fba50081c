"""Unpacks an archive that a team has uploaded.

Only regular files and folders are extracted; an archive with a link, a device or a path that leads outside is refused as a
whole. Limits apply to the unpacked data, not to the sizes that the archive declares.
"""

from __future__ import annotations

import gzip
import io
import stat
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size
from arbiter.unpacking import ArchiveBounds, Member, unpack

MOST_BYTES = 32 << 20
"""The limit on the unpacked size of all files together."""
MOST_FILES = 1000
DEEPEST = 12
_BOUNDS = ArchiveBounds(MOST_FILES, MOST_BYTES, DEEPEST, name=100)
_CHUNK = 1 << 16
_IGNORED = ("__MACOSX", ".DS_Store", ".git", ".hg", ".svn")
_ENCRYPTED = 0x1


def is_archive(data: bytes) -> bool:
    """Return whether data looks like an archive that can be unpacked."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b")) or data[257:262] == b"ustar"


def unpack_upload(data: bytes, folder: Path) -> None:
    """Unpack a .zip, .tar or .tar.gz archive into an empty folder of ours. Raises UserError."""
    unpack(_files(data), folder, _BOUNDS, "the archive")
    if not any(folder.iterdir()):
        raise UserError("the archive is empty")


def keep_upload(name: str, data: bytes, folder: Path) -> None:
    """Write a single uploaded file into an empty folder of ours. Raises UserError."""
    unpack([Member(name, io.BytesIO(data))], folder, _BOUNDS, "the upload")


def _files(data: bytes) -> Iterator[Member]:
    for name, content in _zip_files(data) if data.startswith(b"PK") else _tar_files(data):
        parts = _parts(name)
        if not any(part in _IGNORED for part in parts):
            yield Member("/".join(parts), content)


def _parts(name: str) -> list[str]:
    """Return the parts of a path in the archive. Raises UserError for one that would not work on every system."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    outside = name.startswith(("/", "\\")) or ".." in parts or ":" in name
    if outside or not parts or not name.isprintable() or len(parts) > DEEPEST:
        raise UserError(f"the archive has a file with the path {safe(name, 60)!r}, which is refused")
    return parts


def _zip_files(data: bytes) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        if len(entries) > 2 * MOST_FILES:
            raise UserError(f"the archive has more than {MOST_FILES} files")
        for entry in entries:
            if entry.is_dir():
                continue
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if kind not in (0, stat.S_IFREG):
                raise UserError(f"{safe(entry.filename, 60)!r} in the archive is not a regular file")
            if entry.flag_bits & _ENCRYPTED:
                raise UserError("the archive is encrypted")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise UserError("the archive is compressed in an unusual way: use an ordinary .zip or .tar.gz")
            with archive.open(entry) as content:
                yield entry.filename, content


class _Bounded(io.RawIOBase):
    """A stream that raises UserError when too much is read: tar headers may be large as well."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner, self._left = inner, 2 * MOST_BYTES

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        data = self._inner.read(_CHUNK if size < 0 else min(size, _CHUNK))
        self._left -= len(data)
        if self._left < 0:
            raise UserError(f"the archive is larger than {show_size(MOST_BYTES)} when unpacked")
        return data


def _tar_files(data: bytes) -> Iterator[tuple[str, IO[bytes]]]:
    packed = io.BytesIO(data)
    inner: IO[bytes] = gzip.GzipFile(fileobj=packed) if data.startswith(b"\x1f\x8b") else packed  # type: ignore[assignment]
    with tarfile.open(fileobj=_Bounded(inner), mode="r|") as archive:
        for member in archive:
            if member.isdir():
                continue
            content = archive.extractfile(member) if member.isreg() and not member.issparse() else None
            if content is None:
                raise UserError(f"{safe(member.name, 60)!r} in the archive is not a regular file")
            yield member.name, content
