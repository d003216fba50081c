"""The page of a team: registration, connection, games and self-test; uploads, versions, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from arbiter.agents.sandbox.trial import choose_sandbox
from tests.arena.browser.test_day import organiser_page, press, settled, submit, type_in
from tests.arena.clients import client
from tests.arena.served import KEYS, Served
from tests.arena.test_uploads import STAYS, zipped
from tests.tools import missing
from tests.web.browser.driver import Browser

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=window.bad=1>.py"


@pytest.fixture
def arena(make_arena: Callable[..., Served]) -> Served:
    if choose_sandbox("auto").level in ("none", "rlimits"):
        missing("a sandbox that contains strangers' programs")
    return make_arena(uploads=True, settings={"sandbox": "auto", "options": {"rounds": 1, "map": "m1"}})


def log_in(browser: Browser, arena: Served) -> None:
    browser.open(f"{arena.url}/my")
    type_in(browser, "key", f" {KEYS['Team 1']}\n")
    submit(browser, "key-form")
    settled(browser, lambda: browser.visible("own"))


def upload(browser: Browser, file: Path, said: str) -> None:
    """Choose a file as a person would, upload it, and wait for the message of the page."""
    browser.driver.find_element(By.ID, "file").send_keys(str(file))
    submit(browser, "upload-form")
    settled(browser, lambda: said in browser.text("outcome") + browser.text("problem"))


def test_an_invited_team_registers_tests_its_program_and_sees_its_games(
    browser: Browser, make_arena: Callable[..., Served]
) -> None:
    arena = make_arena(settings={"options": {"rounds": 9, "map": "m1"}})
    organiser_page(browser, arena)
    browser.click("invite")
    settled(browser, lambda: "/my#" in browser.text("invitation"))
    browser.open(browser.text("invitation").split()[0])
    type_in(browser, "name", "<b>New</b>")
    submit(browser, "register-form")
    settled(browser, lambda: browser.visible("own"))
    key = browser.text("key-shown")
    assert (browser.text("team"), "not seen yet" in browser.text("connection")) == ("<b>New</b>", True)
    assert "#" not in browser.driver.current_url
    browser.click("test")
    settled(browser, lambda: "Waiting for your program to join." in browser.text("answers"))
    with client("1", arena.port, key) as player:
        player.play(str(player.join()["hero"]["id"]))  # no direction
        settled(browser, lambda: 'said "' in browser.text("answers"))
        settled(browser, lambda: "plays" in browser.text("connection"))
    for width in (400, 1280):
        browser.resize(width, 800)
        assert browser.run("return document.documentElement.scrollWidth") <= width
    assert browser.complaints() == []


def test_a_team_uploads_tries_and_chooses(browser: Browser, arena: Served, tmp_path: Path) -> None:
    log_in(browser, arena)
    assert browser.text("team") == "Team 1"
    assert not browser.visible("network"), "it plays over the network"
    bot, pair, other = tmp_path / HOSTILE, tmp_path / "two.zip", tmp_path / "bot.xyz"
    bot.write_text(STAYS)
    pair.write_bytes(zipped({"one.py": b"", "two.py": b""}))
    other.write_text("x")
    upload(browser, bot, "Version 1 is built.")
    settled(browser, lambda: browser.visible("network"))
    assert HOSTILE in browser.text("versions")
    assert "plays" in browser.text("versions")
    upload(browser, pair, "Version 2 cannot play.")
    settled(browser, lambda: "needs agent.yaml at its top, or just one source file" in browser.text("versions"))
    assert arena.lobby.store.chosen_upload("Team 1") == 1, "what cannot play is not chosen"
    assert str(arena.folder) not in browser.driver.page_source
    browser.click("play")  # not from the next game on
    upload(browser, bot, "Version 3 is built.")
    assert arena.lobby.store.chosen_upload("Team 1") == 1
    press(browser, "versions", "Let it play")
    settled(browser, lambda: arena.lobby.store.chosen_upload("Team 1") == 3)
    browser.click("network")
    settled(browser, lambda: not browser.visible("network"))
    assert arena.lobby.store.chosen_upload("Team 1") == 0
    assert browser.complaints() == []
    upload(browser, other, "'bot.xyz' is neither a .zip or .tar.gz archive nor a source file")
    assert browser.text("outcome") == ""
    assert browser.run("return window.bad") is None
    press(browser, "versions", "Try a game")
    settled(browser, lambda: "/game/" in browser.driver.current_url)


def test_a_wrong_key_and_a_large_file_are_refused(browser: Browser, arena: Served, tmp_path: Path) -> None:
    browser.open(f"{arena.url}/my")
    type_in(browser, "key", "wrongkey")
    submit(browser, "key-form")
    settled(browser, lambda: browser.text("problem") == "Key not found")
    assert not browser.visible("own")
    log_in(browser, arena)
    large = tmp_path / "large.py"
    large.write_bytes(bytes((4 << 20) + 1))
    browser.driver.find_element(By.ID, "file").send_keys(str(large))
    submit(browser, "upload-form")
    settled(browser, lambda: browser.text("problem") == "The file must not be larger than 4 MB.")
    assert arena.lobby.store.uploads("Team 1") == []


def test_the_organiser_sees_and_chooses_versions(browser: Browser, arena: Served, tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(STAYS)
    for width in (400, 1280):
        browser.resize(width, 800)
        log_in(browser, arena)
        upload(browser, bot, "is built.")
        assert browser.run("return document.documentElement.scrollWidth") <= width
    organiser_page(browser, arena)
    choice = "document.querySelector(\"#teams select[data-act=version][data-value='Team 1']\")"
    settled(browser, lambda: browser.run(f"return {choice}?.value") == "2")
    browser.run(f"{choice}.value = '1'; {choice}.dispatchEvent(new Event('change', {{bubbles: true}}))")
    settled(browser, lambda: arena.lobby.store.chosen_upload("Team 1") == 1)
    assert browser.complaints() == []
