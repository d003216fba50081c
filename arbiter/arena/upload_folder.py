"""Where uploaded programs are kept, and which file of an upload is the program."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.manifest import MANIFEST
from arbiter.agents.prepare.project import project_file
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.text import safe

UPLOADS = "uploads"
_LONGEST_STEM = 40


def version_folder(records: Path, team: str, version: int) -> Path:
    """Return the folder of a version. The team's input does not become part of its path."""
    return records / UPLOADS / hashlib.sha256(team.encode()).hexdigest()[:16] / str(version)


def file_name(given: str, known: dict[str, str]) -> str:
    """Return a safe file name for an uploaded source file, with its extension. Raises UserError.

    ``known`` maps the extensions of languages in lower case to their usual spelling.
    """
    stem, dot, extension = given.replace("\\", "/").rpartition("/")[2].rpartition(".")
    usual = known.get(f".{extension.lower()}") if dot else None
    if usual is None:
        endings = ", ".join(sorted(known))
        raise UserError(f"{safe(given, 60)!r} is neither a .zip or .tar.gz archive nor a source file: {endings}")
    clean = re.sub(r"[^A-Za-z0-9_]", "_", stem)[:_LONGEST_STEM].lstrip("_") or "bot"
    return clean + usual


def extensions(workspace: Workspace) -> dict[str, str]:
    """Return the extensions of source files, by their lower-case form."""
    return {extension.lower(): extension for extension in languages.extensions(workspace)}


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
