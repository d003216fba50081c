"""The limit on open files: if it is too low, agents fail to start, or get a weaker sandbox, at random."""

from __future__ import annotations

import resource

from arbiter.errors import UserError

NEEDED = 256
"""Enough for the pipes, pidfds and control sockets of the agents at a table and of open sandboxes."""


def allow_enough() -> None:
    """Raise the soft limit on open files to what games need. Raises UserError if the hard limit is too low."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= NEEDED or soft == resource.RLIM_INFINITY:
        return
    if hard != resource.RLIM_INFINITY and hard < NEEDED:
        raise UserError(f"only {hard} files may be open at the same time, and games need {NEEDED}: raise 'ulimit -n'")
    resource.setrlimit(resource.RLIMIT_NOFILE, (NEEDED, hard))
