"""What the drawings of the five games look like, as small grey pictures in approved/.

``python -m tests.web.approved`` writes them again: look at the pages first, since from then on they are right. The pictures
have the board only, light and dark, at the width of a projector and of a phone, and are so small that letters are grey
spots: another font or another version of the browser hardly changes them.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arbiter.web.library import Library
from tests.tools import ROOT
from tests.web.browser.driver import Browser, chromium
from tests.web.pictures import SIZES, TURNS
from tests.web.served import serving
from tests.web.small_png import grey_png, grey_rows

HERE = Path(__file__).with_name("approved")
WIDTH = 96
BLOCK = 8
"""Pixels of a side of the blocks that are compared."""
MOST_MEAN, MOST_BLOCK = 0.008, 0.075
"""How much brightness may differ, of 1: over the whole picture, and in any one block of it. Another font makes up to
0.005 and 0.06."""
SVG = "document.getElementById('board').shadowRoot.querySelector('svg')"
_PAINTED = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"
_SHRINK = """
const [data, width, done] = arguments;
// A bitmap is made of bytes, not of an address, so the policy of the page allows it.
createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))])).then((image) => {
  const height = Math.round((width * image.height) / image.width);
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.imageSmoothingQuality = "high";
  canvas.drawImage(image, 0, 0, width, height);
  const { data: bytes } = canvas.getImageData(0, 0, width, height), grey = [];
  for (let at = 0; at < bytes.length; at += 4) grey.push(Math.round(0.299 * bytes[at] + 0.587 * bytes[at + 1] + 0.114 * bytes[at + 2]));
  done([width, height, btoa(String.fromCharCode(...grey))]);
});
"""


@dataclass(frozen=True, slots=True)
class Grey:
    """A grey picture."""

    width: int
    height: int
    pixels: bytes

    @classmethod
    def read(cls, path: Path) -> Grey:
        return cls(*grey_rows(path.read_bytes()))

    def png(self) -> bytes:
        return grey_png(self.width, self.height, self.pixels)

    def difference(self, other: Grey) -> tuple[float, float]:
        """Return how much two pictures differ, from 0 to 1: on average, and in the block where they differ most."""
        if (self.width, self.height) != (other.width, other.height):
            return 1.0, 1.0
        apart = [abs(one - two) / 255 for one, two in zip(self.pixels, other.pixels, strict=True)]
        blocks: dict[tuple[int, int], list[float]] = {}
        for at, value in enumerate(apart):
            blocks.setdefault((at % self.width // BLOCK, at // self.width // BLOCK), []).append(value)
        return sum(apart) / len(apart), max(sum(block) / len(block) for block in blocks.values())

    def looks_like(self, other: Grey) -> bool:
        mean, worst = self.difference(other)
        return mean <= MOST_MEAN and worst <= MOST_BLOCK


def board(browser: Browser) -> Grey:
    """Return the board of the page that is open. Leaves the page as it is."""
    browser.driver.execute_async_script(_PAINTED)
    shown = browser.run(
        f"const {{ x, y, width, height }} = {SVG}.getBoundingClientRect();"
        "return { x: x + scrollX, y: y + scrollY, width, height, scale: 1 }"
    )
    options = {"format": "png", "captureBeyondViewport": True, "clip": shown}
    data = browser.driver.execute_cdp_cmd("Page.captureScreenshot", options)["data"]
    width, height, grey = browser.driver.execute_async_script(_SHRINK, data, WIDTH)
    return Grey(width, height, base64.b64decode(grey))


def pages(browser: Browser, protocol: str) -> Iterator[str]:
    """Open the page of a sample game in every size and colour, and yield the name of its picture."""
    with serving(Library([ROOT / "matches" / "samples" / f"{protocol}.jsonl"])) as served:
        for size, (width, height) in SIZES.items():
            for dark in (False, True):
                browser.resize(width, height, dark=dark)
                browser.open(served.url(f"/game/{served.library.newest}#turn={TURNS[protocol]}"))
                yield f"{protocol}{size}{'-dark' if dark else ''}.png"


def main() -> None:
    """Approve what the drawings look like now."""
    HERE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        for protocol in TURNS:
            for name in pages(browser, protocol):
                (HERE / name).write_bytes(board(browser).png())


if __name__ == "__main__":
    main()
