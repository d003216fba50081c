"""Placing games on cores. Waking an agent on another core costs ten times a round trip on the same one."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def pinned(worker: int | None = None) -> Iterator[int | None]:
    """Keep this process, and the agents it starts meanwhile, on one core; yields which, None where it cannot. Workers of
    one run are dealt out over the cores by their number."""
    try:
        allowed = os.sched_getaffinity(0)
        core = sorted(allowed)[(os.getpid() if worker is None else worker) % len(allowed)]
        os.sched_setaffinity(0, {core})
    except (AttributeError, OSError):
        yield None
        return
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)
