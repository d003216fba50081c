"""Who takes part: what the organiser named, with folders of programs unpacked and what cannot play left out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.agent import HUMAN
from arbiter.agents.prepare.manifest import MANIFEST
from arbiter.agents.prepare.resolve import resolve
from arbiter.errors import UserError
from arbiter.registry import find
from arbiter.workspace import Workspace


def unpack(texts: Sequence[str], base: Path, workspace: Workspace) -> list[str]:
    """A folder that is no agent itself stands for all agents in it: folders with an agent.yaml, source files in a
    language we know, executables. Raises UserError if there are none."""
    found: list[str] = []
    for text in texts:
        folder = _path(text, base)
        if not folder.is_dir() or (folder / MANIFEST).is_file():
            found.append(text)
            continue
        inside = [str(path) for path in _programs(folder, workspace)]
        if not inside:
            raise UserError(f"{text} is a folder with no agents in it: no {MANIFEST}, no source file, no executable")
        found += inside
    return found


def _programs(folder: Path, workspace: Workspace) -> Iterator[Path]:
    known = languages.table(workspace)
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            if (path / MANIFEST).is_file():
                yield path
        elif path.suffix in known or (path.is_file() and os.access(path, os.X_OK)):
            yield path


def sift(texts: Sequence[str], protocol: str, base: Path, workspace: Workspace) -> tuple[list[str], dict[str, str]]:
    """Agents that can play, and the others with the reason: one that does not build must not keep the rest from playing.
    Raises UserError for what is not there at all."""
    good: list[str] = []
    bad: dict[str, str] = {}
    for text in texts:
        check(text, protocol, base, workspace)
        try:
            resolve(text, find(protocol, workspace), workspace, base)
            good.append(text)
        except UserError as error:
            bad[text] = str(error)
    return good, bad


def check(text: str, protocol: str, base: Path, workspace: Workspace) -> None:
    """Raise UserError for what is not there at all: a mistake of whoever named it, not of whoever wrote it."""
    name, equals, what = text.partition("=")
    if not equals or not name or set("/ ") & set(name) or _path(text, base).exists():
        what = text
    if what == HUMAN:
        raise UserError(f"{HUMAN!r} cannot play in a contest: nobody would be there to type; see 'arbiter play'")
    if what not in workspace.agents(protocol) and not _path(what, base).exists():
        resolve(text, find(protocol, workspace), workspace, base)


def _path(text: str, base: Path) -> Path:
    """Where that would be if it is a file or a folder; nowhere if it cannot be one."""
    path = base / os.path.expanduser(text)  # noqa: PTH111 - nobody may live at ~name
    try:
        path.exists()
    except (OSError, ValueError):
        text = ""
    return path if text.strip() else base / ".nowhere"
