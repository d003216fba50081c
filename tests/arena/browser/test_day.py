"""A whole contest run from the organiser's page: teams, rounds, pause, annulment, a late team, export; and the public pages."""

from __future__ import annotations

import io
import json
import re
import urllib.request
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By

from tests.arena.clients import client
from tests.arena.served import KEYS, TOKEN, Served
from tests.tools import until
from tests.web.browser.driver import Browser

pytestmark = pytest.mark.slow

Move = Callable[[dict[str, Any]], str]
"""What a team plays in a state."""
SWISS = """
title: Autumn cup
protocol: heroes
seats: 4
options: {rounds: 1, map: m1}
agents: ["remote:*"]
schedule: {kind: swiss, rounds: 2, games: 4}
"""
HOSTILE = ["<script>window.bad = 1</script>", "=HYPERLINK(1)", "עברית שלום", "Tom, Dick & 'Harry'"]


def settled(browser: Browser, condition: Callable[[], object]) -> None:
    """Wait for a condition; on a timeout, fail with what the page complains of."""
    try:
        browser.until(condition)
    except TimeoutException:
        raise AssertionError(f"{browser.text('problem')!r} {browser.complaints()}") from None


def organiser_page(browser: Browser, arena: Served) -> Browser:
    """Log in with the address that the command prints."""
    browser.open(f"{arena.url}/organiser#{TOKEN}")
    settled(browser, lambda: browser.visible("controls"))
    return browser


def type_in(browser: Browser, name: str, text: str) -> None:
    browser.run("document.getElementById(arguments[0]).value = arguments[1]", name, text)


def submit(browser: Browser, form: str) -> None:
    browser.run("document.getElementById(arguments[0]).requestSubmit()", form)


def press(browser: Browser, box: str, label: str) -> None:
    """Press the first button with this label."""
    found = f"//*[@id='{box}']//button[text()='{label}']"
    settled(browser, lambda: browser.driver.find_elements(By.XPATH, found))
    browser.run("arguments[0].click()", browser.driver.find_elements(By.XPATH, found)[0])


def confirm(browser: Browser, reason: str = "") -> None:
    settled(browser, lambda: browser.run("return document.getElementById('ask').open"))
    type_in(browser, "ask-reason", reason)
    browser.run("document.querySelector('#ask button[value=yes]').click()")


def play_all(arena: Served, keys: dict[str, str], move: Move = lambda _: "Stay") -> None:
    """Every team plays its games until none is waiting for it."""

    def play(team: str) -> None:
        while any(
            game["status"] == "waiting" and team in game["seats"] for game in json.loads(arena.call("/schedule")[1])
        ):
            with client("1", arena.port, keys[team]) as player:
                player.play_out(player.join(arena=True), move)

    with ThreadPoolExecutor(len(keys)) as pool:
        list(pool.map(play, keys))


def test_the_whole_day(browser: Browser, make_arena: Callable[..., Served]) -> None:
    arena = make_arena(settings={"options": {"rounds": 1, "map": "m1"}})
    organiser_page(browser, arena)
    assert TOKEN not in browser.driver.current_url
    assert TOKEN not in browser.run("return document.cookie")
    type_in(browser, "names", "team;school\n" + "\n".join(f'"{name}";x' for name in HOSTILE) + "\nTeam 1;x\nab;x\n")
    submit(browser, "register-form")
    settled(browser, lambda: browser.visible("keys"))
    cards = browser.run("return [...document.querySelectorAll('#sheet li')].map((each) => each.innerText.split('\\n'))")
    keys = {name: key for name, key, *_ in cards}
    assert list(keys) == HOSTILE
    assert all(re.fullmatch("[a-z0-9]{8}", key) for key in keys.values())
    assert "Team 1: registered before" in browser.text("refused")
    assert "'ab'" in browser.text("refused")
    browser.click("keys-done")
    assert not browser.visible("keys")

    type_in(
        browser, "match-text", SWISS.replace('"remote:*"', ", ".join(f'"remote:{name}"' for name in list(KEYS)[:4]))
    )
    submit(browser, "match-form")
    settled(browser, lambda: "Autumn cup" in browser.text("title"))
    browser.click("pause")
    settled(browser, lambda: browser.text("state") == "paused")
    browser.click("open-round")
    settled(browser, lambda: browser.text("live").count("round 1") == 4)
    four = {name: KEYS[name] for name in list(KEYS)[:4]}
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_all, arena, four)
        settled(browser, lambda: "the end of the pause" in browser.text("live"))
        browser.click("pause")  # ends it
        settled(browser, lambda: "4 of 4 games played" in browser.text("stages"))
        playing.result(60)

    press(browser, "over", "Annul and play again")
    confirm(browser, "the projector failed")
    settled(browser, lambda: "not counted: the projector failed" in browser.text("over"))
    settled(browser, lambda: "3 of 4 games played" in browser.text("stages"))
    play_all(arena, four)
    settled(browser, lambda: "4 of 4 games played" in browser.text("stages"))

    settled(browser, lambda: browser.driver.find_elements(By.CSS_SELECTOR, "#teams [data-act=late]"))
    browser.run("document.querySelector(\"#teams [data-act=late][data-value='Team 5']\").click()")
    settled(
        browser, lambda: browser.run("return !document.querySelector(\"#teams [data-act=late][data-value='Team 5']\")")
    )
    browser.click("open-round")
    settled(browser, lambda: browser.text("live").count("round 2") == 4)
    play_all(arena, KEYS)
    settled(browser, lambda: "the contest is over" in browser.text("why-closed"))
    assert browser.text("problem") == ""
    assert browser.complaints() == []
    assert browser.run("return window.bad") is None

    saved = browser.driver.execute_async_script(
        "const done = arguments[0]; fetch('/export').then((each) => each.arrayBuffer())"
        ".then((data) => done([...new Uint8Array(data)]))"
    )
    check_export(bytes(saved), {**keys, **KEYS})
    what = [line["what"] for line in arena.organise("/log", "GET")]
    for word in ("logged in", "registered team '=HYPERLINK(1)'", "paused", "opened round 1", "the projector failed",
                 "added team 'Team 5'", "exported everything"):  # fmt: skip
        assert any(word in line for line in what), word


