"""Text from agents stays text on every page: script tags, direction marks, controls, a megabyte, half a surrogate pair."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.config.workspace import Workspace
from arbiter.contest.formats import formatter
from arbiter.contest.statistics.standing import page_table
from arbiter.records.reader import load_record
from arbiter.records.stderr_log import StderrLog
from arbiter.registry import find_protocol
from arbiter.web.bundle import contest_page, page
from arbiter.web.folder import FolderPage
from arbiter.web.library import Library, game_id
from tests.contest.formats.making import HOSTILE as NAMES
from tests.contest.formats.making import hostile as hostile_contest
from tests.nullgame.place import write
from tests.records import games
from tests.web.browser.conftest import SAMPLES
from tests.web.browser.driver import Browser
from tests.web.playing import playing
from tests.web.served import Served, serving

pytestmark = pytest.mark.slow

SCRIPT = "</script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'>"
MARKS = "\u202egnp.exe\u202c \u2066x\u200f \x00\x07\x1b[31mred\x1b[0m\x7f"
TEXT = SCRIPT + MARKS
LONG = TEXT + "M" * 1_000_000
INVISIBLE = set("\u202e\u202c\u2066\u200f\x00\x07\x1b\x7f")


def poison(lines: list[dict[str, Any]]) -> None:
    """Put the text wherever an agent can put one; a megabyte of it once in every place."""
    lines[0].update(contest=LONG, stage=LONG)
    for number, seat in enumerate(lines[0]["seats"]):
        seat.update(name=TEXT if number else LONG, language=TEXT if number else LONG)
    for number, line in enumerate(lines[1:-1]):
        line.update(message=LONG if number == 0 else TEXT, kibitz=[TEXT, TEXT], notes=[TEXT])
        if "fault" in line:
            line["fault"].update(detail=TEXT, said=TEXT, stderr=LONG)
    lines[-1].update(reason=LONG, afterwards={"0": [LONG]})


@pytest.fixture(scope="module")
def shelf_of_strangers(shared_place: Path) -> Path:
    """A folder with a poisoned game, one of them with a drawing, and a file that is not Unicode."""
    folder = shared_place / "games"
    folder.mkdir()
    counted = games.counting(shared_place / "counted.jsonl")
    path = games.tampered(counted, folder / "poisoned.jsonl", poison)
    games.tampered(load_record(SAMPLES / "drones.jsonl"), folder / "drawn.jsonl", poison)
    games.tampered(counted, folder / "option.jsonl", lambda lines: lines[0]["options"].update({LONG: LONG}))
    games.tampered(counted, folder / "half.jsonl", lambda lines: lines[0]["seats"][0].update(name="half \ud800 a pair"))
    with StderrLog(path, 2, "all") as log:
        for turn in range(1, 9):
            log.feed(1 - turn % 2, (LONG if turn == 1 else TEXT).encode())
            log.end_turn(1 - turn % 2, turn, fault=False)
        log.feed(0, TEXT.encode())
    return folder


@pytest.fixture(scope="module")
def strangers(shelf_of_strangers: Path) -> Iterator[Served]:
    with serving(Library(folder=shelf_of_strangers)) as served:
        yield served


def check_harmless(browser: Browser) -> None:
    """Check that nothing ran, nothing was loaded, nothing is out of bounds, and nothing that is shown is invisible."""
    assert browser.run("return window.broken ?? null") is None
    assert browser.run("return document.querySelectorAll('img, iframe, object').length") == 0
    assert browser.run("return document.body.textContent.length") < 400_000, "a megabyte is cut"
    assert browser.fits()
    assert not set(browser.run("return document.body.innerText")) & INVISIBLE, "it is shown as a code"
    assert browser.complaints() == []


@pytest.mark.parametrize("kind", ["served", "exported"])
def test_the_page_of_a_game(browser: Browser, strangers: Served, shelf_of_strangers: Path, kind: str) -> None:
    path = shelf_of_strangers / "poisoned.jsonl"
    if kind == "exported":
        record, file = load_record(path), shelf_of_strangers.parent / "poisoned.html"
        file.write_text(page(record, find_protocol(record.header.protocol, Workspace())), encoding="utf-8")
    browser.open(file.as_uri() if kind == "exported" else strangers.url(f"/game/{game_id(path)}"))
    for tab in ("tab-moves", "tab-charts", "tab-details"):
        browser.click(tab)
        browser.keys(Keys.HOME, "f", "f", Keys.END)
        check_harmless(browser)
    browser.until(lambda: browser.run("return document.getElementById('stderr')") is not None)
    assert browser.text("stderr").count(SCRIPT) == 2, "of its last answer, and after it"
    assert "after its last answer" in browser.text("stderr")
    browser.go(1)
    assert SCRIPT in browser.text("caption"), "what was said can be read"
    assert "the beginning was left out" in browser.text("stderr")
    assert 20_000 <= browser.text("stderr").count("M") < 25_000
    check_harmless(browser)


def test_a_game_with_an_option_that_does_not_exist(
    browser: Browser, strangers: Served, shelf_of_strangers: Path
) -> None:
    browser.open(strangers.url(f"/game/{game_id(shelf_of_strangers / 'option.jsonl')}"))
    assert f'unknown count_up option "{SCRIPT[:20]}' in browser.text("problem")
    assert len(browser.complaints()) == 2, "that the server refused the game, and why"
    check_harmless(browser)


def test_a_drawing(browser: Browser, strangers: Served, shelf_of_strangers: Path) -> None:
    browser.open(strangers.url(f"/game/{game_id(shelf_of_strangers / 'drawn.jsonl')}#turn=5"))
    for width in (1280, 400):
        browser.resize(width, 800)
        assert "</script>" in browser.board()
        assert not set(browser.board()) & INVISIBLE
        assert len(browser.board()) < 10_000
    check_harmless(browser)


@pytest.mark.parametrize(("path", "part"), [("/games", "list"), ("/wall", "results")])
def test_the_list_of_games_and_the_wall(browser: Browser, strangers: Served, path: str, part: str) -> None:
    browser.open(strangers.url(path))
    browser.until(lambda: SCRIPT[:20] in browser.text(part))
    if path == "/wall":
        browser.until(lambda: browser.text("told") != "")
        assert ["422" in each for each in browser.complaints()] == [True], "the game that cannot be shown is left out"
    else:
        assert "half.jsonl" in browser.text("damaged"), "a name that is not Unicode makes no game"
    for width in (1280, 400):
        browser.resize(width, 800)
        check_harmless(browser)


def poisoned_contest() -> dict[str, Any]:
    """The report of a contest with hostile names, and a megabyte in every other text of it."""
    report = hostile_contest()
    texts = dict.fromkeys(("title", "name", "game", "about", "asked", "answer"), LONG)
    return {**msgspec.to_builtins(report), **texts, "standings": page_table(report.rows), "notes": [LONG]}


def test_what_is_sent_of_the_records_of_strangers_is_short(strangers: Served) -> None:
    sent = strangers.get("/data/games")
    assert "poisoned.jsonl" in {game["record"] for game in sent.data["games"]}
    assert len(sent.body) < 20_000


def test_standings_crosstable_and_agents_of_a_contest(
    browser: Browser, strangers: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FolderPage, "_has_contest", lambda _: True)
    monkeypatch.setattr(FolderPage, "contest", lambda _: poisoned_contest())
    for name in (NAMES[0], NAMES[5], NAMES[6]):
        browser.open(strangers.url(f"/games?{urlencode({'agent': name})}"))
        assert browser.run("return document.querySelectorAll('#standings tbody tr').length") == len(NAMES)
        check_harmless(browser)
    browser.resize(400, 800)
    check_harmless(browser)


def test_the_report_of_a_contest_and_the_page_of_its_agents(browser: Browser, tmp_path: Path) -> None:
    report, agents = tmp_path / "cup.html", tmp_path / "agents.html"
    document = {**poisoned_contest(), "back": "cup.html"}
    poisoned = msgspec.structs.replace(hostile_contest(), title=LONG, about=LONG, answer=LONG, notes=[LONG])
    report.write_bytes(formatter("html")(poisoned).encode(errors="surrogatepass"))
    agents.write_text(contest_page(document, document["title"]), encoding="utf-8")
    browser.open(agents.as_uri())
    for name in NAMES:
        browser.run(
            "location.hash = new URLSearchParams({agent: arguments[0]})", name.encode(errors="replace").decode()
        )
        check_harmless(browser)
    browser.driver.get(report.as_uri())
    for width in (1280, 400):
        browser.resize(width, 800)
        check_harmless(browser)


def test_the_page_of_a_person_who_plays(browser: Browser, place: Path) -> None:
    write(place / "bot" / "agent.yaml", f'name: "{SCRIPT.split("<img", maxsplit=1)[0]}"\nrun: sh bot.sh\n')
    write(place / "bot" / "bot.sh", f'read -r seat\nread -r state\necho "1 {SCRIPT}"\n')
    with playing("count_up", ["human", str(place / "bot")], place / "saved", options={"turns": 4}) as run:
        browser.open(run.url)
        browser.until(lambda: browser.run("return Boolean(window.page?.play?.question)"))
        field = browser.driver.find_element("id", "play-text")
        field.send_keys(SCRIPT, Keys.ENTER)
        browser.until(lambda: "script" in browser.text("play-problem"))
        field.clear()
        field.send_keys("1", Keys.ENTER)
        browser.until(lambda: SCRIPT in browser.text("caption"))
        assert "<script>window.broken" in browser.text("seats")
        assert len(browser.complaints()) == 1, "only that the server refused the move"
        check_harmless(browser)


def test_half_a_surrogate_pair_in_a_view_breaks_nothing(
    browser: Browser, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = games.counting(place / "counted.jsonl").path
    protocol = find_protocol("count_up", Workspace())
    record = load_record(path)
    opened = protocol.start(2, record.header.options, record.header.setup, None)  # type: ignore[arg-type]
    game = type(opened)
    monkeypatch.setattr(type(opened.display()), "describe", lambda *_: "half \ud800 a pair \udfff")
    monkeypatch.setattr(game, "view", lambda _: {"half": "\ud800"})
    monkeypatch.setattr("arbiter.web.feed.find_protocol", lambda *_: protocol)
    with serving(Library([path])) as served:
        browser.open(served.url(f"/game/{game_id(path)}#turn=1"))
        assert "half ‹U+D800› a pair ‹U+DFFF›" in browser.text("caption")
        assert browser.run("return page.story.position(1).view.half.charCodeAt(0)") == 0xD800
