"""The pages of the sample games, in docs/pictures: whole pages, on a projector and on a phone, and one game
as an animated picture. ``make pictures`` makes them all again; nothing is compared with them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arbiter.config.workspace import Workspace
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.gif_export import gif
from arbiter.web.library import Library, game_id
from tests.tools import ROOT
from tests.web.browser.driver import Browser, chromium
from tests.web.served import Served, serving
from tests.web.small_png import smaller

FOLDER = ROOT / "docs" / "pictures"
SAMPLES = ROOT / "matches" / "samples"
TURNS = {"splendor": 41, "heroes": 238, "rails": 30, "green_circle": 60, "drones": 38}
"""By protocol: a turn of its sample game at which there is something to see."""
SIZES = {"": (1280, 720), "-phone": (400, 860)}
_THEME = "return document.documentElement.dataset.theme"
_PAINTED = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))"


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


def views(browser: Browser, served: Served, protocol: str) -> Iterator[View]:
    """Open the page of a sample game, and show it in every size, dark and then light."""
    address = served.url(f"/game/{game_id(SAMPLES / f'{protocol}.jsonl')}#turn={TURNS[protocol]}")
    for size, (width, height) in SIZES.items():
        for dark in (True, False):
            browser.resize(width, height, dark=dark)
            if address:
                browser.open(address)
                address = ""
            browser.until(lambda theme="dark" if dark else "light": browser.run(_THEME) == theme)  # type: ignore[misc]
            browser.driver.execute_async_script(_PAINTED)
            yield View(protocol, size, dark)


def page_picture(browser: Browser) -> bytes:
    """Return a picture of the window, as PNG."""
    return browser.driver.get_screenshot_as_png()


def main() -> None:
    """Make the pictures."""
    sample = load_record(SAMPLES / "heroes.jsonl")
    animated = gif(sample, find_protocol("heroes", Workspace()), width=720, most_frames=40)
    (FOLDER / "heroes.gif").write_bytes(animated)
    with (
        tempfile.TemporaryDirectory() as profile,
        chromium(Path(profile)) as browser,
        serving(Library(folder=SAMPLES)) as served,
    ):
        for protocol in TURNS:
            for view in views(browser, served, protocol):
                if not view.dark:
                    view.page.write_bytes(smaller(page_picture(browser)))


if __name__ == "__main__":
    main()
