"""A hash that identifies the version of an agent."""

from __future__ import annotations

import hashlib
from pathlib import Path

from arbiter.agents.prepare.agent import Agent

_HASHED_BYTES = 1 << 20
"""Larger files, usually precomputed data, are compared by size and modification time instead of content."""


def fingerprint(agent: Agent) -> str:
    """Return a hash of the agent's source file and the headers built with it, or of all files in its folder, or of its
    command and the files it names.

    It changes when the program does. Built programs are not read: the hash covers everything they were built from.
    """
    digest = hashlib.sha256()
    origin = agent.origin
    if origin is not None and agent.is_packed:
        for name, hashed in file_hashes(origin).items():
            digest.update(f"{name}\0{hashed}\0".encode(errors="surrogateescape"))
    elif origin is not None:
        digest.update(_content(origin))
        for name, path in agent.build.files[1:] if agent.build else ():
            digest.update(f"\0{name}\0".encode(errors="surrogateescape") + _content(Path(path)))
    for word in agent.command[1:] if origin is None else ():
        digest.update(word.encode(errors="surrogateescape") + b"\0")
        if (agent.folder / word).is_file():
            digest.update(_content(agent.folder / word))
    if agent.version:
        digest.update(f"\0{agent.version}".encode(errors="surrogateescape"))
    return digest.hexdigest()[:12]


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder and its subfolders, by relative path."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(identifying_bytes(path)).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def identifying_bytes(path: Path) -> bytes:
    """Return the content of a file, or its size and modification time if it is too large to read every time."""
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns}".encode() if stat.st_size > _HASHED_BYTES else path.read_bytes()


def _content(path: Path) -> bytes:
    try:
        return identifying_bytes(path)
    except OSError:  # the file is gone: the fingerprint changes, which is right
        return b""
