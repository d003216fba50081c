"""The cost of 20 watchers to games: turns and games with and without them, in many short alternating rounds.

The same server and the same 20 watchers exist all the time. For the games without watchers both are stopped (SIGSTOP), so that
they cost nothing at all, and the game is saved to a folder that nobody watches. Every round is one long game with them and one
without, in an order that changes from round to round; its ratio is that of the two. The rows have the median of the ratios,
which one disturbed game does not change, and their quartiles: unless both are on the same side of the target, this machine is
too noisy to tell whether it is met. Where two cores are hyperthreads of one, anything that runs on the other one slows the games
down, watchers or not; the arbiter can only influence the server's CPU time, the last row.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles

import psutil

from arbiter.bench.compare import medians
from arbiter.records.reader import load_record
from arbiter.records.summary import summarise
from arbiter.web.watcher import watching
from benchmarks.row import Row, compared

WATCHERS = 20
ROUNDS = 16
MOST = 1.03


@dataclass(frozen=True, slots=True)
class _Played:
    """One game."""

    turn_us: float
    """From the first byte of a prompt to the end of the answer: the median, since first moves include the agents' start."""
    game_ms: float
    server_share: float
    """CPU seconds of the server per second, while the arbiter ran."""


def watcher_rows(folder: Path) -> Iterator[Row]:
    """Compare games with watchers and without."""
    # Placed as by `arbiter play --watch`: the games on one core, the pages on the others.
    first, *others = sorted(os.sched_getaffinity(0))
    watched, alone = folder / "watched", folder / "alone"
    pairs = []
    with _watched(watched, others) as (server, looking):
        for number in range(2 * ROUNDS):
            if number % 4 in (0, 3):
                with _stopped(server, looking):
                    bare = _played(alone, first, server)
            else:
                seen = _played(watched, first, server)
            if number % 2:
                pairs.append((bare, seen))
    turns = [(bare.turn_us, seen.turn_us) for bare, seen in pairs]
    games = [(bare.game_ms, seen.game_ms) for bare, seen in pairs]
    for what, costs, unit in (
        (f"turn with {WATCHERS} watchers, as the game's clock sees it", turns, "µs"),
        (f"game with {WATCHERS} watchers, from its start to its result", games, "ms"),
    ):
        yield compared(what, medians(costs), unit, most=MOST)
        low, _, high = quantiles((cost / floor for floor, cost in costs), n=4)
        yield Row(f"{what}: lower quartile of the ratios of {ROUNDS} rounds", low, "")
        yield Row(f"{what}: upper quartile", high, "")
    share = median(seen.server_share for _, seen in pairs)
    yield Row(f"CPU time of the server of {WATCHERS} watchers, per second of play", share, "s")


@contextlib.contextmanager
def _watched(folder: Path, cores: list[int]) -> Iterator[tuple[psutil.Process, psutil.Process]]:
    """Serve a folder and watch it; yield the server and the watching program."""
    folder.mkdir()
    with contextlib.ExitStack() as stack:
        watcher = stack.enter_context(watching(folder, on=frozenset(cores) or None))
        # Real browsers run on other machines or are idle, so here they must not use the games' cores.
        looking = ["nice", "-n", "19", sys.executable, "-m", "benchmarks.viewer_watchers", watcher.url, str(WATCHERS)]
        if cores:
            looking = ["taskset", "-c", ",".join(map(str, cores)), *looking]
        process = stack.enter_context(subprocess.Popen(looking, stdout=subprocess.PIPE))
        stack.callback(process.kill)
        assert process.stdout is not None
        process.stdout.readline()
        yield psutil.Process(watcher.pid), psutil.Process(process.pid)


@contextlib.contextmanager
def _stopped(*processes: psutil.Process) -> Iterator[None]:
    for process in processes:
        process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for process in processes:
            process.send_signal(signal.SIGCONT)


def _played(folder: Path, core: int, server: psutil.Process) -> _Played:
    """Play one game of 1,200 plies: long enough that the watchers find it while most of it is still to come."""
    command = ["taskset", "-c", str(core), sys.executable, "-m", "arbiter", "play", "heroes", *["random"] * 4, "--json"]
    command += ["--seed", "1", "--sandbox", "none", "--save", str(folder), "-o", "rounds=300"]
    start, before = time.perf_counter(), sum(server.cpu_times()[:2])
    made = subprocess.run(command, capture_output=True, check=True)
    share = (sum(server.cpu_times()[:2]) - before) / (time.perf_counter() - start)
    (game,) = json.loads(made.stdout)["games"]
    record = load_record(Path(game["record"]))
    turn_us = median(line.wall_us for line in record.answers)
    return _Played(turn_us, (summarise(record).duration_us or 0) / 1000, share)


def _watch(url: str, watchers: int) -> None:
    """Follow the folder from this many pages, each of which opens and follows every game as it begins."""
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
