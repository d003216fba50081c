"""The drawings look as approved, light and dark, on a projector and on a phone; fonts make no difference, missing parts do."""

from __future__ import annotations

import pytest

from tests.web.approved import HERE, MOST_BLOCK, MOST_MEAN, SVG, Grey, board, pages
from tests.web.browser.driver import Browser
from tests.web.pictures import SIZES, TURNS

AGAIN = "if this is meant, look at the page and approve it: python -m tests.web.approved"


@pytest.mark.parametrize("protocol", TURNS)
def test_the_drawing_looks_as_approved(browser: Browser, protocol: str) -> None:
    seen = 0
    for name in pages(browser, protocol):
        mean, worst = Grey.read(HERE / name).difference(board(browser))
        assert mean <= MOST_MEAN, f"{name} differs by {mean:.3f}; {AGAIN}"
        assert worst <= MOST_BLOCK, f"a part of {name} differs by {worst:.3f}; {AGAIN}"
        seen += 1
    assert seen == 2 * len(SIZES)


@pytest.mark.parametrize("protocol", TURNS)
def test_another_font_is_no_difference_and_a_missing_part_is_one(browser: Browser, protocol: str) -> None:
    for name in pages(browser, protocol):
        approved = Grey.read(HERE / name)
        browser.run(f"for (const text of {SVG}.querySelectorAll('text')) text.style.fontFamily = 'serif'")
        assert approved.looks_like(board(browser)), approved.difference(board(browser))
        assert not approved.looks_like(browser.until(lambda: damaged(browser))), name


def damaged(browser: Browser) -> Grey | None:
    """Return the board without its two largest parts; None if the page has drawn it again meanwhile."""
    browser.run(
        f"const parts = [...{SVG}.children], size = (part) => part.querySelectorAll('*').length;"
        "for (const part of parts.sort((one, other) => size(other) - size(one)).slice(0, 2)) part.remove();"
        f"{SVG}.dataset.damaged = parts.length"
    )
    shown = board(browser)
    parts = browser.run(f"return [{SVG}.dataset.damaged, {SVG}.children.length]")
    return shown if parts[0] and int(parts[0]) == parts[1] + 2 else None


def test_all_pictures_belong_to_a_page_and_are_small() -> None:
    expected = {f"{each}{size}{dark}.png" for each in TURNS for size in SIZES for dark in ("", "-dark")}
    found = {path.name: path.stat().st_size for path in HERE.iterdir()}
    assert set(found) == expected
    assert max(found.values()) < 20_000
