"""The pictures of the arena's pages in docs/pictures; ``make pictures`` writes them."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from tests.arena.browser.test_day import SWISS, organiser_page, play_all, submit, type_in
from tests.arena.served import KEYS, Served, served
from tests.web.browser.driver import Browser, chromium
from tests.web.pictures import FOLDER
from tests.web.small_png import smaller


def day(browser: Browser, arena: Served) -> None:
    """Play a round, and open the next one."""
    organiser_page(browser, arena)
    type_in(browser, "match-text", SWISS.replace("{rounds: 1,", "{rounds: 30,"))
    submit(browser, "match-form")
    browser.until(lambda: "Autumn cup" in browser.text("title"))
    browser.click("open-round")
    browser.until(lambda: "round 1" in browser.text("live"))
    choose = random.Random(3)
    play_all(arena, KEYS, lambda _: choose.choice(("North", "East", "South", "West")))
    browser.until(lambda: "4 of 4 games played" in browser.text("stages"))
    browser.click("open-round")
    browser.until(lambda: "round 2" in browser.text("live"))
    arena.organise("/notice", text="Round 2 starts at 14:00")


def main(folder: Path = FOLDER) -> None:
    """Make the pictures."""
    with (
        tempfile.TemporaryDirectory() as place,
        chromium(Path(place) / "profile") as browser,
        served(Path(place) / "arena", settings={"options": {"rounds": 30, "map": "m1"}}) as arena,
    ):
        browser.resize(1280, 900)
        day(browser, arena)
        for name, path in (("organiser", "/organiser"), ("today", "/"), ("wall", "/wall")):
            for suffix, width, height in (("", 1280, 900), ("-phone", 400, 860)):
                browser.resize(width, height)
                browser.open(arena.url + path)
                browser.until(lambda: "Autumn" in browser.text("title"))
                if name == "wall":
                    browser.until(lambda: browser.text("players"))
                data = browser.driver.get_screenshot_as_png()
                (folder / f"arena-{name}{suffix}.png").write_bytes(smaller(data))


if __name__ == "__main__":
    main()
