"""The arena in a process of its own, which notes when every question was handed to the kernel.

``python -m benchmarks.arena_server FOLDER TEAMS``: prints the port; on a line of input prints what it has measured so far.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from time import CLOCK_PROCESS_CPUTIME_ID, clock_gettime_ns
from typing import Any

import psutil

from arbiter.arena.app import Arena
from arbiter.arena.hall import Hall
from arbiter.arena.making import Making
from arbiter.arena.rules import Rules
from arbiter.arena.seat import RemoteSeat
from arbiter.arena.serve import make_arena_server, prepare_process
from arbiter.arena.store import Store
from arbiter.game_settings import GameSettings
from arbiter.web.serve import listen
from arbiter.workspace import Workspace

TOKEN = "benchmark"


def key_of(team: int) -> str:
    """Return the key of a team."""
    return f"k{team:07}"


def main() -> None:
    """Serve until the standard input is closed."""
    folder, teams = Path(sys.argv[1]), int(sys.argv[2])
    store = Store(folder / "arena.sqlite")
    for team in range(len(store.teams()), teams):
        store.register(f"team {team}", key_of(team))
    store.close()
    handed_over: dict[RemoteSeat, list[int]] = {}
    original = RemoteSeat.delivered

    def delivered(seat: RemoteSeat, number: int, at_ns: int) -> None:
        handed_over.setdefault(seat, []).append(at_ns)
        original(seat, number, at_ns)

    if "--plain" not in sys.argv:
        RemoteSeat.delivered = delivered  # type: ignore[method-assign,assignment]
    prepare_process()
    address = listen("127.0.0.1", 0)
    making = Making(Workspace(folder), GameSettings(sandbox="none"), folder, 0)
    server = make_arena_server(Arena(making, Rules(), folder / "arena.sqlite", TOKEN, "127.0.0.1"))

    def listen_to_input() -> None:
        for _ in sys.stdin:
            hall: Hall = server.config.app.state.hall  # type: ignore[union-attr]
            print(json.dumps(_measured(hall, handed_over)), flush=True)
            handed_over.clear()
        server.should_exit = True

    threading.Thread(target=listen_to_input, daemon=True).start()
    print(address.port, flush=True)
    server.run(sockets=[address.listening])


def _measured(hall: Hall, handed_over: dict[RemoteSeat, list[int]]) -> dict[str, Any]:
    games = list(hall.live.values()) + list(hall._over.values())
    return {
        "delivered": {
            game.row.id: [handed_over.get(game.places[seat].remote, []) for seat in sorted(game.places)]
            for game in games
        },
        "cpu_ns": clock_gettime_ns(CLOCK_PROCESS_CPUTIME_ID),
        "rss": psutil.Process().memory_info().rss,
        "threads": threading.active_count(),
    }


if __name__ == "__main__":
    main()
