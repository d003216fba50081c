"""Pages that follow what is happening: a game that is being played, the next game of a series, a contest."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.web.library import Library, game_id
from tests.records import games
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow


def append(path: Path, *lines: bytes) -> None:
    with path.open("ab") as file:
        file.write(b"".join(lines))


def whole(place: Path) -> list[bytes]:
    return games.counting(place / "whole.jsonl").path.read_bytes().splitlines(keepends=True)


def test_a_game_advances_as_it_is_played_and_ends_with_its_result(
    browser: Browser, served: Served, shelf: Path, place: Path
) -> None:
    lines, path = whole(place), shelf / "growing.jsonl"
    append(path, *lines[:2])
    browser.open(served.url(f"/game/{game_id(path)}"))
    assert browser.text("state") == "● live"
    for turn, line in enumerate(lines[2:-1], 2):
        append(path, line)
        browser.until(lambda turn=turn: browser.turn == turn)  # type: ignore[misc]
    append(path, lines[-1])
    browser.until(lambda: "bot 1 wins" in browser.text("result"))
    assert browser.text("state") == ""
    assert browser.complaints() == []


def test_a_viewer_who_looks_back_stays_there_while_the_game_goes_on(
    browser: Browser, served: Served, shelf: Path, place: Path
) -> None:
    lines, path = whole(place), shelf / "growing.jsonl"
    append(path, *lines[:4])
    browser.open(served.url(f"/game/{game_id(path)}"))
    browser.keys("1", Keys.ENTER)
    append(path, *lines[4:6])
    browser.until(lambda: browser.text("turn-count") == "of 5")
    assert browser.turn == 1


def test_the_next_game_of_a_series_opens_by_itself(browser: Browser, shelf: Path) -> None:
    library = Library([shelf / "counted.jsonl"])
    library.growing = True
    with serving(library) as served, browser.hurrying():
        browser.open(served.url(f"/game/{library.newest}#result"))
        following = library.add(shelf / "sold.jsonl")
        browser.until(lambda: browser.driver.current_url.split("#")[0].endswith(following))


def test_the_list_shows_games_being_played_and_new_results(
    browser: Browser, served: Served, shelf: Path, place: Path
) -> None:
    browser.open(served.url("/games"))
    assert not browser.visible("playing")
    lines, path = whole(place), shelf / "growing.jsonl"
    append(path, *lines[:3])
    browser.until(lambda: browser.visible("playing"))
    assert browser.text("count") == "3 games"
    append(path, *lines[3:])
    browser.until(lambda: not browser.visible("playing"))
    assert browser.complaints() == []
