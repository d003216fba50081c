"""The drawings look as approved, light and dark, on a projector and on a phone; fonts make no difference, missing parts do."""

from __future__ import annotations

import pytest

from tests.web.approved import HERE, MOST_BLOCK, MOST_MEAN, SVG, Grey, board, pages
from tests.web.browser.driver import Browser
from tests.web.pictures import SIZES, TURNS

AGAIN = "if this is meant, look at the page and approve it: python -m tests.web.approved"


@pytest.mark.parametrize("protocol", TURNS)
def test_the_drawing_looks_as_approved_and_a_missing_part_would_be_noticed(browser: Browser, protocol: str) -> None:
    seen = 0
    for name in pages(browser, protocol):
        approved = Grey.read(HERE / name)
        mean, worst = approved.difference(board(browser))
        assert mean <= MOST_MEAN, f"{name} differs by {mean:.3f}; {AGAIN}"
        assert worst <= MOST_BLOCK, f"a part of {name} differs by {worst:.3f}; {AGAIN}"
        seen += 1
        browser.run(f"for (const text of {SVG}.querySelectorAll('text')) text.style.fontFamily = 'serif'")
        assert approved.looks_like(board(browser)), approved.difference(board(browser))
        # On a busy machine the browser may still show a picture from before the change.
        browser.until(lambda approved=approved: not approved.looks_like(damaged(browser)))  # type: ignore[misc]
    assert seen == 2 * len(SIZES)


def damaged(browser: Browser) -> Grey:
    """Return the board without its two largest parts; the page may have drawn it again since they were removed."""
    browser.run(
        f"const svg = {SVG}, size = (part) => part.querySelectorAll('*').length;"
        "const parts = [...svg.children].sort((one, other) => size(other) - size(one));"
        "if (!svg.dataset.damaged) for (const part of parts.slice(0, 2)) part.remove();"
        "svg.dataset.damaged = 'yes'"
    )
    return board(browser)


def test_all_pictures_belong_to_a_page_and_are_small() -> None:
    expected = {f"{each}{size}{dark}.png" for each in TURNS for size in SIZES for dark in ("", "-dark")}
    found = {path.name: path.stat().st_size for path in HERE.iterdir()}
    assert set(found) == expected
    assert max(found.values()) < 20_000
