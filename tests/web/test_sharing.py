"""What many watchers share, so that they cost the games next to nothing: looks at records and folders, and answers."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arbiter.web import feed as feed_module
from arbiter.web import folder as folder_module
from arbiter.web.feed import Feed
from arbiter.web.folder import FolderPage
from arbiter.web.library import Library
from tests.records import games


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now_s, self.worked_s, self.each_s = 100.0, 0.0, 0.0

    def monotonic(self) -> float:
        return self.now_s

    def thread_time(self) -> float:
        self.worked_s += self.each_s
        return self.worked_s


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    time = SimpleNamespace(monotonic=clock.monotonic, thread_time=clock.thread_time, time_ns=lambda: 0)
    monkeypatch.setattr(feed_module, "time", time)
    monkeypatch.setattr(folder_module, "time", time)
    return clock


def test_many_watchers_of_a_game_look_at_its_record_together(shelf: Path, clock: Clock) -> None:
    feed = Feed(shelf / "counted.jsonl")
    assert [feed.is_due(60) for _ in range(20)] == [True] + [False] * 19


@pytest.mark.parametrize("each_s", [0.001, 0.02, 0.09])
def test_reading_a_running_game_takes_a_twentieth_of_the_time(shelf: Path, clock: Clock, each_s: float) -> None:
    feed, looks = Feed(shelf / "counted.jsonl"), 0
    clock.each_s = each_s
    for _ in range(2000):
        clock.now_s += 0.01
        if feed.is_due(0.1):
            feed.refresh()
            looks += 1
    assert 5 <= looks <= 20 / max(0.09, 19 * each_s) + 1


def test_watchers_at_the_same_turn_are_sent_the_same_bytes(shelf: Path) -> None:
    feed = Feed(shelf / "counted.jsonl")
    feed.refresh()
    (known, first), (_, again) = feed.turns_after(1), feed.turns_after(1)
    assert first is again
    assert len(json.loads(b"[" + first + b"]")) == known - 1
    assert feed.turns_after(known) == (known, b"")


def test_twenty_pages_of_a_folder_share_one_search(shelf: Path, clock: Clock) -> None:
    page, searches = FolderPage(Library(folder=shelf)), []

    def listed() -> Any:
        searches.append(1)
        return page.games([])

    answers = {page.shared("games", listed) for _ in range(20)}
    assert (len(searches), len(answers)) == (1, 1)
    games.counting(shelf / "third.jsonl")
    clock.now_s += 60
    assert json.loads(page.shared("games", listed))["found"] == 3


def test_a_folder_that_takes_long_to_list_is_looked_at_less_often(shelf: Path, clock: Clock) -> None:
    page, made = FolderPage(Library(folder=shelf)), []
    clock.each_s = 0.1
    for number in range(1000):  # ten seconds of a contest in which something changes all the time
        clock.now_s += 0.01
        page.shared("games", lambda number=number: made.append(number))  # type: ignore[misc]
        if page.scan_is_due:
            games.counting(shelf / f"{number % 3}.jsonl")
    assert len(made) * 0.2 <= 10 / 9
