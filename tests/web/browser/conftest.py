"""One browser for all tests of a worker, and one server of the sample games."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.web.library import Library
from tests.nullgame.place import arbiter_toml
from tests.tools import ROOT
from tests.web.browser.driver import Browser, chromium
from tests.web.served import Served, serving

SAMPLES = ROOT / "matches" / "samples"


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Browser:
    """The browser at the size of a projector, light, without animations and without memories."""
    window.driver.get("about:blank")  # the page of an earlier test may still complain
    window.complaints()
    window.resize(1280, 720)
    return window


@pytest.fixture(scope="session")
def samples() -> Iterator[Served]:
    """The sample games of all bundled protocols."""
    with serving(Library(folder=SAMPLES)) as served:
        yield served


@pytest.fixture(scope="module")
def shared_place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder like ``place`` for all tests of a module; also the current folder."""
    folder = tmp_path_factory.mktemp("place")
    arbiter_toml(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield folder
