"""Loaded into a Dask worker with ``--preload``: makes it a host on which no sandbox works."""

from __future__ import annotations

from arbiter.agents.sandbox import trial
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import Level


def _fails(level: Level) -> None:
    raise BoxFailed(f"the kernel of this host knows no {level}")


def dask_setup(_: object) -> None:
    """Called by Dask when the worker starts."""
    trial._try = _fails
