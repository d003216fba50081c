"""Agents are found from a workspace; builds of these tests are kept to themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve
from arbiter.registry import find
from arbiter.workspace import Workspace

Resolve = Callable[[object], Agent]


@pytest.fixture
def ready(place: Path) -> Resolve:
    """An agent from what a user would type in the folder of the test."""

    def found(text: object) -> Agent:
        workspace = Workspace()
        return resolve(str(text), find("count_up", workspace), workspace)

    return found


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing has been built yet."""
    cache = tmp_path / "fresh cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    return cache
