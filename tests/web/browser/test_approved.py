"""The pages look as approved, light and dark, on a projector and on a phone; fonts make no difference, missing parts do."""

from __future__ import annotations

import io
from functools import partial

import pytest
from PIL import Image

from tests.web.browser.driver import Browser
from tests.web.pictures import (
    APPROVED,
    FOLDER,
    SIZES,
    SVG,
    TURNS,
    board_picture,
    difference,
    page_picture,
    views,
)
from tests.web.served import Served

AGAIN = "if this is meant, look at the page and approve it: make pictures"
MOST_MEAN, MOST_BLOCK = 0.008, 0.075
"""How much the brightness of a board may differ, of 1: over the whole picture, and in any one block of it. Another font
makes up to 0.005 and 0.06."""
MOST_OF_A_PAGE = 0.03
"""The same for a page at 64 by 64 pixels; another turn, or a part that is missing, is well above it."""
DAMAGE = f"""
const svg = {SVG}, size = (part) => part.querySelectorAll("*").length;
[...svg.children].sort((one, other) => size(other) - size(one)).slice(0, 2).forEach((part) => part.remove());
page.parts.board.drawn.shown = null;
"""
"""Removes the two largest parts of a board, and lets the page draw all of the next position instead of changing this one."""


def looks_like(one: Image.Image, other: Image.Image) -> bool:
    mean, worst = difference(one, other)
    return mean <= MOST_MEAN and worst <= MOST_BLOCK


def page_difference(one: Image.Image, other: Image.Image) -> float:
    small = [each.convert("RGB").resize((64, 64), Image.Resampling.BOX) for each in (one, other)]
    return difference(*small)[0] if one.size == other.size else 1.0


def shows_damage(browser: Browser, approved: Image.Image) -> bool:
    """Remove parts of the board and look at it. The page may draw it again if it has only just noticed its new size."""
    browser.run(DAMAGE)
    return not looks_like(approved, board_picture(browser))


@pytest.mark.parametrize("protocol", TURNS)
def test_pages_look_as_approved_and_a_missing_part_would_be_noticed(
    browser: Browser, samples: Served, protocol: str
) -> None:
    for view in views(browser, samples, protocol):
        approved = Image.open(view.board)
        seen = board_picture(browser)
        assert looks_like(approved, seen), f"{view.board.name} differs by {difference(approved, seen)}; {AGAIN}"
        if view.dark:
            continue
        page = Image.open(io.BytesIO(page_picture(browser)))
        assert page_difference(Image.open(view.page), page) < MOST_OF_A_PAGE, f"{view.page.name}: {AGAIN}"
        browser.run(f"for (const text of {SVG}.querySelectorAll('text')) text.style.fontFamily = 'serif'")
        assert looks_like(approved, board_picture(browser)), difference(approved, board_picture(browser))
        assert browser.until(partial(shows_damage, browser, approved))


def test_all_pictures_belong_to_a_page_and_are_small() -> None:
    expected = {f"{each}{size}{dark}.png" for each in TURNS for size in SIZES for dark in ("", "-dark")}
    found = {path.name: path.stat().st_size for path in APPROVED.iterdir()}
    assert set(found) == expected
    assert max(found.values()) < 20_000
    shown = [FOLDER / f"{each}{size}.png" for each in TURNS for size in SIZES]
    assert max(path.stat().st_size for path in shown) < 100_000


def test_another_game_is_told_apart() -> None:
    first, *others = [Image.open(FOLDER / f"{protocol}.png") for protocol in TURNS]
    assert all(page_difference(first, other) > MOST_OF_A_PAGE for other in others)
