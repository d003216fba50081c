"""Resolve and build agents in a temporary workspace, with a build cache of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter.agents.prepare.agent import Agent
from arbiter.config.workspace import Workspace
from arbiter.registry import find_protocol
from tests.agents.built import built

Resolve = Callable[[object], Agent]


@pytest.fixture
def ready(place: Path) -> Resolve:
    """Return a function that resolves and builds what a user would type in the test's folder."""

    def found(text: object) -> Agent:
        workspace = Workspace()
        return built(str(text), find_protocol("count_up", workspace), workspace)

    return found


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty build cache."""
    cache = tmp_path / "fresh cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
