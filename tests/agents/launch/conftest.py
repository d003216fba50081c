"""Fixtures for the tests of processes."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator

import pytest

from arbiter.agents.launch import strays, supervisor, tree
from tests.agents.launch.families import table


@pytest.fixture
def leaving_no_children() -> Iterator[None]:
    """Be a subreaper during the test, sweep what it left, and check that no child remains."""
    before = frozenset(tree.children(os.getpid()))
    with supervisor.subreaper():
        try:
            yield
        finally:
            strays.sweep(table())
    # A process that another test left to end by itself may have come to this one, as the nearest subreaper, in the meantime.
    for pid in frozenset(tree.children(os.getpid())) - before:
        watched = os.pidfd_open(pid)
        if select.select([watched], [], [], 60)[0]:
            os.waitpid(pid, 0)
        os.close(watched)
    assert frozenset(tree.children(os.getpid())) == before
