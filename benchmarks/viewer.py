"""The viewer: size and speed of its pages in a real browser, a large folder, and the cost of spectators to games."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from arbiter.bench.compare import medians
from arbiter.records.archive.game_summary import summarise_record
from arbiter.records.reader import load_record
from arbiter.registry import find_protocol
from arbiter.web.bundle import page
from arbiter.web.folder import FolderPage
from arbiter.web.library import Library
from arbiter.web.watcher import watching
from arbiter.workspace import Workspace, bundled
from benchmarks.options import Options
from benchmarks.row import Row, compared
from benchmarks.viewer_jumps import JUMPS, MOST_MS, PASSES, jump_rows, jumps_of, percentile
from tests.web.long_game import MOVES, long_game

GAMES = 10_000
WATCHERS = 20
ROUNDS = 5
PLAYED = 4


def rows(_: Options) -> Iterator[Row]:
    """Measure the pages, a folder of 10,000 games with and without its index, and turns with 20 watchers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _long_game(folder)
        yield from _large_folder(folder / "many")
        pairs = [(_played(folder, 0), _played(folder, WATCHERS)) for _ in range(ROUNDS)]
        turns = [(bare.turn_us, watched.turn_us) for bare, watched in pairs]
        yield compared(f"turn with {WATCHERS} watchers, as the game's clock sees it", medians(turns), "µs", most=1.03)
        games = [(bare.game_ms, watched.game_ms) for bare, watched in pairs]
        yield compared(f"game with {WATCHERS} watchers, from its start to its result", medians(games), "ms", most=1.03)


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


@dataclass(frozen=True, slots=True)
class _Played:
    """The times of the games."""

    turn_us: float
    """From the first byte of a prompt to the end of the answer: the median, since first moves include the agents' start."""
    game_ms: float


def _played(folder: Path, watchers: int) -> _Played:
    """Play games while so many pages follow them."""
    # Placed as by `arbiter play --watch`: the games on one core, the pages on the others.
    first, *others = sorted(os.sched_getaffinity(0))
    command = [
        "taskset",
        "-c",
        str(first),
        sys.executable,
        "-m",
        "arbiter",
        "play",
        "heroes",
        *["random"] * 4,
        "--games",
        str(PLAYED),
        "--json",
    ]
    command += ["--seed", "1", "--sandbox", "none", "--save", str(folder / "played"), "-o", "rounds=100"]
    with contextlib.ExitStack() as stack:
        if watchers:
            save = folder / "played"
            save.mkdir(exist_ok=True)
            watcher = stack.enter_context(watching(save, on=frozenset(others) or None))
            # Real browsers run on other machines or are idle, so here they must not use the games' cores.
            looking = [sys.executable, "-m", "benchmarks.viewer", watcher.url, str(watchers)]
            if others:
                looking = ["taskset", "-c", ",".join(map(str, others)), *looking]
            process = stack.enter_context(subprocess.Popen(["nice", "-n", "19", *looking], stdout=subprocess.PIPE))
            stack.callback(process.kill)
            assert process.stdout is not None
            process.stdout.readline()
        made = subprocess.run(command, capture_output=True, check=True)
    records = [load_record(Path(game["record"])) for game in json.loads(made.stdout)["games"]]
    turns = [line.wall_us for record in records for line in record.answers]
    durations = [summarise_record(record).duration_us or 0 for record in records]
    return _Played(median(turns), sum(durations) / len(durations) / 1000)


def _watch(url: str, watchers: int) -> None:
    """Follow the folder from so many pages, each of which opens and follows every game as it begins."""
    connected = threading.Barrier(watchers + 1)

    def look() -> None:
        seen = ""
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}data/changes") as events:
            connected.wait()
            for line in events:
                if not line.startswith(b"event"):
                    continue
                games = json.load(urllib.request.urlopen(f"{url}data/games?limit=1"))["games"]
                if games and games[0]["id"] != seen:
                    seen = games[0]["id"]
                    threading.Thread(target=follow, args=(seen,), daemon=True).start()

    def follow(game: str) -> None:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}data/game/{game}/live?after=0") as events:
            for _ in events:
                pass

    for _ in range(watchers):
        threading.Thread(target=look, daemon=True).start()
    connected.wait()
    print("watching", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    _watch(sys.argv[1], int(sys.argv[2]))
