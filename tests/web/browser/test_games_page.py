"""The page of a folder and of a contest: search, standings, crosstable, the panel of an agent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.web.library import Library
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder
from tests.web.browser.driver import Browser
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow


def contest(folder: Path, *words: str, **agents: int) -> Library:
    """The folder of a contest of agents that always add the same number."""
    paths = [adder(folder, name, number) for name, number in agents.items()]
    played = arbiter(
        words[0], "count_up", *paths, *words[1:], "--name", words[0], "--save", "games", "--quiet", folder=folder
    )
    assert played.code == 0, played.err
    return Library(folder=folder / "games" / words[0])


@pytest.fixture(scope="module")
def cup(shared_place: Path) -> Iterator[Served]:
    """A tournament of three agents, two games for each pair."""
    with serving(contest(shared_place, "tournament", "--set", "games=2", high=3, middle=2, low=1)) as served:
        yield served


def test_standings_crosstable_and_the_games_of_a_pair(browser: Browser, cup: Served) -> None:
    browser.open(cup.url("/games"))
    rows = browser.run("return [...document.querySelectorAll('#standings tbody th')].map((cell) => cell.textContent)")
    assert rows == ["high", "middle", "low"]
    assert browser.text("title") == "tournament"
    browser.run("document.querySelector('#cross a').click()")
    browser.until(
        lambda: "agent=high&agent=middle" in browser.driver.current_url and browser.text("count") == "2 games of 6"
    )
    browser.run("document.querySelector('#list a').click()")
    browser.until(
        lambda: "/game/" in browser.driver.current_url and browser.run("return document.documentElement.dataset.ready")
    )
    assert browser.complaints() == []


def test_a_crosstable_of_four_agents_fits_a_phone(browser: Browser, place: Path) -> None:
    numbers = {"greedy": 4, "random": 3, "crash": 2, "slow": 1}
    with serving(contest(place, "tournament", "--set", "games=2", **numbers)) as served:
        browser.resize(400, 800)
        browser.open(served.url("/games"))
        browser.until(lambda: browser.visible("cross"))
        box = "const box = document.getElementById('cross').parentNode;"
        assert browser.run(f"{box} return box.scrollWidth <= box.clientWidth")


def test_the_panel_of_an_agent(browser: Browser, cup: Served) -> None:
    browser.open(cup.url("/games?agent=low"))
    browser.until(lambda: browser.visible("agent"))
    assert "0-0-4" in browser.text("agent"), "what the standings say of it"
    assert browser.text("count") == "4 games of 6"
    assert browser.run("return document.querySelectorAll('#agent svg .curve').length") == 1


def test_both_agents_of_a_match_have_a_figure_over_time(browser: Browser, shared_place: Path) -> None:
    """The lead is that of one of them, so the other one has its score."""
    with serving(contest(shared_place, "match", "--games", "6", high=3, low=1)) as served:
        for agent in ("high", "low"):
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
    told = str(browser.run("return [...document.querySelectorAll('.game')].map((each) => each.innerText).join(' ')"))
    assert "seed" in told
    for word in ("turn", "✗", " s ", " wins"):
        assert word not in told, "faults, length and duration tell who won"
    browser.click("hide")


def test_a_search_that_makes_no_sense_says_so(browser: Browser, served: Served) -> None:
    browser.open(served.url("/games?since=lately"))
    assert "lately" in browser.text("problem")
