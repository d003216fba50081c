"""The arena in a separate process, which notes when every question was written to the socket.

``python -m benchmarks.arena_server FOLDER TEAMS`` prints its port and, for each line of input, its measurements so far.
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
from arbiter.arena.config import ArenaConfig
from arbiter.arena.lobby import Lobby
from arbiter.arena.seat import RemoteSeat
from arbiter.arena.serve import make_arena_server, prepare_process
from arbiter.arena.store import Store
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.web.serve import listen

TOKEN = "benchmark"


def key_of(team: int) -> str:
    """Return the key of a team."""
    return f"k{team:07}"


def main() -> None:
    """Serve until standard input is closed."""
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
    config = ArenaConfig(Workspace(folder), GameSettings(sandbox="none"), folder, 0, queue_protocol="heroes")
    server = make_arena_server(Arena(config, folder / "arena.sqlite", TOKEN, "127.0.0.1"))

    def listen_to_input() -> None:
        for _ in sys.stdin:
            lobby: Lobby = server.config.app.state.lobby  # type: ignore[union-attr]
            print(json.dumps(_measured(lobby, handed_over)), flush=True)
            handed_over.clear()
        server.should_exit = True

    threading.Thread(target=listen_to_input, daemon=True).start()
    print(address.port, flush=True)
    server.run(sockets=[address.listening])


def _measured(lobby: Lobby, handed_over: dict[RemoteSeat, list[int]]) -> dict[str, Any]:
    games = list(lobby.live.values()) + list(lobby._over.values())
    return {
        "delivered": {
            game.row.id: [handed_over.get(game.seats_taken[seat].remote, []) for seat in sorted(game.seats_taken)]
            for game in games
        },
        "cpu_ns": clock_gettime_ns(CLOCK_PROCESS_CPUTIME_ID),
        "rss": psutil.Process().memory_info().rss,
        "threads": threading.active_count(),
    }


if __name__ == "__main__":
    main()
