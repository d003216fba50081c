"""What the pages look like: pictures in docs/pictures, and small grey ones of the boards in approved/.

``make pictures`` makes them all again: look at the pages first, since from then on they are right.
The pictures in the documentation are whole pages, on a projector and on a phone. The approved ones have the board only,
dark as well, and are so small that letters are grey spots: another font or another version of the browser hardly changes
them.
"""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from arbiter.web.library import Library, game_id
from tests.tools import ROOT
from tests.web.browser.driver import Browser, chromium
from tests.web.served import Served, serving
from tests.web.small_png import smaller

FOLDER = ROOT / "docs" / "pictures"
APPROVED = Path(__file__).with_name("approved")
SAMPLES = ROOT / "matches" / "samples"
TURNS = {"splendor": 41, "heroes": 238, "rails": 30, "green_circle": 60, "drones": 38}
"""By protocol: a turn of its sample game at which there is something to see."""
SIZES = {"": (1280, 720), "-phone": (400, 860)}
WIDTH = 96
BLOCK = 8
"""Pixels of a side of the blocks of a small picture that are compared."""
_PAINTED = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
SVG = "document.getElementById('board').shadowRoot.querySelector('svg')"


@dataclass(frozen=True, slots=True)
class View:
    """One way to look at the page of a sample game."""

    protocol: str
    size: str
    dark: bool

    @property
    def page(self) -> Path:
        """The picture in the documentation; there are light ones only."""
        return FOLDER / f"{self.protocol}{self.size}.png"

    @property
    def board(self) -> Path:
        """The approved picture."""
        return APPROVED / f"{self.protocol}{self.size}{'-dark' if self.dark else ''}.png"


def views(browser: Browser, served: Served, protocol: str) -> Iterator[View]:
    """Open the page of a sample game, and show it in every size, dark and then light."""
    address = served.url(f"/game/{game_id(SAMPLES / f'{protocol}.jsonl')}#turn={TURNS[protocol]}")
    for size, (width, height) in SIZES.items():
        for dark in (True, False):
            browser.resize(width, height, dark=dark)
            if address:
                browser.open(address)
                address = ""
            yield View(protocol, size, dark)


def page_picture(browser: Browser) -> bytes:
    """Return a picture of the window, as PNG."""
    browser.driver.execute_async_script(_PAINTED)
    return browser.driver.get_screenshot_as_png()


def board_picture(browser: Browser) -> Image.Image:
    """Return a small grey picture of the board."""
    browser.driver.execute_async_script(_PAINTED)
    clip = browser.run(
        f"const {{ x, y, width, height }} = {SVG}.getBoundingClientRect();"
        "return { x: x + scrollX, y: y + scrollY, width, height, scale: 1 }"
    )
    options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
    data = browser.driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    image = Image.open(io.BytesIO(base64.b64decode(data))).convert("L")
    return image.resize((WIDTH, round(WIDTH * image.height / image.width)), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """Return how much the brightness of two pictures differs, of 1: on average, and in the block where it differs most."""
    if one.size != other.size:
        return 1.0, 1.0
    apart = ImageChops.difference(one.convert("L"), other.convert("L"))
    blocks = apart.resize((-(-one.width // BLOCK), -(-one.height // BLOCK)), Image.Resampling.BOX)
    return ImageStat.Stat(apart).mean[0] / 255, blocks.getextrema()[1] / 255  # type: ignore[operator]


def main() -> None:
    """Make the pictures."""
    with (
        tempfile.TemporaryDirectory() as profile,
        chromium(Path(profile)) as browser,
        serving(Library(folder=SAMPLES)) as served,
    ):
        for protocol in TURNS:
            for view in views(browser, served, protocol):
                board_picture(browser).save(view.board, optimize=True)
                if not view.dark:
                    view.page.write_bytes(smaller(page_picture(browser)))


if __name__ == "__main__":
    main()
