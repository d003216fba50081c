"""Fixtures for the tests of processes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from arbiter.agents.launch import strays, supervisor, tree
from tests.agents.launch.families import TABLE


@pytest.fixture
def leaving_no_children() -> Iterator[None]:
    """Be a subreaper during the test, sweep what it left, and check that no child remains."""
    before = frozenset(tree.children(os.getpid()))
    with supervisor.subreaper():
        try:
            yield
        finally:
            strays.sweep(TABLE)
    assert frozenset(tree.children(os.getpid())) == before
