"""The slots of a host: each game has a core and a folder that no other game has at that time."""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arbiter.agents.prepare.cache import Cache
from arbiter.cluster import worker_plugin
from arbiter.cluster.worker_plugin import CoreRange, GamePlugin
from arbiter.contest.pool import WorkerNumbers


class OpenedSlot:
    """A slot that plays nothing."""

    def __init__(self, _: Any, __: Any, numbers: WorkerNumbers, folder: Path) -> None:
        self.used = numbers.first, folder.name
        self.closed = False

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GamePlugin:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(worker_plugin, "Slot", OpenedSlot)
    nothing: Any = None
    files = contextlib.ExitStack()
    plan: Any = SimpleNamespace(save=files.enter_context(Cache("runs").new_folder()))
    return GamePlugin("cup", plan, nothing, CoreRange(first=4, count=3, total=8), files)


def used(slot: Any) -> tuple[int, str]:
    found: tuple[int, str] = slot.used
    return found


def test_a_slot_that_fails_is_replaced_and_those_in_use_keep_their_cores(plugin: GamePlugin) -> None:
    with plugin._slot() as first:
        with plugin._slot() as second:
            assert [used(first), used(second)] == [(4, "0"), (5, "1")]
        with contextlib.suppress(OSError), plugin._slot() as again:
            assert again is second, "an idle slot is used again"
            raise OSError
        with plugin._slot() as third, plugin._slot() as fourth:
            assert [used(third), used(fourth)] == [(5, "1"), (6, "2")]
            assert third is not second
    failed: Any = second
    assert failed.closed


def test_the_folder_of_a_run_goes_with_it(plugin: GamePlugin) -> None:
    folder = plugin._plan.save
    assert folder.is_dir()
    plugin.close()
    assert not folder.exists()


def test_a_folder_whose_process_has_ended_is_removed_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    cache = Cache("runs")
    left = cache.folder / "building-left"
    left.mkdir()
    with cache.new_folder() as used:
        cache.prune()
        assert {path.name for path in cache.folder.iterdir()} == {".lock", used.name}
