"""Agents that have to be built, in a temporary workspace with a build cache of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable

import pytest

from tests.agents.prepare.conftest import own_cache, ready

__all__ = ["builds", "own_cache", "ready"]

Builds = Callable[[], int]


@pytest.fixture
def builds(caplog: pytest.LogCaptureFixture, own_cache: object) -> Builds:
    """Return a function that counts the builds so far; none of an earlier test is in the cache."""
    caplog.set_level(logging.INFO, "arbiter.build")
    return lambda: sum(message.startswith("building ") for message in caplog.messages)
