"""On the pages of all games, nothing is cut, covered or beside the window, and every text has contrast, whatever the font."""

from __future__ import annotations

import pytest

from tests.web.browser.driver import Browser
from tests.web.browser.layout import defects
from tests.web.pictures import TURNS, views
from tests.web.served import Served

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("protocol", TURNS)
def test_nothing_is_cut_covered_or_beside_the_window(browser: Browser, samples: Served, protocol: str) -> None:
    for view in views(browser, samples, protocol):
        assert defects(browser) == [], view
        assert browser.fits(), view
