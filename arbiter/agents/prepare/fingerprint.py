"""Telling one version of an agent from another: a hash of what it is made of."""

from __future__ import annotations

import hashlib
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import contents_of, file_print


def fingerprint(agent: Agent) -> str:
    """Changes when the program does: its source, or everything in its folder, or the files that its command names, with
    the command itself. Built programs are named after what they were built from, so they need not be looked into."""
    digest = hashlib.sha256()
    origin = agent.origin
    if origin is not None and origin.is_dir():
        for name, hashed in contents_of(origin).items():
            digest.update(f"{name}\0{hashed}\0".encode(errors="surrogateescape"))
    elif origin is not None:
        digest.update(_print(origin))
    for word in agent.command[1:] if origin is None else ():
        digest.update(word.encode(errors="surrogateescape") + b"\0")
        if (agent.folder / word).is_file():
            digest.update(_print(agent.folder / word))
    return digest.hexdigest()[:12]


def _print(path: Path) -> bytes:
    try:
        return file_print(path)
    except OSError:  # gone, which says enough
        return b""