def check_export(data: bytes, keys: dict[str, str]) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert {
        "teams.csv", "games.csv", "log.csv", "standings.csv", "standings.json", "contests/contest/match.yaml",
    } <= set(files)  # fmt: skip
    assert sum(name.startswith("contests/") and name.endswith(".jsonl") for name in files) == 9
    assert not any("sqlite" in name or "token" in name for name in files)
    whole = b"".join(files.values())
    assert TOKEN.encode() not in whole
    assert not any(key.encode() in whole for key in keys.values())
    assert b"\n'=HYPERLINK(1)," in files["teams.csv"]


def test_public_pages_show_the_day_and_hide_results(browser: Browser, make_arena: Callable[..., Served]) -> None:
    arena = make_arena(settings={"options": {"rounds": 1, "map": "m1"}})
    for name in HOSTILE:
        arena.organise("/register", name=name)
    request = urllib.request.Request(f"{arena.url}/contest?apiKey={TOKEN}", SWISS.replace('"remote:*"', '"remote:Team 1", random').replace("seats: 4", "seats: 2").encode(), {"Content-Type": "text/plain"})  # fmt: skip
    with pytest.raises(urllib.error.HTTPError, match="400"):  # Heroes has four seats
        urllib.request.urlopen(request)
    game = arena.create(category="FRIENDLY", seats="remote:Team 1,random,random,random")
    arena.organise("/notice", text="Lunch <b>until</b> 13:00")
    browser.open(f"{arena.url}/")
    assert browser.text("notice") == "Lunch <b>until</b> 13:00"
    assert "FRIENDLY" in browser.text("schedule")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda state: "Stay")
    settled(browser, lambda: "FRIENDLY" in browser.text("results"))
    assert "<script>window.bad = 1</script>" in browser.text("teams")
    settled(browser, lambda: re.search(r"Team 1 (under 1|\d+) ms", browser.text("teams")))
    assert browser.text("network").startswith("Added to every time limit of a team for the network: nothing.")
    for width in (1280, 400):
        browser.resize(width, 800)
        assert browser.run("return document.documentElement.scrollWidth") <= width
    browser.open(f"{arena.url}/team?name=Team%201")
    assert browser.text("team-heading") == "Team 1"
    assert browser.text("team-facts").startswith("place–games1won")
    arena.organise("/hide")
    hidden = arena.create(category="FINAL", seats="remote:Team 1,random,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(hidden), lambda state: "Stay")
    arena.record(hidden)
    until(lambda: not arena.organise("/games/active", "GET"), "the end of the game")

    def final() -> dict[str, object]:
        found = json.loads(arena.call("/data/arena")[1])["games"]
        return next((each for each in found if each["id"] == hidden and each["status"] == "finished"), {})

    settled(browser, final)
    assert "scores" not in final()
    arena.organise("/publish", stop="yes")
    settled(browser, lambda: "scores" in final())
    browser.open(f"{arena.url}/wall")
    settled(browser, lambda: "Lunch" in browser.text("notice"))
    assert browser.run("return window.bad") is None
    assert browser.complaints() == []


def test_the_page_fits_a_phone_and_the_keyboard(browser: Browser, arena: Served) -> None:
    browser.resize(400, 800)
    organiser_page(browser, arena)
    assert browser.run("return document.documentElement.scrollWidth") <= 400
    unnamed = "return [...document.querySelectorAll('button, input, select, textarea')].filter((each) => each.checkVisibility() && !each.textContent.trim() && !each.labels?.length && !each.ariaLabel).length"  # fmt: skip
    assert browser.run(unnamed) == 0
    browser.click("logout")
    settled(browser, lambda: browser.visible("login"))
    assert not browser.visible("controls")
    browser.driver.find_element(By.ID, "token").send_keys("wrong\n")
    settled(browser, lambda: "Unauthorized" in browser.text("problem"))
