"""The HTML report of a contest: its links open games, and it is readable on a phone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.nullgame.place import adder
from tests.web.browser.driver import Browser


def arbiter(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "arbiter", *words], capture_output=True, text=True, check=False)


@pytest.fixture
def report(place: Path) -> Path:
    """The report of a small tournament, with the pages of its games."""
    agents = [adder(place, name, number) for name, number in (("high", 3), ("middle", 2), ("low", 1))]
    where = ("--name", "cup", "--save", "games", "--quiet")
    made = arbiter("tournament", "count_up", *agents, *where, "--format", "html", "--output", "cup.html", "--pages")
    assert made.returncode == 0, made.stderr
    return place / "cup.html"


def test_links_of_the_report_open_games(browser: Browser, report: Path) -> None:
    browser.driver.get(report.as_uri())
    links = "return [...document.querySelectorAll('a')].map((each) => each.href)"
    pages = set(browser.run(links))
    assert pages
    assert all("/cup-games/" in page for page in pages)
    for page in pages:
        browser.open(page)
        assert browser.run("return document.documentElement.dataset.ready") == "yes"
        assert browser.complaints() == []


def test_the_report_fits_a_phone(browser: Browser, report: Path) -> None:
    browser.resize(400, 800)
    browser.driver.get(report.as_uri())
    assert browser.run("return document.documentElement.scrollWidth") <= 400


def test_pages_without_a_report_are_refused(place: Path) -> None:
    agents = [adder(place, name, number) for name, number in (("high", 3), ("low", 1))]
    refused = arbiter("match", "count_up", *agents, "--games", "2", "--save", "games", "--pages")
    assert refused.returncode == 2
    assert "--format html --output" in refused.stderr
    assert not list((place / "games").rglob("*.jsonl")), "nothing is played first"
