"""The files of uploaded programs: where they are kept, how an archive is unpacked, and which file is the program.

An archive with a link, a device or a path that leads outside is refused as a whole. Limits apply to the unpacked data, not to the
sizes that the archive declares.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import shutil
import stat
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.manifest import MANIFEST
from arbiter.agents.prepare.project import project_file
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.units import show_size
from arbiter.unpacking import ArchiveBounds, Member, unpack

UPLOADS = "uploads"
MOST_BYTES = 32 << 20
"""The limit on the unpacked size of all files together."""
MOST_FILES = 1000
DEEPEST = 12
_BOUNDS = ArchiveBounds(MOST_FILES, MOST_BYTES, DEEPEST, name=100)
_IGNORED = ("__MACOSX", ".DS_Store", ".git", ".hg", ".svn")
_ENCRYPTED = 0x1
_GZIP = b"\x1f\x8b"
_LONGEST_STEM = 40


def version_folder(records: Path, team: str, version: int) -> Path:
    """Return the folder of a version. The team's input does not become part of its path."""
    return records / UPLOADS / hashlib.sha256(team.encode()).hexdigest()[:16] / str(version)


def keep_upload(given: str, data: bytes, folder: Path, workspace: Workspace) -> None:
    """Write the files of an upload called ``given`` into their folder, or nothing at all. Raises UserError."""
    above = folder.parent.parent
    above.mkdir(parents=True, exist_ok=True)
    name = "" if _is_archive(data) else file_name(given, workspace)
    with tempfile.TemporaryDirectory(dir=above, prefix=".new-") as made:
        fresh = Path(made) / "files"
        fresh.mkdir()
        fresh.chmod(0o755)  # regardless of our umask
        if name:
            unpack([Member(name, io.BytesIO(data))], fresh, _BOUNDS, "the upload")
        else:
            unpack_upload(data, fresh)
        shutil.rmtree(folder, ignore_errors=True)  # left by an upload during which the server was killed
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh.rename(folder)


def file_name(given: str, workspace: Workspace) -> str:
    """Return a safe file name for an uploaded source file, with its extension. Raises UserError."""
    known = {extension.lower(): extension for extension in languages.extensions(workspace)}
    stem, dot, extension = given.replace("\\", "/").rpartition("/")[2].rpartition(".")
    usual = known.get(f".{extension.lower()}") if dot else None
    if usual is None:
        endings = ", ".join(sorted(known))
        raise UserError(f"{safe(given, 60)!r} is neither a .zip or .tar.gz archive nor a source file: {endings}")
    clean = re.sub(r"[^A-Za-z0-9_]", "_", stem)[:_LONGEST_STEM].lstrip("_") or "bot"
    return clean + usual


def program_of(folder: Path, workspace: Workspace) -> Path:
    """Return what to run in an unpacked upload: the folder with agent.yaml or a file such as CMakeLists.txt, or the only source file. Raises UserError."""
    entries = _entries(folder)
    while len(entries) == 1 and entries[0].is_dir():  # archives often contain one folder with everything
        folder, entries = entries[0], _entries(entries[0])
    if any(entry.name == MANIFEST for entry in entries) or project_file(folder):
        return folder
    known = languages.extensions(workspace)
    sources = [entry for entry in entries if entry.is_file() and entry.suffix in known]
    if len(sources) != 1:
        found = f"{len(sources)} source files" if sources else "no source file"
        raise UserError(f"the archive needs {MANIFEST} at its top, or just one source file there; it has {found}")
    return sources[0]


def _entries(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        raise UserError("this version no longer exists") from None


def _is_archive(data: bytes) -> bool:
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06", _GZIP)) or data[257:262] == b"ustar"


def unpack_upload(data: bytes, folder: Path) -> None:
    """Unpack a .zip, .tar or .tar.gz archive into an empty folder of ours. Raises UserError."""
    unpack(_zip_files(data) if data.startswith(b"PK") else _tar_files(data), folder, _BOUNDS, "the archive")
    if not any(folder.iterdir()):
        raise UserError("the archive is empty")


def _path(name: str) -> str:
    """Return a path in the archive; empty for a file that is left out. Raises UserError for one that would not work on every
    system."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    outside = name.startswith(("/", "\\")) or ".." in parts or ":" in name
    if outside or not parts or not name.isprintable() or len(parts) > DEEPEST:
        raise UserError(f"the archive has a file with the path {safe(name, 60)!r}, which is refused")
    return "" if any(part in _IGNORED for part in parts) else "/".join(parts)


def _zip_files(data: bytes) -> Iterator[Member]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise UserError(f"{safe(entry.filename, 60)!r} in the archive is not a regular file")
            if entry.flag_bits & _ENCRYPTED:
                raise UserError("the archive is encrypted")
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise UserError("the archive is compressed in an unusual way: use an ordinary .zip or .tar.gz")
            if not entry.is_dir() and (path := _path(entry.filename)):
                with archive.open(entry) as content:
                    yield Member(path, content)


def _tar_files(data: bytes) -> Iterator[Member]:
    if data.startswith(_GZIP):  # headers may be large as well
        data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(2 * MOST_BYTES)
        if len(data) == 2 * MOST_BYTES:
            raise UserError(f"the archive is larger than {show_size(MOST_BYTES)} when unpacked")
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive:
        for member in archive:
            if member.isdir():
                continue
            if not member.isreg() or member.issparse():
                raise UserError(f"{safe(member.name, 60)!r} in the archive is not a regular file")
            if path := _path(member.name):
                yield Member(path, archive.extractfile(member))
