"""One browser for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.browser.driver import Browser, chromium


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture
def browser(window: Browser) -> Browser:
    """The browser at the size of a projector, light, without animations and without memories."""
    window.resize(1280, 720)
    return window
