"""The arena under load: 50 concurrent games of four remote clients each, with 100 spectators, all on the same cores.

Clients think for 50 to 200 ms. The server's time for a move is the time from when its client sends it to when the next
player's state has been written to the socket: reading the request, the rules, the record, and the response. Clients that fail,
because they were ruled late or refused, are the server's fault: they have a second for a move.

    python -m benchmarks --only arena           all of it, on a quiet machine
    python -m benchmarks.arena GAMES SPECTATORS [ROUNDS]     one load

On a machine with other load, ``chrt -r 1`` in front of the second command gives server and clients the cores for the few
seconds that it takes.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.arena_server import TOKEN, key_of
from benchmarks.options import Options
from benchmarks.row import Row

GAMES, SPECTATORS, ROUNDS = 50, 100, 20
STEPS = (50, 75, 100, 125, 150, 200, 250, 300, 400)
"""Numbers of concurrent games to try, until there are too many."""
LIMIT_MS, NOTICED_MS = 5.0, 50.0
"""The most that the server should take, and what a player with a limit of one second would notice."""
THINK_S = (0.05, 0.2)
MANY, AT_ONCE = 1000, 20


def rows(options: Options) -> Iterator[Row]:
    """Measure the time for a move and its CPU time, with and without spectators; the limit; and memory over many games."""
    full, quiet = measure(GAMES, SPECTATORS), measure(GAMES, 0)
    with_all = f"{GAMES} games at once, {SPECTATORS} spectators"
    yield Row(f"server's time for a move, p99, {with_all}", full.quantile_ms(0.99), "ms", most=LIMIT_MS)
    yield Row(f"server's time for a move, median, {with_all}", full.quantile_ms(0.5), "ms")
    ratio = full.cpu_us / quiet.cpu_us
    yield Row(f"CPU time per move, {with_all}, against none", full.cpu_us, "µs", quiet.cpu_us, ratio)
    fast, acceptable = most_games()
    yield Row(f"games at once with p99 up to {LIMIT_MS:g} ms", fast, "", least=GAMES)
    yield Row(f"games at once with p99 up to {NOTICED_MS:g} ms and no failing client", acceptable, "", least=GAMES)
    games = min(options.games, MANY)
    early, late = memory(games)
    what = f"memory of the arena after {games:,} games, against {games // 2:,}"
    yield Row(what, late / 1e6, "MB", early / 1e6, late / early, most=1.03)


@dataclass(frozen=True, slots=True)
class Load:
    """The measurements under one load."""

    times_ns: list[int]
    """The server's time for every move, sorted."""
    cpu_us: float
    """CPU time of the server per move, including a share of starting the games."""
    failed: list[str]
    """The errors of clients that did not finish their game."""

    def quantile_ms(self, share: float) -> float:
        """Return the time that this share of the moves does not exceed."""
        if not self.times_ns:
            return float("inf")
        return self.times_ns[min(len(self.times_ns) - 1, int(len(self.times_ns) * share))] / 1e6


class Server:
    """The arena in a separate process."""

    def __init__(self, folder: Path, teams: int, *more: str) -> None:
        self._folder = folder
        command = [sys.executable, "-m", "benchmarks.arena_server", str(folder), str(teams), *more]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._line())

    def _line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline()

    def create(self, games: int, rounds: int) -> list[str]:
        """Create official games and return their ids."""
        made = []
        for number in range(games):
            path = f"/games?apiKey={TOKEN}&rounds={rounds}&map=m{1 + number % 6}"
            url = f"http://127.0.0.1:{self.port}{path}"
            request = urllib.request.Request(url, method="POST", headers={"Accept": "application/json"})
            with urllib.request.urlopen(request) as response:
                made.append(json.load(response)["id"])
        return made

    def play(self, games: list[str], spectators: int, think_s: tuple[float, float]) -> dict[str, Any]:
        """Play games to their end and return the clients' measurements."""
        task = self._folder / "task.json"
        keys = [key_of(team) for team in range(4 * len(games))]
        given = {"port": self.port, "games": games, "keys": keys, "spectators": spectators, "think_s": think_s}
        task.write_text(json.dumps(given))
        command = [sys.executable, "-m", "benchmarks.arena_clients", str(task)]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found

    def measured(self) -> dict[str, Any]:
        """Return the server's measurements since the last call."""
        assert self._process.stdin
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._line())
        return found

    def close(self) -> None:
        """Stop the server."""
        with self._process:
            pass


@contextlib.contextmanager
def serving(teams: int, *more: str) -> Iterator[Server]:
    """Serve an arena in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-") as folder:
        server = Server(Path(folder), teams, *more)
        try:
            yield server
        finally:
            server.close()


def measure(games: int, spectators: int, rounds: int = ROUNDS) -> Load:
    """Measure one load."""
    with serving(4 * games) as server:
        ids = server.create(games, rounds)
        before = server.measured()
        clients = server.play(ids, spectators, THINK_S)
        after = server.measured()
    plies = 4 * rounds
    times = []
    for game in ids:
        sent, delivered = clients["sent"][game], after["delivered"].get(game, [])
        if sum(map(len, sent)) == sum(map(len, delivered)) == plies:
            times += [delivered[(ply + 1) % 4][(ply + 1) // 4] - sent[ply % 4][ply // 4] for ply in range(plies - 1)]
    cpu_us = (after["cpu_ns"] - before["cpu_ns"]) / 1000 / (games * plies)
    return Load(sorted(times), cpu_us, clients["failed"])


def most_games() -> tuple[int, int]:
    """Return the largest numbers of concurrent games tried at which the server is fast, and at which it is still acceptable."""
    fast = acceptable = 0
    for games in STEPS:
        load = measure(games, SPECTATORS)
        p99_ms = load.quantile_ms(0.99)
        if load.failed or p99_ms > NOTICED_MS:
            break
        acceptable = games
        fast = games if p99_ms <= LIMIT_MS else fast
    return fast, acceptable


def memory(games: int) -> tuple[int, int]:
    """Return the memory of the arena after half of the games and after all of them."""
    found = []
    with serving(4 * AT_ONCE, "--plain") as server:
        for number in range(0, games, AT_ONCE):
            server.play(server.create(AT_ONCE, 2), 0, (0, 0))
            if number + AT_ONCE in (games // 2, games):
                found.append(int(server.measured()["rss"]))
    return found[0], found[-1]


def main() -> None:
    """Measure the load given on the command line."""
    load = measure(*map(int, sys.argv[1:]))
    shares = ", ".join(f"p{100 * share:g} {load.quantile_ms(share):.2f}" for share in (0.5, 0.9, 0.99, 0.999))
    print(f"{shares} ms; {load.cpu_us:.0f} µs CPU per move; {len(load.failed)} clients failed {load.failed[:1]}")


if __name__ == "__main__":
    main()
