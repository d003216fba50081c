"""A person plays in the browser: by click in all five games, by typing, and with every secret kept from the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from tests.tools import ROOT
from tests.web.browser.driver import Browser
from tests.web.playing import playing

AGENTS = ROOT / "sample_agents"
TABLES = {
    "splendor": 1, "heroes": 3, "rails": 1, "green_circle": 1, "drones": 1,
}  # fmt: skip
CHOICES = "return [...document.getElementById('board').shadowRoot.querySelectorAll('.choice')]"

SPELT = "const field = document.getElementById('play-text'); return !field.disabled && field.value !== ''"


def table(protocol: str) -> list[str]:
    return ["human", *[f"bot{seat}={AGENTS / protocol / 'random_moves.py'}" for seat in range(TABLES[protocol])]]


def choices(browser: Browser) -> list[WebElement]:
    found: list[WebElement] = browser.run(CHOICES)
    return found


def asked(browser: Browser) -> bool:
    return bool(browser.run("return Boolean(window.page?.play?.question)"))


def own_moves(browser: Browser) -> int:
    return int(
        browser.run(
            "return window.page.story.turns.flatMap((turn) => turn.moves).filter((move) => move.seat === 0).length"
        )
    )


def clock(browser: Browser) -> tuple[int, int] | None:
    """The seconds that the page shows for this move and in all, while the person is asked."""
    shown = re.fullmatch(r"(\d+):(\d\d) for this move · (\d+):(\d\d) in all", browser.text("play-clock"))
    return (60 * int(shown[1]) + int(shown[2]), 60 * int(shown[3]) + int(shown[4])) if shown else None


def click(browser: Browser, wanted: str) -> None:
    """Click the first part of the drawing whose label begins so."""
    next(each for each in choices(browser) if (each.get_attribute("aria-label") or "").startswith(wanted)).click()


@pytest.mark.parametrize("protocol", TABLES)
@pytest.mark.parametrize("width", [1280, 400])
def test_a_move_can_be_made_by_clicks(browser: Browser, protocol: str, width: int, tmp_path: Path) -> None:
    browser.resize(width, 720)
    with playing(protocol, table(protocol), tmp_path) as run:
        browser.open(run.url)
        for move in range(1, 4):
            browser.until(lambda: asked(browser))
            assert choices(browser), "nothing can be clicked"
            for _ in range(12):
                if browser.run("return window.page.play.question === null"):
                    break
                offered = choices(browser)
                browser.run("arguments[0].scrollIntoView({block: 'center'})", offered[0])
                offered[0].click()
                if browser.run(SPELT):
                    browser.click("play-send")
            browser.until(lambda move=move: own_moves(browser) >= move)  # type: ignore[misc]
        assert browser.text("play-problem") == ""
        assert browser.complaints() == []


def test_splendor_returns_chips_and_reserves_blind_by_click(browser: Browser, tmp_path: Path) -> None:
    with playing("splendor", table("splendor"), tmp_path) as run:
        browser.open(run.url)
        for turn in range(3):
            for colour in ("red", "green", "blue"):
                browser.until(lambda: asked(browser))
                click(browser, f"Take a {colour} chip")
            browser.until(lambda turn=turn: own_moves(browser) == turn + 1)  # type: ignore[misc]
        browser.until(lambda: asked(browser))
        click(browser, "Reserve the top card of the level 1 deck")
        browser.until(lambda: own_moves(browser) == 4)
        browser.until(lambda: asked(browser))
        click(browser, "Reserve the top card of the level 2 deck")
        assert "return" in browser.text("play-hint").lower()
        click(browser, "Return a red chip")
        browser.until(lambda: own_moves(browser) == 5)
        last = browser.run(
            "return window.page.story.turns.flatMap((turn) => turn.moves).filter((move) => move.seat === 0).at(-1).move"
        )
        assert last == "3 -2 0"


def test_a_typed_move_is_played_and_an_illegal_one_explained(browser: Browser, tmp_path: Path) -> None:
    with playing("splendor", table("splendor"), tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: asked(browser))
        field = browser.driver.find_element("id", "play-text")
        field.send_keys("4 1000", Keys.ENTER)
        browser.until(lambda: "1000" in browser.text("play-problem"))
        assert field.get_attribute("value") == "4 1000", "what was typed stays, to be corrected"
        field.clear()
        field.send_keys("1 3 0 1 2", Keys.ENTER)
        browser.until(lambda: own_moves(browser) == 1)
        assert browser.text("play-problem") == ""


def test_a_move_can_be_made_with_the_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    with playing("heroes", table("heroes"), tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: asked(browser))
        browser.run(f"({CHOICES.removeprefix('return ')})[0].focus()")
        browser.keys(Keys.ENTER)
        browser.until(lambda: own_moves(browser) == 1)


def test_the_clock_of_the_person_runs_and_adds_up(browser: Browser, tmp_path: Path) -> None:
    with playing("heroes", table("heroes"), tmp_path) as run:
        browser.open(run.url)
        first = browser.until(lambda: (shown := clock(browser)) and shown[0] >= 1 and shown)
        assert first[0] == first[1]
        click(browser, "Stay")
        browser.until(lambda: own_moves(browser) == 1 and asked(browser))
        browser.until(lambda: (shown := clock(browser)) and shown[1] >= shown[0] + first[0])


def test_the_end_of_the_game_shows_everything_and_the_next_game_waits(browser: Browser, place: Path) -> None:
    from tests.nullgame.place import adder

    with playing("count_up", ["human", adder(place, "adds", 2)], place / "games", options={"turns": 2}, games=2) as run:
        browser.open(run.url)
        for _ in range(9):
            browser.until(lambda: asked(browser) or "next" in browser.text("state"))
            if "next" in browser.text("state"):
                break
            browser.driver.find_element("id", "play-text").send_keys("1", Keys.ENTER)
            browser.until(lambda: not asked(browser))
        browser.until(lambda: "next" in browser.text("state"))
        browser.until(lambda: "seed" in browser.text("facts"))  # nothing is secret any more
        assert "win" in browser.text("result")
        assert not browser.visible("play")
        browser.driver.find_element("css selector", "#state button").click()
        browser.until(lambda: asked(browser))


def test_leaving_ends_the_game_and_keeps_its_record(browser: Browser, tmp_path: Path) -> None:
    with playing("heroes", table("heroes"), tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: asked(browser))
        browser.run("window.confirm = () => true")
        browser.click("play-leave")
        browser.until(lambda: run.left)
    assert "left the game" in run.left[0]
