"""The page of a folder and of a contest: search, standings, crosstable, the panel of an agent."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.web.library import Library
from tests.nullgame.place import adder
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving


@pytest.fixture
def contest(place: Path) -> Iterator[Served]:
    """A tournament of three agents, two games for each pair."""
    agents = [adder(place, name, number) for name, number in (("high", 3), ("middle", 2), ("low", 1))]
    command = [
        sys.executable,
        "-m",
        "arbiter",
        "tournament",
        "count_up",
        *agents,
        "--name",
        "cup",
        "--save",
        "games",
        "--quiet",
        "--set",
        "games=2",
    ]
    subprocess.run(command, check=True, capture_output=True, cwd=place)
    with serving(Library(folder=place / "games" / "cup")) as served:
        yield served


def test_standings_crosstable_and_the_games_of_a_pair(browser: Browser, contest: Served) -> None:
    browser.open(contest.url("/games"))
    rows = browser.run("return [...document.querySelectorAll('#standings tbody th')].map((cell) => cell.textContent)")
    assert rows == ["high", "middle", "low"]
    assert browser.text("title") == "cup"
    browser.run("document.querySelector('#cross a').click()")
    browser.until(
        lambda: "agent=high&agent=middle" in browser.driver.current_url and browser.text("count") == "2 games of 6"
    )
    browser.run("document.querySelector('#list a').click()")
    browser.until(
        lambda: "/game/" in browser.driver.current_url and browser.run("return document.documentElement.dataset.ready")
    )
    assert browser.complaints() == []


def test_the_panel_of_an_agent(browser: Browser, contest: Served) -> None:
    browser.open(contest.url("/games?agent=low"))
    browser.until(lambda: browser.visible("agent"))
    assert "4: 0 won, 0 drawn, 4 lost" in browser.text("agent")
    assert browser.text("count") == "4 games of 6"
    assert browser.run("return document.querySelectorAll('#agent svg .curve').length") == 1


@pytest.mark.parametrize("agent", ["high", "low"])
def test_both_agents_of_a_match_have_a_figure_over_time(browser: Browser, place: Path, agent: str) -> None:
    """The lead is that of one of them, so the other one has its score."""
    agents = [adder(place, name, number) for name, number in (("high", 3), ("low", 1))]
    command = ("match", "count_up", *agents, "--games", "6", "--name", "duel", "--save", "games", "--quiet")
    subprocess.run([sys.executable, "-m", "arbiter", *command], check=True, capture_output=True, cwd=place)
    with serving(Library(folder=place / "games" / "duel")) as served:
        browser.open(served.url(f"/games?agent={agent}"))
        browser.until(lambda: browser.visible("agent"))
        assert browser.run("return document.querySelectorAll('#agent svg .curve').length") == 1


def test_the_form_searches(browser: Browser, served: Served) -> None:
    browser.open(served.url("/games"))
    assert browser.run("return document.querySelectorAll('#list li').length") == 2
    browser.run(
        "const form = document.getElementById('filters'); form.elements.fault.value = 'late'; form.requestSubmit()"
    )
    browser.until(lambda: browser.text("count") == "1 game of 2")
    browser.until(lambda: browser.run("return document.getElementById('filters').elements.fault.value") == "late")
    browser.run("document.getElementById('clear').click()")
    browser.until(lambda: browser.text("count") == "2 games")


def test_results_can_be_hidden(browser: Browser, served: Served) -> None:
    browser.open(served.url("/games"))
    visible = "return [...document.querySelectorAll('.result')].filter((each) => each.checkVisibility()).length"
    assert browser.run(visible) > 0
    browser.click("hide")
    assert browser.run(visible) == 0
    browser.click("hide")


def test_a_search_that_makes_no_sense_says_so(browser: Browser, served: Served) -> None:
    browser.open(served.url("/games?since=lately"))
    assert "lately" in browser.text("problem")
