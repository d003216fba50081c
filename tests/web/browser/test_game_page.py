"""The page of a game in a real browser: every bundled game, the keys, the slider, links, the result."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.records.reader import load_record
from arbiter.web.library import Library, game_id
from tests.records import games
from tests.web.browser import contrast
from tests.web.browser.conftest import SAMPLES
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow

NAMES = sorted(path.stem for path in SAMPLES.glob("*.jsonl"))
MOVING = """
const root = document.getElementById("board").shadowRoot;
root.getAnimations().forEach((each) => each.finish());
page.go(page.turn + arguments[0]);
return root.getAnimations().map((each) => each.effect.getComputedTiming().endTime);
"""
"""Goes some turns on, and returns how long each animation of it takes, in milliseconds."""
IN_REACH = "scrollTo(0, 0); return document.querySelector('.controls').getBoundingClientRect().bottom <= innerHeight"
GHOSTS = "return document.getElementById('board').shadowRoot.querySelectorAll('svg > g[aria-hidden]').length"


DIFFERENT = """
const [count, done] = arguments, wrong = [];
Promise.all([import("/static/svg.js"), import("/static/board.js")]).then(([{ el, toDom }, { drawingContext }]) => {
  const { parts: { board }, story } = page;
  for (let index = 0; index < count; index++) {
    const turn = index % 3 ? Math.min(story.last, page.turn + 1) : (index * 487) % (story.last + 1);
    page.go(turn, { quick: index % 2 === 0, keep: true });
    board.motion.stop();
    const tree = board.drawing.draw(story.position(turn).view, drawingContext(story, turn, board.narrow), el, board.shapes);
    if (!board.drawn.root.isEqualNode(toDom(tree))) wrong.push(turn);
  }
  done(wrong);
});
"""
"""Jumps and steps, and returns the turns whose drawing, changed from the one before it, differs from a new one."""


@pytest.fixture(scope="module")
def counting(shared_place: Path) -> Iterator[Served]:
    """A game with faults in turns 3 to 6 of 8."""
    with serving(Library([games.counting(shared_place / "counted.jsonl").path])) as served:
        yield served


@pytest.fixture
def counted(browser: Browser, counting: Served) -> Iterator[Browser]:
    """The page of that game, never seen before."""
    yield browser.open(counting.url(f"/game/{counting.library.newest}"))
    assert browser.complaints() == []


@pytest.mark.parametrize("name", NAMES)
def test_first_middle_and_last_turn_are_shown_without_complaints(browser: Browser, samples: Served, name: str) -> None:
    path = SAMPLES / f"{name}.jsonl"
    last = load_record(path).answers[-1].turn
    browser.open(samples.url(f"/game/{game_id(path)}"))
    seen = set()
    for width, turns in ((1280, (0, last // 2)), (400, (last,))):
        browser.resize(width, 800, dark=width == 400)
        for turn in turns:
            browser.go(turn)
            seen.add(browser.board())
            assert browser.fits(), "the page scrolls sideways"
            assert browser.run(IN_REACH), "the controls are out of sight"
            assert browser.run(contrast.LOW_ON_BOARD) == []
    assert len(seen) == 3
    assert min(map(len, seen)) > 40
    assert browser.complaints() == []


@pytest.mark.parametrize("name", NAMES)
def test_a_step_is_animated_briefly_and_changes_nothing_else(browser: Browser, samples: Served, name: str) -> None:
    path = SAMPLES / f"{name}.jsonl"
    browser.resize(1280, 720, still=False)
    browser.open(samples.url(f"/game/{game_id(path)}#turn={load_record(path).answers[-1].turn // 2}"))
    assert browser.run(MOVING, 3) == [], "a jump is not animated"
    for step in (1, -1):
        durations = browser.run(MOVING, step)
        assert durations, "nothing moves"
        assert max(durations) <= 300
    browser.until(lambda: browser.run("return document.getElementById('board').shadowRoot.getAnimations().length") == 0)
    assert browser.run(GHOSTS) == 0, "what has gone has gone"
    assert browser.driver.execute_async_script(DIFFERENT, 30) == []
    browser.resize(1280, 720, still=True)
    assert [browser.run(MOVING, step) for step in (1, -1)] == [[], []]


def test_keys(counted: Browser) -> None:
    for keys, turn in (
        ([Keys.ARROW_RIGHT], 1), ([Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT], 1), ([Keys.ARROW_LEFT], 0), ([Keys.END], 8),
        ([Keys.END, Keys.ARROW_RIGHT], 8), ([Keys.END, Keys.HOME], 0), (["5", Keys.ENTER], 5), (["9", "9", Keys.ENTER], 8), (["f"], 3),
        (["f", "f", "f", "f", "f"], 6), ([Keys.END, "F"], 6), (["5", Keys.ARROW_RIGHT, Keys.ENTER], 1),
    ):  # fmt: skip
        counted.keys(Keys.HOME, *keys)
        assert counted.turn == turn, keys
    counted.until(lambda: counted.run("return location.hash") == "#turn=1")


def test_space_plays_and_pauses(counted: Browser) -> None:
    counted.keys("+", "+", "+", "+", "+", " ")
    counted.until(lambda: counted.turn == 8)
    assert counted.until(
        lambda: counted.run("return document.getElementById('toggle').getAttribute('aria-label')") == "Play"
    )


def test_a_long_game_is_played_in_two_minutes(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'heroes.jsonl')}"))
    browser.run("window.setInterval = (work, ms) => { window.every = ms; return 1; }")
    browser.keys(" ")
    assert browser.run("return window.every * page.story.last") == pytest.approx(120_000)


def test_the_caption_grows_with_what_is_said_and_does_not_shrink(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'rails.jsonl')}"))
    height = "return document.getElementById('caption').clientHeight"
    low = browser.run(height)
    browser.go(30)
    high = browser.run(height)
    assert high > low
    assert browser.run("const box = document.getElementById('caption'); return box.scrollHeight <= box.clientHeight")
    browser.go(0)
    assert browser.run(height) == high, "the board keeps its size"


@pytest.mark.parametrize(("name", "cards"), [("splendor", 0), ("counted", 2)])
def test_a_score_is_shown_in_the_drawing_or_beside_it(
    browser: Browser, samples: Served, counting: Served, name: str, cards: int
) -> None:
    drawn = samples.url(f"/game/{game_id(SAMPLES / 'splendor.jsonl')}")
    browser.open(counting.url(f"/game/{counting.library.newest}") if name == "counted" else drawn)
    shown = "return [...document.querySelectorAll('.card .score')].filter((each) => each.checkVisibility()).length"
    assert browser.run(shown) == cards


def test_the_panel_can_be_as_wide_as_the_board(counted: Browser) -> None:
    width = "return document.querySelector('aside').clientWidth"
    before = counted.run(width)
    counted.keys("w")
    assert counted.run(width) > 1.5 * before
    counted.click("widen")
    assert counted.run(width) == before


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
    assert "arbiter show counted.jsonl --inputs --turn 3 --seat 0" in details
    counted.run("document.querySelector('#details details').open = true")
    shown = counted.until(lambda: counted.run("return document.querySelector('#details details pre').textContent"))
    assert shown.startswith("seat 0 of 2\n")
    counted.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    counted.run(
        "[...document.querySelectorAll('#details button')].find((each) => each.textContent === 'Copy input').click()"
    )
    assert counted.run("return copied") == shown


def test_moves_in_words_and_what_was_said_about_them(counted: Browser) -> None:
    counted.keys(Keys.ARROW_RIGHT)
    assert "adds 1" in counted.text("caption")
    assert "grüße, 世界 🂡" in counted.text("caption")
    counted.run("document.querySelector('#moves button').click()")
    assert counted.turn == 1


def test_a_long_game_lists_the_moves_around_the_turn(browser: Browser, samples: Served) -> None:
    numbers = "return [...document.querySelectorAll('#moves button')].map((row) => Number(row.dataset.turn))"
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'heroes.jsonl')}#result"))
    assert browser.run("return document.getElementById('moves-panel').getBoundingClientRect().bottom <= innerHeight")
    assert browser.run(numbers) == list(range(392, 401))
    browser.keys("2", "0", "0", Keys.ENTER)
    assert browser.run(numbers) == list(range(192, 209))
    browser.click("moves-earlier")
    assert browser.run(numbers) == list(range(152, 209))
    browser.keys(*[Keys.ARROW_RIGHT] * 5)
    assert browser.run(numbers) == list(range(152, 214)), "rows stay, and there are always some on either side"
    assert browser.run("return document.querySelector('#moves [aria-current]').dataset.turn") == "205"
    browser.resize(1280, 2000)
    browser.until(lambda: len(browser.run(numbers)) > 40)


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


def test_no_label_of_a_chart_is_cut(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'rails.jsonl')}#result"))
    browser.click("tab-charts")
    left = "return Math.min(...[...document.querySelectorAll('#charts text')].map((text) => text.getBBox().x))"
    assert browser.until(lambda: browser.run("return document.querySelector('#time-chart text') !== null"))
    assert browser.run(left) >= 0


def test_arrow_keys_step_through_the_game_after_a_click_on_a_tab(counted: Browser) -> None:
    counted.driver.find_element("id", "tab-details").click()
    counted.keys(Keys.ARROW_RIGHT)
    assert counted.visible("details")
    assert counted.turn == 1


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


def test_the_record_can_be_downloaded(counted: Browser, shared_place: Path, tmp_path: Path) -> None:
    folder = tmp_path / "downloads"
    counted.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    counted.click("download")
    counted.until(lambda: (folder / "counted.jsonl").exists() and (folder / "counted.jsonl").stat().st_size > 0)
    assert (folder / "counted.jsonl").read_bytes() == (shared_place / "counted.jsonl").read_bytes()


def test_a_game_that_cannot_be_shown_says_why(browser: Browser, served: Served) -> None:
    browser.open(served.url("/game/0000000000000000"))
    assert browser.text("problem") == "no such game; it may have been moved or deleted"
