"""The pictures in docs/pictures: the pages of the sample games, on a projector and on a phone.

``python -m tests.web.pictures`` makes them again; a test compares them with what the pages look like now.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from arbiter.web.library import Library
from tests.tools import ROOT
from tests.web.browser.driver import Browser, chromium
from tests.web.served import serving
from tests.web.small_png import smaller

FOLDER = ROOT / "docs" / "pictures"
TURNS = {"splendor": 41, "heroes": 238, "rails": 30, "green_circle": 60, "drones": 38}
"""By protocol: a turn of its sample game at which there is something to see."""
SIZES = {"": (1280, 720), "-phone": (400, 860)}


def pictures(browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Yield the file name and the PNG data of each picture."""
    for protocol, turn in TURNS.items():
        with serving(Library([ROOT / "matches" / "samples" / f"{protocol}.jsonl"])) as served:
            for name, (width, height) in SIZES.items():
                browser.resize(width, height)
                browser.open(served.url(f"/game/{served.library.newest}#turn={turn}"))
                yield f"{protocol}{name}.png", browser.driver.get_screenshot_as_png()


def main() -> None:
    """Make the pictures."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as profile, chromium(Path(profile)) as browser:
        for name, data in pictures(browser):
            (FOLDER / name).write_bytes(smaller(browser, data))


if __name__ == "__main__":
    main()
