"""Extracts the archive that git makes of a commit, whose author is not trusted."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from arbiter.errors import UserError
from arbiter.text import safe
from arbiter.unpacking import ArchiveBounds, Member, tar_members, unpack

_BOUNDS = ArchiveBounds(members=200_000, bytes=1 << 30, depth=60)


def extract_commit(data: bytes, folder: Path) -> None:
    """Extract an archive into an empty folder of ours. Raises UserError, also for a link that leads out of the folder."""
    unpack(_inside(tar_members(io.BytesIO(data))), folder, _BOUNDS, "it", find_programs=False)


def _inside(members: Iterable[Member]) -> Iterator[Member]:
    """Yield members, and refuse the commit for a link to outside, which its author would miss."""
    for member in members:
        if member.link is not None:
            place = os.path.normpath(os.path.join(os.path.dirname(member.path), member.link))
            if place.startswith("/") or place.split("/")[0] == "..":
                raise UserError(f"{safe(member.path, 100)!r} is a link that leads out of the commit")
        yield member
