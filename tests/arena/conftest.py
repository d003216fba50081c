"""A running arena for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.arena.served import Served, served


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Served]:
    """An arena with short games."""
    with served(tmp_path / "arena") as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One arena for the tests of a module that leave nothing behind which the others could notice."""
    with served(tmp_path_factory.mktemp("shared") / "arena") as found:
        yield found


@pytest.fixture
def make_arena(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Start arenas with other rules."""
    with ExitStack() as stack:
        yield lambda **more: stack.enter_context(served(tmp_path / "arena", **more))
