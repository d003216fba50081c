"""The page of a game in a real browser: every bundled game, the keys, the slider, links, the result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.records.reader import load
from arbiter.web.library import Library, game_id
from tests.records import games
from tests.tools import ROOT
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving

SAMPLES = ROOT / "matches" / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.jsonl"))


@pytest.fixture(scope="module")
def samples() -> Iterator[Served]:
    with serving(Library(folder=SAMPLES)) as served:
        yield served


@pytest.fixture
def counted(browser: Browser, place: Path) -> Iterator[Browser]:
    """The page of a game with faults in turns 3 to 6 of 8, never seen before."""
    path = games.counting(place / "counted.jsonl").path
    with serving(Library([path])) as served:
        forget = {"origin": served.url().rstrip("/"), "storageTypes": "local_storage"}
        browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", forget)
        yield browser.open(served.url(f"/game/{game_id(path)}"))
        assert browser.complaints() == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "dark"), [(1280, False), (400, True)])
def test_first_middle_and_last_turn_are_shown_without_complaints(
    browser: Browser, samples: Served, name: str, width: int, dark: bool
) -> None:
    path = SAMPLES / f"{name}.jsonl"
    last = load(path).answers[-1].turn
    browser.resize(width, 800, dark=dark)
    for turn in (0, last // 2, last):
        browser.open(samples.url(f"/game/{game_id(path)}#turn={turn}"))
        assert browser.turn == turn
        assert (
            browser.run("const b = document.getElementById('board'); return (b.shadowRoot ?? b).textContent.length")
            > 40
        )
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), "the page scrolls sideways"
        assert browser.complaints() == []


@pytest.mark.parametrize(
    ("keys", "turn"),
    [
        ([Keys.ARROW_RIGHT], 1), ([Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT], 1), ([Keys.ARROW_LEFT], 0), ([Keys.END], 8),
        ([Keys.END, Keys.ARROW_RIGHT], 8), ([Keys.END, Keys.HOME], 0), (["5", Keys.ENTER], 5), (["9", "9", Keys.ENTER], 8), (["f"], 3),
        (["f", "f", "f", "f", "f"], 6), ([Keys.END, "F"], 6), (["5", Keys.ARROW_RIGHT, Keys.ENTER], 1),
    ],
)  # fmt: skip
def test_keys(counted: Browser, keys: list[str], turn: int) -> None:
    counted.keys(*keys)
    assert counted.turn == turn
    counted.until(lambda: counted.run("return location.hash") == f"#turn={turn}")


def test_space_plays_and_pauses(counted: Browser) -> None:
    counted.keys("+", "+", "+", "+", "+", " ")
    counted.until(lambda: counted.turn == 8)
    assert counted.until(
        lambda: counted.run("return document.getElementById('toggle').getAttribute('aria-label')") == "Play"
    )


def test_the_question_mark_opens_the_help_and_escape_closes_it(counted: Browser) -> None:
    counted.keys("?")
    assert counted.visible("help")
    counted.keys(Keys.ESCAPE)
    counted.until(lambda: not counted.visible("help"))


def test_the_buttons_and_the_slider(counted: Browser) -> None:
    for name, turn in (("next", 1), ("next", 2), ("previous", 1), ("last", 8), ("first", 0)):
        counted.click(name)
        assert counted.turn == turn
    counted.run("const s = document.getElementById('slider'); s.value = 4; s.dispatchEvent(new Event('input'))")
    assert counted.run("return document.getElementById('turn-box').value") == "4"
    assert counted.run("return document.querySelector('#marks .fault').getAttribute('d').split('M').length - 1") == 4


def test_the_result_is_hidden_until_the_end(counted: Browser) -> None:
    assert counted.text("result") == ""
    assert counted.visible("reveal")
    counted.keys("3", Keys.ENTER)
    assert counted.run("return document.querySelectorAll('#moves li').length") == 3
    assert counted.text("moves-rest") == "5 more turns to see"
    assert counted.text("result") == ""
    counted.keys(Keys.END)
    assert "bot 1 wins" in counted.text("result")
    assert counted.run("return document.querySelectorAll('#moves li').length") == 8
    counted.driver.refresh()
    counted.until(lambda: counted.run("return document.documentElement.dataset.ready"))
    counted.keys(Keys.HOME)
    assert "bot 1 wins" in counted.text("result"), "a game that has been seen hides nothing"


def test_a_link_names_a_turn_and_another_one_the_result(counted: Browser) -> None:
    address = counted.driver.current_url.split("#")[0]
    counted.open(f"{address}#turn=5")
    assert (counted.turn, counted.text("result")) == (5, "")
    counted.run("location.hash = '#turn=2'")
    counted.until(lambda: counted.turn == 2)
    counted.open(f"{address}#result")
    assert counted.turn == 8
    assert "bot 1 wins" in counted.text("result")


def test_a_turn_is_found_by_its_round_and_by_its_ply(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'heroes.jsonl')}#ply=36"))
    turn = browser.turn
    assert browser.text("turn-numbers") == "· round 10, ply 36"
    browser.keys(Keys.HOME, "1", "0", "r", Keys.ENTER)
    assert (browser.turn, browser.text("turn-numbers")) == (turn, "· round 10, ply 36")
    assert "round 10" in browser.text("moves")


def test_details_of_a_fault_with_what_was_said_and_the_input(counted: Browser) -> None:
    counted.keys("f")
    counted.click("tab-details")
    details = counted.text("details")
    assert "garbled" in details
    assert "zehn" in details
    assert "arbiter inputs counted.jsonl --turn 3 --seat 0" in details
    counted.run("document.querySelector('#details details').open = true")
    shown = counted.until(lambda: counted.run("return document.querySelector('#details details pre').textContent"))
    assert shown.startswith("seat 0 of 2\n")


def test_moves_in_words_and_what_was_said_about_them(counted: Browser) -> None:
    counted.keys(Keys.ARROW_RIGHT)
    assert "adds 1" in counted.text("caption")
    assert "grüße, 世界 🂡" in counted.text("caption")
    counted.run("document.querySelector('#moves button').click()")
    assert counted.turn == 1


def test_a_long_game_lists_the_moves_around_the_turn(browser: Browser, samples: Served) -> None:
    numbers = "return [...document.querySelectorAll('#moves button')].map((row) => Number(row.dataset.turn))"
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'heroes.jsonl')}#result"))
    assert browser.run(numbers) == list(range(380, 401))
    browser.keys("2", "0", "0", Keys.ENTER)
    assert browser.run(numbers) == list(range(180, 221))
    browser.click("moves-earlier")
    assert browser.run(numbers) == list(range(140, 221))
    browser.keys(*[Keys.ARROW_RIGHT] * 17)
    assert browser.run(numbers) == list(range(196, 237))
    assert browser.run("return document.querySelector('#moves [aria-current]').dataset.turn") == "217"


def test_what_agents_say_after_the_game_is_shown_at_its_end(browser: Browser, served: Served, shelf: Path) -> None:
    browser.open(served.url(f"/game/{game_id(shelf / 'sold.jsonl')}#turn=3"))
    assert "thanks" not in browser.text("caption")
    browser.keys(Keys.END)
    assert "thanks" in browser.text("caption")


def test_charts_of_score_and_time(counted: Browser) -> None:
    counted.keys(Keys.END)
    counted.click("tab-charts")
    counted.until(lambda: counted.run("return document.querySelectorAll('#time-chart .bars').length") == 4)
    assert counted.run("return document.querySelector('#time-chart .bad').getAttribute('d').length > 0")


def test_tabs_by_keyboard(counted: Browser) -> None:
    counted.run("document.getElementById('tab-moves').focus()")
    counted.keys(Keys.ARROW_RIGHT)
    assert counted.visible("details")
    assert counted.turn == 0, "the arrow key belongs to the tabs while they have the focus"


def test_dark_and_light(counted: Browser) -> None:
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = counted.run(colour)
    counted.keys("t")
    assert counted.run("return document.documentElement.dataset.theme") == "dark"
    assert counted.run(colour) != light


def test_the_record_can_be_downloaded(counted: Browser, place: Path) -> None:
    folder = place / "downloads"
    counted.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    counted.click("download")
    counted.until(lambda: (folder / "counted.jsonl").exists() and (folder / "counted.jsonl").stat().st_size > 0)
    assert (folder / "counted.jsonl").read_bytes() == (place / "counted.jsonl").read_bytes()


def test_a_game_that_cannot_be_shown_says_why(browser: Browser, served: Served) -> None:
    browser.open(served.url("/game/0000000000000000"))
    assert browser.text("problem") == "no such game; it may have been moved or deleted"
