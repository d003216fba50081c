"""Every control has a name, every text has contrast, and everything can be reached with the keyboard, in both themes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.web.library import Library, game_id
from tests.tools import ROOT
from tests.web.browser.driver import Browser
from tests.web.playing import playing
from tests.web.served import Served, serving

SAMPLES = ROOT / "matches" / "samples"
CONTROLS = {
    "button",
    "link",
    "slider",
    "textbox",
    "spinbutton",
    "combobox",
    "checkbox",
    "tab",
    "dialog",
    "image",
    "tabpanel",
    "searchbox",
}

LOW_CONTRAST = """
const channel = (value) => { const share = value / 255; return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };
const light = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
const parsed = (text) => { const found = text.match(/[\\d.]+/g).map(Number); return [found[0], found[1], found[2], found[3] ?? 1]; };
const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3])).concat(1);
function background(element) {
  const layers = [];
  for (let each = element; each; each = each.parentElement) layers.push(parsed(getComputedStyle(each).backgroundColor));
  return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255, 1]);
}
function opacity(element) {
  let found = 1;
  for (let each = element; each; each = each.parentElement) found *= Number(getComputedStyle(each).opacity);
  return found;
}
const low = [];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest(':disabled, svg, .terminal')) continue;
  const behind = background(element), own = parsed(getComputedStyle(element).color);
  own[3] *= opacity(element);
  const one = light(over(own, behind)), other = light(behind);
  const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (ratio < 4.5) low.push(`${walker.currentNode.data.trim().slice(0, 40)} (${element.className || element.tagName}): ${ratio.toFixed(2)}`);
}
return low;
"""


@pytest.fixture(scope="module")
def samples() -> Iterator[Served]:
    with serving(Library(folder=SAMPLES)) as served:
        yield served


def nameless(browser: Browser, at_least: int = 6) -> list[str]:
    """The controls without a name, as assistive technology sees them."""
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})
    nodes = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    controls = [node for node in nodes if not node.get("ignored") and node.get("role", {}).get("value") in CONTROLS]
    assert len(controls) >= at_least
    return [str(node["role"]["value"]) for node in controls if not node.get("name", {}).get("value", "").strip()]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("page", ["games", "tab-moves", "tab-details", "tab-charts"])
def test_names_and_contrast(browser: Browser, samples: Served, page: str, dark: bool) -> None:
    browser.resize(1280, 720, dark=dark)
    if page == "games":
        browser.open(samples.url("/games"))
    else:
        browser.open(samples.url(f"/game/{game_id(SAMPLES / 'rails.jsonl')}#result"))
        browser.click(page)
    browser.run("localStorage.clear()")
    assert nameless(browser) == []
    assert browser.run(LOW_CONTRAST) == []


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A match with a fault, played by agents of Heroes."""
    folder = tmp_path_factory.mktemp("cup")
    (folder / "arbiter.toml").touch()
    agents = ["random", "steady", "sensible", f"hasty={ROOT / 'sample_agents' / 'misbehaving' / 'garbage.js'}"]
    command = ("tournament", "heroes", *agents, "--seats", "4", "--games", "4", "--name", "cup", "--save", "games")
    options = ("--quiet", "-o", "rounds=3", "--sandbox", "none", "--no-limits")
    subprocess.run([sys.executable, "-m", "arbiter", *command, *options], check=True, capture_output=True, cwd=folder)
    with serving(Library(folder=folder / "games" / "cup")) as served:
        yield served


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("page", ["/games", "/games?agent=hasty", "/wall"])
def test_names_and_contrast_of_the_pages_of_a_contest(
    browser: Browser, cup: Served, page: str, width: int, dark: bool
) -> None:
    browser.resize(width, 720, dark=dark)
    browser.open(cup.url(page))
    browser.until(lambda: browser.run("return document.querySelectorAll('#standings tbody tr').length") == 4)
    if "agent" in page:
        browser.until(lambda: browser.visible("agent"))
        assert "late" not in browser.text("agent")
    assert nameless(browser, at_least=0 if page == "/wall" else 6) == []
    assert browser.run(LOW_CONTRAST) == []
    assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_names_and_contrast_of_the_page_of_a_person_and_of_its_help(
    browser: Browser, tmp_path: Path, dark: bool
) -> None:
    browser.resize(1280, 720, dark=dark)
    bot = f"bot={ROOT / 'sample_agents' / 'splendor' / 'random_moves.py'}"
    with playing("splendor", ["human", bot], tmp_path) as run:
        browser.open(run.url)
        browser.until(lambda: browser.run("return Boolean(window.page?.play?.question)"))
        assert nameless(browser) == []
        assert browser.run(LOW_CONTRAST) == []
        browser.click("help-button")
        assert nameless(browser, at_least=2) == [], "the dialog hides what is behind it"
        assert browser.run(LOW_CONTRAST) == []


def test_the_tab_key_reaches_every_control(browser: Browser, samples: Served) -> None:
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'splendor.jsonl')}#turn=3"))
    reached = set()
    for _ in range(40):
        browser.keys(Keys.TAB)
        reached.add(browser.run("return document.activeElement.id"))
    wanted = {
        "home",
        "download",
        "theme",
        "help-button",
        "slider",
        "first",
        "previous",
        "toggle",
        "next",
        "last",
        "turn-box",
        "speed",
        "tab-moves",
    }
    assert wanted <= reached


@pytest.mark.parametrize("path", ["/games", "game"])
@pytest.mark.parametrize("width", [400, 768, 1280, 1920])
def test_no_width_scrolls_sideways(browser: Browser, samples: Served, path: str, width: int) -> None:
    browser.resize(width, 900)
    browser.open(samples.url(f"/game/{game_id(SAMPLES / 'heroes.jsonl')}" if path == "game" else path))
    assert browser.run("return document.documentElement.scrollWidth") <= width
