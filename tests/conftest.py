"""What tests share: builds that are kept for one run only, and a folder to play in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.errors import UserError
from tests.nullgame.place import arbiter_toml
from tests.tools import missing


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """An agent in a language that is not installed here: nothing is wrong with the arbiter."""
    try:
        return (yield)
    except UserError as error:
        if "which is not installed" in str(error):
            missing(f"{item.name}: {error}")
        raise


@pytest.fixture(scope="session", autouse=True)
def _builds_of_this_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile into a folder of this run, so that no test passes thanks to an older one's build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose arbiter.toml knows the two null games, made the current one."""
    arbiter_toml(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
