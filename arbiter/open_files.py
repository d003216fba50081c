"""How many files this process may have open: with too few, agents fail to start, or get a weaker sandbox, at random."""

from __future__ import annotations

import resource

from arbiter.errors import UserError

NEEDED = 256
"""Pipes, pidfds and control sockets of the agents at a table and of the sandboxes kept open, with room to spare."""


def allow_enough() -> None:
    """Raise the soft limit on open files to what games need, as far as that is permitted. Raises UserError otherwise."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= NEEDED or soft == resource.RLIM_INFINITY:
        return
    if hard != resource.RLIM_INFINITY and hard < NEEDED:
        raise UserError(f"only {hard} files may be open at the same time, and games need {NEEDED}: raise 'ulimit -n'")
    resource.setrlimit(resource.RLIMIT_NOFILE, (NEEDED, hard))
