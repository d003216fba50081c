"""A hash that identifies the version of an agent."""

from __future__ import annotations

import hashlib
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import file_hashes, identifying_bytes


def fingerprint(agent: Agent) -> str:
    """Return a hash of the agent's source file, or of all files in its folder, or of its command and the files it names.

    It changes when the program does. Built programs are not read: the hash covers the source they were built from.
    """
    digest = hashlib.sha256()
    origin = agent.origin
    if origin is not None and origin.is_dir():
        for name, hashed in file_hashes(origin).items():
            digest.update(f"{name}\0{hashed}\0".encode(errors="surrogateescape"))
    elif origin is not None:
        digest.update(_content(origin))
    for word in agent.command[1:] if origin is None else ():
        digest.update(word.encode(errors="surrogateescape") + b"\0")
        if (agent.folder / word).is_file():
            digest.update(_content(agent.folder / word))
    return digest.hexdigest()[:12]


def _content(path: Path) -> bytes:
    try:
        return identifying_bytes(path)
    except OSError:  # the file is gone: the fingerprint changes, which is right
        return b""
