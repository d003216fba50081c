"""Text from agents stays text: script tags, direction marks, a megabyte, half a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.records.reader import load
from arbiter.records.stderr_log import StderrLog
from arbiter.registry import find
from arbiter.web.bundle import page
from arbiter.web.library import Library, game_id
from arbiter.workspace import Workspace
from tests.records import games
from tests.web.browser.driver import Browser
from tests.web.served import serving

SCRIPT = "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"
RIGHT_TO_LEFT = "abc \u202egnp.exe\u202c \u2066x\u200f"
MEGABYTE = "M" * 1_000_000
CONTROLS = "\x00\x07\x1b[31mred\x1b[0m\x7f"
TEXTS = {"script": SCRIPT, "right to left": RIGHT_TO_LEFT, "megabyte": MEGABYTE, "controls": CONTROLS}


def poisoned(place: Path, text: str) -> Path:
    """A game in which everything that an agent can choose is this text."""

    def poison(lines: list[dict[str, Any]]) -> None:
        for seat in lines[0]["seats"]:
            seat["name"] = text[:300]
        for line in lines[1:-1]:
            line.update(message=text, kibitz=[text, text], notes=[text])
            if "fault" in line:
                line["fault"].update(detail=text, said=text, stderr=text)
        lines[-1]["reason"] = text
        lines[-1]["afterwards"] = {"0": [text]}

    folder = place / "games"
    folder.mkdir()
    path = games.tampered(games.counting(place / "counted.jsonl"), folder / "poisoned.jsonl", poison)
    with StderrLog(path, 2, "all") as log:
        for turn in range(1, 9):
            log.feed(1 - turn % 2, text.encode())
            log.end_turn(1 - turn % 2, turn, fault=False)
        log.feed(0, text.encode())
    return path


@pytest.fixture(params=["served", "exported"])
def address(request: pytest.FixtureRequest, place: Path) -> Iterator[Any]:
    """A function from a text to the address of the page of a poisoned game."""
    if request.param == "exported":

        def export(text: str) -> str:
            record = load(poisoned(place, text))
            file = place / "poisoned.html"
            file.write_text(page(record, find(record.header.protocol, Workspace())), encoding="utf-8")
            return file.as_uri()

        yield export
        return
    (place / "empty").mkdir()
    library = Library()
    with serving(library) as served:
        yield lambda text: served.url(f"/game/{library.add(poisoned(place, text))}")


@pytest.mark.parametrize("name", TEXTS)
def test_it_is_shown_as_text_everywhere(browser: Browser, address: Any, name: str) -> None:
    browser.open(address(TEXTS[name]))
    for tab in ("tab-moves", "tab-details", "tab-charts"):
        browser.click(tab)
        browser.keys(Keys.HOME, "f", "f", Keys.END)
        if tab == "tab-details":
            browser.until(lambda: browser.run("return document.getElementById('stderr')") is not None)
    assert browser.turn == 8
    assert browser.run("return window.broken ?? null") is None
    assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert browser.run("return document.body.textContent.length") < 400_000, "a megabyte is cut"
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    visible = browser.run(
        "return ['caption', 'details', 'result', 'seats', 'moves'].map((id) => document.getElementById(id).textContent).join()"
    )
    assert not set(visible) & set("\u202e\u202c\u2066\u200f\x00\x07\x1b\x7f"), "what cannot be seen is shown as a code"
    assert browser.complaints() == []


def test_standard_error_of_the_turn_is_shown_as_text(browser: Browser, address: Any) -> None:
    browser.open(address(SCRIPT))
    browser.click("tab-details")
    browser.keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.run("return document.getElementById('stderr')") is not None)
    assert browser.text("stderr").count(SCRIPT) == 1
    browser.keys(Keys.END)
    assert browser.text("stderr").count(SCRIPT) == 2, "of its last answer, and after it"
    assert "after its last answer" in browser.text("stderr")
    assert browser.run("return window.broken ?? null") is None
    assert browser.complaints() == []


def test_a_megabyte_of_standard_error_is_cut_and_says_so(browser: Browser, address: Any) -> None:
    browser.open(address(MEGABYTE))
    browser.click("tab-details")
    browser.keys(Keys.ARROW_RIGHT)
    browser.until(lambda: browser.run("return document.getElementById('stderr')") is not None)
    assert "the beginning was left out" in browser.text("stderr")
    assert 20_000 <= browser.text("stderr").count("M") < 25_000


def test_script_tags_can_be_read(browser: Browser, address: Any) -> None:
    browser.open(address(SCRIPT))
    browser.keys(Keys.ARROW_RIGHT)
    assert SCRIPT in browser.text("caption")


def check_harmless(browser: Browser) -> None:
    assert browser.run("return window.broken ?? null") is None
    assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert browser.run("return document.body.textContent.length") < 400_000, "a megabyte is cut"
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    visible = browser.run("return document.body.innerText")
    assert not set(visible) & set("\u202e\u202c\u2066\u200f\x00\x07\x1b\x7f"), "what cannot be seen is shown as a code"
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("page_of", ["/games", "/wall"])
@pytest.mark.parametrize("name", TEXTS)
def test_the_list_of_games_and_the_wall_show_it_as_text(
    browser: Browser, place: Path, name: str, page_of: str, width: int
) -> None:
    path = poisoned(place, TEXTS[name])
    browser.resize(width, 800)
    with serving(Library(folder=path.parent)) as served:
        browser.open(served.url(page_of))
        part = "list" if page_of == "/games" else "results"
        browser.until(lambda: browser.text(part) != "")
        if page_of == "/wall":
            browser.until(lambda: browser.text("told") != "")
        check_harmless(browser)


def test_half_a_surrogate_pair_in_a_view_breaks_nothing(
    browser: Browser, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = games.counting(place / "counted.jsonl").path
    protocol = find("count_up", Workspace())
    record = load(path)
    game = type(protocol.start(2, record.header.options, record.header.setup, None))  # type: ignore[arg-type]
    monkeypatch.setattr(game, "describe", lambda *_: "half \ud800 a pair \udfff")
    monkeypatch.setattr(game, "view", lambda _: {"half": "\ud800"})
    monkeypatch.setattr("arbiter.web.feed.find", lambda *_: protocol)
    with serving(Library([path])) as served:
        browser.open(served.url(f"/game/{game_id(path)}#turn=1"))
        assert "half ‹U+D800› a pair ‹U+DFFF›" in browser.text("caption")
        assert browser.run("return page.story.position(1).view.half.charCodeAt(0)") == 0xD800
