"""The pages of all games: what is on the board is what was approved, and nothing is cut, covered or beside the window.

Fonts make no difference to any of it.
"""

from __future__ import annotations

import pytest

from tests.web.browser.driver import Browser
from tests.web.browser.layout import defects, outline
from tests.web.pictures import APPROVED, TURNS, views
from tests.web.served import Served

pytestmark = pytest.mark.slow

AGAIN = "if this is meant, look at the page and approve it: make pictures"


@pytest.mark.parametrize("protocol", TURNS)
def test_the_board_is_as_approved_and_nothing_is_cut_covered_or_beside_the_window(
    browser: Browser, samples: Served, protocol: str
) -> None:
    outlines = ""
    for view in views(browser, samples, protocol):
        assert defects(browser) == [], view
        assert browser.fits(), view
        outlines += view.heading + outline(browser) if view.approved else ""
    assert outlines == (APPROVED / f"{protocol}.txt").read_text(encoding="utf-8"), AGAIN
