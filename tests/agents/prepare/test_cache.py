"""Each cache is bounded in size and age, and survives other arbiters and killed ones."""

from __future__ import annotations

import contextlib
import fcntl
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from arbiter.agents.prepare import cache as caching
from arbiter.agents.prepare.cache import Cache
from tests.nullgame.place import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_cache")]
DAY = 86_400


def names(cache: Cache) -> list[str]:
    return sorted(path.name for path in cache.folder.iterdir() if path.name != ".lock")


def fill(folder: Path, name: str, text: str) -> None:
    write(folder / name, text)


def store(cache: Cache, key: str, size: int = 10, unused_days: float = 0) -> None:
    cache.store(key, lambda folder: fill(folder, "program", "x" * size))
    used = time.time() - unused_days * DAY
    os.utime(cache.folder / key, (used, used))


def test_a_result_is_found_again_and_marked_as_used() -> None:
    cache = Cache()
    assert cache.find("bot-1") is None
    store(cache, "bot-1", unused_days=20)
    assert cache.find("bot-1") == cache.folder / "bot-1"
    assert time.time() - (cache.folder / "bot-1").stat().st_mtime < DAY
    assert (cache.folder / "bot-1").stat().st_mode & 0o777 == 0o755


def test_results_that_nobody_used_for_a_month_are_removed() -> None:
    cache = Cache()
    store(cache, "old", unused_days=31)
    store(cache, "recent", unused_days=29)
    write(cache.folder / "folder-of-an-earlier-version.json", "{}")
    os.utime(cache.folder / "folder-of-an-earlier-version.json", (1, 1))
    store(cache, "new")
    assert names(cache) == ["new", "recent"]


def test_the_oldest_results_beyond_the_size_limit_are_removed_unless_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caching, "MOST_BYTES", 1000)
    cache = Cache()
    for key, days in (("five", 5), ("four", 4), ("three", 3), ("now", 0.5), ("too", 0.25)):
        store(cache, key, 400, days)
    cache.prune()
    assert names(cache) == ["now", "too"]
    store(cache, "more", 400)
    assert names(cache) == ["more", "now", "too"], "used within a day"


def test_what_a_killed_arbiter_left_is_removed_and_what_a_running_one_makes_is_not() -> None:
    cache = Cache()
    write(cache.folder / "building-dead" / "half", "")
    write(cache.folder / "building-alive" / "half", "")
    held = os.open(cache.folder / "building-alive", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        cache.prune()
        assert names(cache) == ["building-alive"]
    finally:
        os.close(held)
    cache.prune()
    assert names(cache) == []


def test_a_result_that_could_not_be_written_leaves_nothing() -> None:
    def fails(folder: Path) -> None:
        write(folder / "half", "")
        raise RuntimeError("disk on fire")

    cache = Cache()
    with pytest.raises(RuntimeError, match="disk on fire"):
        cache.store("bot-1", fails)
    assert names(cache) == []


def _three_parts(folder: Path) -> None:
    for part in range(3):
        fill(folder, f"{part}", "x" * 300)


def _hammer(number: int) -> int:
    """Store, find and prune the same few results again and again; return how often one was incomplete."""
    caching.MOST_BYTES, caching.IN_USE_S = 2000, -1
    cache, bad = Cache(), 0
    for turn in range(60):
        key = f"bot-{(turn + number) % 4}"
        cache.store(key, _three_parts)
        found = cache.find(key)
        with contextlib.suppress(FileNotFoundError):  # another process may prune it at any moment
            bad += found is not None and sorted(path.name for path in found.iterdir()) not in (["0", "1", "2"], [])
    return bad


def test_many_arbiters_at_once_see_complete_results_only() -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        assert pool.map(_hammer, range(3)) == [0, 0, 0]
    assert not [name for name in names(Cache()) if name.startswith("building-")]
