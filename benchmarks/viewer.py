"""The viewer: size and speed of its pages in a real browser, a large folder, and the cost of spectators to games."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from arbiter.config.workspace import Workspace, bundled
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.bundle import page
from arbiter.web.folder import FolderPage
from arbiter.web.library import Library
from benchmarks.options import Options
from benchmarks.row import Row
from benchmarks.viewer_jumps import JUMPS, MOST_MS, PASSES, jump_rows, jumps_of, percentile
from benchmarks.viewer_watchers import watcher_rows
from tests.web.long_game import MOVES, long_game

GAMES = 10_000
ROUNDS = 5


def rows(_: Options) -> Iterator[Row]:
    """Measure the pages, a folder of 10,000 games with and without its index, and turns with 20 watchers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _long_game(folder)
        yield from _large_folder(folder / "many")
        yield from watcher_rows(folder)


def _long_game(folder: Path) -> Iterator[Row]:
    record = long_game(folder / "long.jsonl")
    file = folder / "long.html"
    file.write_text(page(record, find_protocol("heroes", Workspace())), encoding="utf-8")
    yield Row(f"exported page of Heroes, {MOVES} plies", file.stat().st_size / 1e6, "MB", most=1)
    with contextlib.ExitStack() as stack:
        from tests.web.browser.driver import chromium

        browser = stack.enter_context(chromium(folder / "profile"))
        browser.resize(1280, 720)
        times = []
        for _ in range(ROUNDS):
            browser.open(file.as_uri())
            times.append(browser.run("return performance.getEntriesByName('ready')[0].startTime"))
        yield Row(f"page interactive, {MOVES} plies", median(times), "ms", most=300)
        yield from jump_rows(jumps_of(browser, file))
        for name in ("splendor", "green_circle", "rails", "drones"):
            sample = load_record(bundled() / "matches" / "samples" / f"{name}.jsonl")
            file.write_text(page(sample, find_protocol(name, Workspace())), encoding="utf-8")
            found, what = jumps_of(browser, file), f"turn of {name} drawn after a jump"
            yield Row(f"{what}, 99th percentile", percentile(found.drawn, 0.99), "ms", most=MOST_MS)
            yield Row(f"{what}, slowest of {JUMPS} at its best of {PASSES}", found.slowest, "ms", most=MOST_MS)


def _large_folder(folder: Path) -> Iterator[Row]:
    folder.mkdir()
    text = (bundled() / "matches" / "samples" / "splendor.jsonl").read_bytes()
    for number in range(GAMES):
        file = folder / f"{number:05}.jsonl"
        file.write_bytes(text)
        os.utime(file, (0, 0))  # a file that changed recently would be read again

    def opened(library: Library) -> float:
        start = perf_counter()
        listed = FolderPage(library).games([])
        took = perf_counter() - start
        assert listed["found"] == GAMES
        return took

    library = Library(folder=folder)
    yield Row(f"folder of {GAMES:,} games opened for the first time", opened(library), "s", most=1)
    library.wait_for_index()
    yield Row(f"folder of {GAMES:,} games opened with its index", opened(Library(folder=folder)), "s", most=1)
