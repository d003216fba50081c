"""A person plays in the browser: by click in all five games, by typing, and with every secret kept from the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.tools import ROOT
from tests.web.browser.driver import Browser
from tests.web.playing import playing

pytestmark = pytest.mark.slow

AGENTS = ROOT / "sample_agents"
TABLES = {
    "splendor": 1, "heroes": 3, "rails": 1, "green_circle": 1, "drones": 1,
}  # fmt: skip
CHOICE = """
const [wanted] = arguments, all = [...document.getElementById("board").shadowRoot.querySelectorAll(".choice")];
const found = wanted ? all.find((each) => each.getAttribute("aria-label") === wanted) : all[0];
found.scrollIntoView({ block: "center" });
return found;
"""

SPELT = "const field = document.getElementById('play-text'); return !field.disabled && field.value !== ''"


def table(protocol: str) -> list[str]:
    return ["human", *[f"bot{seat}={AGENTS / protocol / 'random_moves.py'}" for seat in range(TABLES[protocol])]]


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


def click(browser: Browser, wanted: str = "") -> None:
    """Click the part of the drawing with this label; by default, the first one that can be clicked."""
    browser.run(CHOICE, wanted).click()


def play_by_clicks(browser: Browser) -> None:
    """Make one move with the first part of the drawing that is offered, and with the button where it needs that."""
    browser.until(lambda: asked(browser))
    before = own_moves(browser)
    for _ in range(12):
        click(browser)
        if browser.run(SPELT):
            browser.click("play-send")
        if not asked(browser):
            break
    browser.until(lambda: own_moves(browser) > before)


@pytest.mark.parametrize("protocol", TABLES)
def test_moves_are_made_by_clicks_on_a_projector_and_on_a_phone(
    browser: Browser, protocol: str, tmp_path: Path
) -> None:
    with playing(protocol, table(protocol), tmp_path) as run:
        browser.open(run.url)
        for width, moves in ((1280, 2), (400, 1)):
            browser.resize(width, 720)
            for _ in range(moves):
                play_by_clicks(browser)
            assert browser.fits()
        assert browser.text("play-problem") == ""
        assert browser.complaints() == []


def test_splendor_by_typing_and_by_clicks_with_returns_and_blind_reserves(browser: Browser, tmp_path: Path) -> None:
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
        for turn in (2, 3):
            for colour in ("red", "green", "blue"):
                browser.until(lambda: asked(browser))
                click(browser, f"Take a {colour} chip")
            browser.until(lambda turn=turn: own_moves(browser) == turn)  # type: ignore[misc]
        browser.until(lambda: asked(browser))
        click(browser, "Level 1 deck")
        click(browser, "Reserve the top card of the level 1 deck")
        browser.until(lambda: own_moves(browser) == 4 and asked(browser))
        click(browser, "Level 2 deck")
        click(browser, "Reserve the top card of the level 2 deck")
        assert "return" in browser.text("play-hint").lower()
        click(browser, "Return a red chip")
        browser.until(lambda: own_moves(browser) == 5)
        last = browser.run(
            "return window.page.story.turns.flatMap((turn) => turn.moves).filter((move) => move.seat === 0).at(-1).move"
        )
        assert last == "3 -2 0"


def test_two_towns_of_rails_are_joined_by_clicks(browser: Browser, tmp_path: Path) -> None:
    with playing("rails", table("rails"), tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: asked(browser))
        click(browser, "Town 1")
        click(browser, "Build to town 0")
        towns = browser.run("return page.story.position(0).view.towns.slice(0, 2).map((town) => `${town.x} ${town.y}`)")
        browser.until(lambda: browser.run(SPELT))
        browser.click("play-send")
        browser.until(lambda: own_moves(browser) == 1)
        assert browser.run("return page.story.moves(1)[0].move") == f"AUTOPLACE {towns[1]} {towns[0]}"


def test_arrow_keys_move_the_hero(browser: Browser, tmp_path: Path) -> None:
    with playing("heroes", table("heroes"), tmp_path) as run:
        browser.open(run.url)
        for turn, (key, move) in enumerate(((Keys.ARROW_UP, "North"), (" ", "Stay")), 1):
            browser.until(lambda: asked(browser))
            browser.keys(key)
            browser.until(lambda turn=turn: own_moves(browser) == turn)  # type: ignore[misc]
            moves = (
                "return page.story.turns.flatMap((turn) => turn.moves).filter((each) => each.seat === 0).at(-1).move"
            )
            assert browser.run(moves) == move


def test_the_keyboard_is_enough_the_clock_runs_and_leaving_keeps_the_record(browser: Browser, tmp_path: Path) -> None:
    with playing("heroes", table("heroes"), tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: asked(browser))
        assert clock(browser) is not None
        browser.run("window.realNow = Date.now; Date.now = () => window.realNow() + 65000")
        browser.until(lambda: (shown := clock(browser)) and shown[0] >= 65 and shown[0] == shown[1])
        browser.run("document.getElementById('board').focus()")
        browser.keys(Keys.TAB)
        assert browser.run("return document.activeElement.shadowRoot.activeElement.classList.contains('choice')")
        browser.keys(Keys.ENTER)
        browser.until(lambda: own_moves(browser) == 1 and asked(browser))
        browser.run("page.story.turns.flatMap((turn) => turn.moves).find((move) => move.seat === 0).wall_us = 7e6")
        browser.until(lambda: (shown := clock(browser)) and shown[1] == shown[0] + 7)
        browser.run("window.confirm = () => true")
        browser.click("play-leave")
        browser.until(lambda: run.left)
        browser.until(lambda: browser.visible("rematch"))
        assert not browser.visible("play"), "nothing is left to click in a game that is over"
        assert browser.run("return window.page.story.document.live") is False
        assert "seed" in browser.text("facts"), "the whole game is shown"
        assert run.request("/record")[0] == 200
        browser.click("rematch")
        assert run.people.wants_rematch()
    assert "left the game" in run.left[0]
    (record,) = tmp_path.rglob("*.jsonl")
    assert len(record.read_bytes().splitlines()) >= 2


def test_the_end_of_the_game_shows_everything_and_the_next_game_waits(browser: Browser, place: Path) -> None:
    from tests.nullgame.place import adder

    with playing("count_up", ["human", adder(place, "adds", 2)], place / "games", options={"turns": 2}, games=2) as run:
        browser.open(run.url)
        for _ in range(9):
            browser.until(lambda: asked(browser) or "Next" in browser.text("state"))
            if "Next" in browser.text("state"):
                break
            browser.driver.find_element("id", "play-text").send_keys("1", Keys.ENTER)
            browser.until(lambda: not asked(browser))
        browser.until(lambda: "Next" in browser.text("state"))
        browser.until(lambda: "seed" in browser.text("facts"))  # nothing is secret any more
        assert browser.text("result").startswith("You lost 1 : 2.")
        assert not browser.visible("play")
        browser.driver.find_element("css selector", "#state button").click()
        browser.until(lambda: asked(browser))
