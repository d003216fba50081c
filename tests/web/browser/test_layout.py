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
SVG = "document.getElementById('board').shadowRoot.querySelector('svg')"
PLANTED = {
    "#next": "document.getElementById('next').style.marginLeft = '-2rem'",
    "cut by the window": "document.getElementById('download').style.transform = 'translateX(500px)'",
    "cut by #title": "const title = document.getElementById('title'); title.style.cssText = 'width: 1rem; overflow: hidden; white-space: nowrap; text-overflow: clip'",
    "outside the board": f"{SVG}.querySelector('rect').setAttribute('x', '-400')",
    "texts on the board": f"const texts = {SVG}.querySelectorAll('text.name, text.bold'); texts[1].setAttribute('y', texts[0].getAttribute('y')); texts[1].setAttribute('x', texts[0].getAttribute('x'))",
    "(title): 1.": "const title = document.getElementById('title'); title.className = 'title'; title.style.color = getComputedStyle(document.body).backgroundColor",
    "(back-text): 1.00": f"{SVG}.querySelector('text.back-text').style.fill = getComputedStyle({SVG}.querySelector('rect.back-3')).fill",
}
"""By what is said of it: a defect to plant in a page."""


@pytest.mark.parametrize("protocol", TURNS)
def test_the_board_is_as_approved_and_nothing_is_cut_covered_or_beside_the_window(
    browser: Browser, samples: Served, protocol: str
) -> None:
    outlines = ""
    for view in views(browser, samples, protocol):
        assert defects(browser) == [], view
        assert browser.fits(), view
        outlines += view.heading + outline(browser)
    assert outlines == (APPROVED / f"{protocol}.txt").read_text(encoding="utf-8"), AGAIN


def test_another_font_changes_no_outline(browser: Browser, samples: Served) -> None:
    for _ in views(browser, samples, "splendor"):
        before = outline(browser)
        browser.run(f"for (const text of {SVG}.querySelectorAll('text')) text.style.fontFamily = 'monospace'")
        assert outline(browser) == before


@pytest.mark.parametrize("said", PLANTED)
def test_a_planted_defect_is_found(browser: Browser, samples: Served, said: str) -> None:
    next(views(browser, samples, "splendor"))
    assert defects(browser) == []
    browser.run(PLANTED[said])
    assert any(said in each for each in defects(browser)), defects(browser)


@pytest.mark.parametrize("damage", ["remove()", "setAttribute('class', 'gem')", "setAttribute('x', '300')"])
def test_a_part_that_is_missing_moved_or_without_its_colour_changes_the_outline(
    browser: Browser, samples: Served, damage: str
) -> None:
    next(views(browser, samples, "splendor"))
    before = outline(browser)
    browser.run(f"{SVG}.querySelector('rect.back-1').{damage}")
    assert outline(browser) != before
