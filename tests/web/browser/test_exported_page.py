"""The exported file: opened from disk, without a server, it is the same page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from arbiter.config.workspace import Workspace
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.bundle import page
from tests.records import games
from tests.tools import ROOT
from tests.web.browser.driver import Browser

pytestmark = pytest.mark.slow

SAMPLES = [ROOT / "matches" / "samples" / f"{name}.jsonl" for name in ("heroes", "rails")]
"""Two of the games: all are exported in the same way."""


def exported(record: Path, folder: Path) -> str:
    """Export a game; return the address of the file."""
    loaded, file = load_record(record), folder / f"{record.stem}.html"
    file.write_text(page(loaded, find_protocol(loaded.header.protocol, Workspace())), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("record", SAMPLES, ids=lambda path: path.stem)
def test_every_game_works_from_disk(browser: Browser, record: Path, tmp_path: Path) -> None:
    last = load_record(record).answers[-1].turn
    browser.open(f"{exported(record, tmp_path)}#turn={last // 2}")
    assert browser.turn == last // 2
    boards = [browser.board()]
    for turn in (0, last):
        browser.go(turn)
        boards.append(browser.board())
    assert len(set(boards)) == 3
    assert min(map(len, boards)) > 40
    assert browser.complaints() == []


def test_keys_details_and_download_work_from_disk(browser: Browser, place: Path) -> None:
    record = games.counting(place / "counted.jsonl").path
    browser.open(exported(record, place))
    browser.keys("f")
    assert browser.turn == 3
    browser.click("tab-details")
    assert "zehn" in browser.text("details")
    browser.keys(Keys.END)
    assert "bot 1 wins" in browser.text("result")
    folder = place / "downloads"
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    browser.click("download")
    browser.until(lambda: (folder / "counted.jsonl").exists() and (folder / "counted.jsonl").stat().st_size > 0)
    assert (folder / "counted.jsonl").read_bytes() == record.read_bytes()
    assert browser.complaints() == []


def test_the_policy_of_the_file_blocks_any_other_script(browser: Browser, place: Path) -> None:
    address = exported(games.counting(place / "counted.jsonl").path, place)
    file = place / "counted.html"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("</body>", "<script>window.broken = 1</script></body>"), encoding="utf-8")
    browser.open(address)
    assert browser.run("return window.broken ?? null") is None
    assert any("Content Security Policy" in said for said in browser.complaints())


def test_nothing_in_the_file_points_elsewhere(place: Path) -> None:
    exported(games.counting(place / "counted.jsonl").path, place)
    text = (place / "counted.html").read_text(encoding="utf-8")
    assert not re.search(r'(?:src|href)="(?!data:,"|/games")', text)
