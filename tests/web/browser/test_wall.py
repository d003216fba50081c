"""The page for a projector."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.web.library import Library
from tests.records import games
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow

SHOWN = "return [...document.querySelectorAll('#players bdi')].map((each) => each.textContent).join()"


def running(shelf: Path, name: str, lines: int) -> tuple[Path, list[bytes]]:
    """A game that has been played up to some line, and the lines that are still to come."""
    whole = games.counting(shelf.parent / f"whole-{name}").path.read_bytes().splitlines(keepends=True)
    path = shelf / name
    path.write_bytes(b"".join(whole[:lines]))
    return path, whole[lines:]


def test_a_running_game_is_followed_to_its_result(browser: Browser, served: Served, shelf: Path) -> None:
    path, rest = running(shelf, "growing.jsonl", 3)
    with browser.hurrying():
        browser.open(served.url("/wall"))
    browser.until(lambda: "bot 1" in browser.run(SHOWN))
    assert browser.run("return document.documentElement.dataset.theme") == "dark"
    assert "★" not in browser.run(SHOWN)
    with path.open("ab") as file:
        file.write(b"".join(rest))
    browser.until(lambda: "★ bot 1" in browser.run(SHOWN))
    browser.until(lambda: browser.run("return document.querySelectorAll('#results li').length") == 3)
    assert browser.complaints() == []


def test_running_games_take_turns(browser: Browser, place: Path) -> None:
    shelf = place / "running"
    shelf.mkdir()
    running(shelf, "first.jsonl", 2)
    running(shelf, "second.jsonl", 3)
    opened = "return performance.getEntriesByType('resource').filter((each) => /data.game.[0-9a-f]+$/.test(each.name)).length"
    with serving(Library(folder=shelf)) as served:
        browser.open(served.url("/wall"))
        browser.until(lambda: browser.run(opened) == 1)
        browser.run("window.realNow = Date.now; Date.now = () => window.realNow() + 20000")
        browser.until(lambda: browser.run(opened) >= 2)


def test_without_running_games_the_latest_is_shown_again(browser: Browser, served: Served) -> None:
    with browser.hurrying():
        browser.open(served.url("/wall"))
    browser.until(lambda: "★" in browser.run(SHOWN))
