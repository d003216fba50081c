"""Every control has a name, every text has contrast, and everything can be reached with the keyboard, in both themes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.web.library import Library, game_id
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, write
from tests.tools import ROOT
from tests.web.browser import contrast
from tests.web.browser.conftest import SAMPLES
from tests.web.browser.driver import Browser
from tests.web.playing import playing
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow

CONTROLS = {
    "button", "link", "slider", "textbox", "spinbutton", "combobox", "checkbox", "tab", "dialog", "image",
    "tabpanel", "searchbox",
}  # fmt: skip

HASTY = "read -r seat\nread -r total left\n[ $((left % 4)) -lt 2 ] && echo 1 || echo nonsense\n"
THEME = "return document.documentElement.dataset.theme"


def nameless(browser: Browser, at_least: int = 6) -> list[str]:
    """The controls without a name, as assistive technology sees them."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    controls = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in CONTROLS]
    assert len(controls) >= at_least
    return [str(node["role"]["value"]) for node in controls if not node.get("name", {}).get("value", "").strip()]


def check_names_and_contrast(browser: Browser, at_least: int = 6, widths: Sequence[int] = (1280,)) -> None:
    """Check the page that is open, dark and light; it is drawn again for every width."""
    for width in widths:
        for dark in (True, False):
            browser.resize(width, 720, dark=dark)
            browser.until(lambda theme="dark" if dark else "light": browser.run(THEME) == theme)  # type: ignore[misc]
            assert nameless(browser, at_least) == []
            assert browser.run(contrast.LOW) == []
            assert browser.fits()


def test_names_and_contrast_of_a_game_and_of_the_list(browser: Browser, samples: Served) -> None:
    browser.open(samples.url("/games"))
    check_names_and_contrast(browser, widths=(400, 1280))
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'rails.jsonl')}#result"))
    for tab in ("tab-moves", "tab-details", "tab-charts"):
        browser.click(tab)
        check_names_and_contrast(browser)


@pytest.fixture(scope="module")
def cup(shared_place: Path) -> Iterator[Served]:
    """A tournament of four agents, one of which answers nonsense in every other move."""
    agents = [adder(shared_place, name, number) for name, number in (("high", 3), ("middle", 2), ("low", 1))]
    agents.append(str(write(shared_place / "hasty.sh", HASTY)))
    played = arbiter("tournament", "count_up", *agents, "--name", "cup", "--save", "games", "--quiet")
    assert played.code == 0, played.err
    with serving(Library(folder=shared_place / "games" / "cup")) as served:
        yield served


@pytest.mark.parametrize("page", ["/games", "/games?agent=hasty", "/wall"])
def test_names_and_contrast_of_the_pages_of_a_contest(browser: Browser, cup: Served, page: str) -> None:
    browser.open(cup.url(page))
    browser.until(lambda: browser.run("return document.querySelectorAll('#standings tbody tr').length") == 4)
    if "agent" in page:
        browser.until(lambda: browser.visible("agent"))
        assert "garbled" in browser.text("agent")
    browser.run("delete document.documentElement.dataset.prefers")  # the wall is dark unless somebody chose otherwise
    check_names_and_contrast(browser, at_least=0 if page == "/wall" else 6, widths=(1280, 400))
    assert browser.complaints() == []


def test_names_and_contrast_of_the_page_of_a_person_and_of_its_help(browser: Browser, tmp_path: Path) -> None:
    bot = f"bot={ROOT / 'sample_agents' / 'splendor' / 'random_moves.py'}"
    with playing("splendor", ["human", bot], tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: browser.run("return Boolean(window.page?.play?.question)"))
        check_names_and_contrast(browser)
        browser.click("help-button")
        check_names_and_contrast(browser, at_least=2)  # the dialog hides what is behind it


def test_the_tab_key_reaches_every_control(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'splendor.jsonl')}#turn=3"))
    browser.run("window.reached = []; addEventListener('focusin', (event) => reached.push(event.target.id))")
    browser.keys(*[Keys.TAB] * 40)
    reached = set(browser.run("return reached"))
    wanted = {
        "home", "download", "theme", "help-button", "slider", "first", "previous", "toggle", "next", "last",
        "turn-box", "speed", "tab-moves",
    }  # fmt: skip
    assert wanted <= reached


def test_no_width_scrolls_sideways(browser: Browser, samples: Served) -> None:
    for path in ("/games", f"/game/{game_id(SAMPLES / 'heroes.jsonl')}"):
        browser.open(samples.url(path))
        for width in (400, 768, 1280, 1920):
            browser.resize(width, 900)
            assert browser.fits(), width
