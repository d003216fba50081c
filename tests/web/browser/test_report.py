"""The HTML report of a contest: its links open games, and it is readable on a phone."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import adder
from tests.web.browser.driver import Browser

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(shared_place: Path) -> Path:
    """The report of a small tournament, with the pages of its games."""
    agents = [adder(shared_place, name, number) for name, number in (("high", 3), ("middle", 2), ("low", 1))]
    where = ("--name", "cup", "--save", "games", "--quiet")
    assert arbiter("tournament", "count_up", *agents, *where).code == 0
    made = arbiter("standings", "games/cup", "--format", "html", "--output", "cup.html", "--pages")
    assert made.code == 0, made.err
    return shared_place / "cup.html"


def test_links_of_the_report_open_games(browser: Browser, report: Path) -> None:
    browser.driver.get(report.as_uri())
    links = "return [...document.querySelectorAll('a')].map((each) => each.href)"
    pages = sorted(set(browser.run(links)))
    assert len(pages) > 6
    assert all("/cup-games/" in page for page in pages)
    assert all(Path(unquote(urlsplit(page).path)).is_file() for page in pages)
    for page in pages[:2]:
        browser.open(page)
        assert browser.run("return document.documentElement.dataset.ready") == "yes"
        assert browser.complaints() == []


def test_agents_of_the_report_have_pages_with_their_rating_and_games(browser: Browser, report: Path) -> None:
    browser.driver.get(report.as_uri())
    browser.run("[...document.querySelectorAll('td.name a')].find((each) => each.textContent === 'low').click()")
    browser.until(lambda: browser.run("return document.documentElement.dataset.ready"))
    assert "agents.html#agent=low" in browser.driver.current_url
    assert browser.run("return document.querySelector('#agent h2').textContent") == "low"
    assert browser.run("return document.querySelectorAll('#agent svg .curve').length") == 1
    assert browser.text("count") == "4 games of 6"
    browser.run("document.querySelector('#cross a').click()")
    browser.until(lambda: browser.text("count") == "2 games of 6")
    assert not browser.visible("agent")
    browser.click("clear")
    browser.until(lambda: browser.text("count") == "6 games")
    browser.run("document.querySelector('#list a').click()")
    browser.until(lambda: "00001.html" in browser.driver.current_url)
    assert browser.complaints() == []


def test_seeds_keep_all_their_digits(browser: Browser, report: Path) -> None:
    browser.open((report.parent / "cup-games" / "agents.html").as_uri())
    assert browser.run("return page.report.games.every((game) => typeof game.seed === 'string')")


def test_the_way_back_from_the_agents_leads_to_the_report(browser: Browser, report: Path) -> None:
    browser.open((report.parent / "cup-games" / "agents.html").as_uri())
    browser.click("report")
    browser.until(lambda: browser.driver.current_url == report.as_uri())


def test_the_report_and_the_page_of_the_agents_fit_a_phone(browser: Browser, report: Path) -> None:
    browser.resize(400, 800)
    for page in ("cup-games/agents.html", "cup-games/agents.html#agent=low"):
        browser.open(f"{report.parent.as_uri()}/{page}")
        assert browser.fits()
    browser.driver.get(report.as_uri())
    assert browser.fits()
