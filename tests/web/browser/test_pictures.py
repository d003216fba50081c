"""The pages look like the pictures in the documentation, within what fonts and small changes explain."""

from __future__ import annotations

import base64

from tests.web.browser.driver import Browser
from tests.web.pictures import FOLDER, SIZES, TURNS, pictures

LARGEST_BYTES = 100_000
MOST_DIFFERENT = 0.03
"""Mean difference of brightness over a grid of 64 by 64 cells; another turn, or a part that is missing, is well above it."""
_COMPARE = """
const done = arguments[2], grid = 64;
const cells = (data) => new Promise((resolve, reject) => {
  const image = new Image();
  image.onerror = reject;
  image.onload = () => {
    const canvas = new OffscreenCanvas(grid, grid).getContext("2d");
    canvas.drawImage(image, 0, 0, grid, grid);
    resolve([`${image.width}x${image.height}`, canvas.getImageData(0, 0, grid, grid).data]);
  };
  image.src = `data:image/png;base64,${data}`;
});
Promise.all([cells(arguments[0]), cells(arguments[1])]).then(([[size, one], [other, two]]) => {
  done(size === other ? one.reduce((sum, value, index) => sum + Math.abs(value - two[index]), 0) / one.length / 255 : 1);
});
"""


def difference(browser: Browser, one: bytes, other: bytes) -> float:
    texts = [base64.b64encode(data).decode() for data in (one, other)]
    return float(browser.driver.execute_async_script(_COMPARE, *texts))


def test_the_pages_look_like_the_pictures(browser: Browser) -> None:
    made = dict(pictures(browser))
    assert len(made) == len(SIZES) * len(TURNS)
    browser.driver.get("about:blank")
    for name, data in made.items():
        approved = (FOLDER / name).read_bytes()
        assert len(approved) < LARGEST_BYTES, name
        assert difference(browser, approved, data) < MOST_DIFFERENT, (
            f"{name}: python -m tests.web.pictures makes it again"
        )


def test_another_game_or_another_turn_is_told_apart(browser: Browser) -> None:
    browser.driver.get("about:blank")
    pages = [(FOLDER / f"{protocol}.png").read_bytes() for protocol in TURNS]
    assert all(difference(browser, pages[0], other) > MOST_DIFFERENT for other in pages[1:])
