"""Unpacks the result of a build, which comes from an untrusted program."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from arbiter.agents.building import archive as limits
from arbiter.unpacking import ArchiveBounds, tar_members, unpack


def unpack_build(archive: IO[bytes], folder: Path, what: str = "its result") -> None:
    """Unpack an archive into an empty folder of ours. Raises UserError about ``what``; see :func:`arbiter.unpacking.unpack`."""
    bounds = ArchiveBounds(
        limits.MOST_FILES,
        limits.MOST_BYTES,
        limits.DEEPEST,
        limits.LONGEST_PATH,
        links=limits.MOST_LINKS,
        target=limits.LONGEST_TARGET,
    )
    unpack(tar_members(archive), folder, bounds, what)
