"""An arena served from a thread of this process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import uvicorn

from arbiter.arena.app import Arena
from arbiter.arena.config import ArenaConfig
from arbiter.arena.lobby import Lobby
from arbiter.arena.serve import make_arena_server
from arbiter.arena.store import GameRow, Store
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import Record, load_record
from arbiter.web.serve import listen
from tests.tools import until

Found = TypeVar("Found")
TOKEN = "the-organisers-token"
HOUSE = "while read -r line; do echo Stay; done\n"
HOUSES = ("heroes", "splendor", "drones")
KEYS = {f"Team {number}": f"teamkey{number}" for number in range(1, 6)}


@dataclass
class Served:
    """A running arena."""

    port: int
    folder: Path
    server: uvicorn.Server
    lobby: Lobby

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://127.0.0.1:{self.port}"

    def turn(self) -> None:
        """Let the server's event loop run all pending callbacks."""
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0), self.lobby.loop).result(60)

    def until(self, condition: Callable[[], Found | None]) -> Found:
        """Wait until a condition holds, while the server's event loop goes on, and return its value."""
        found: list[Found] = []

        def holds() -> bool:
            self.turn()
            if value := condition():
                found.append(value)
            return bool(found)

        until(holds, "the arena")
        return found[0]

    def call(self, path: str, data: Mapping[str, str] | None = None, method: str = "") -> tuple[int, str]:
        """Send a form with urllib and return status and body."""
        body = urlencode(data).encode() if data is not None else None
        request = urllib.request.Request(
            self.url + path, body, method=method or ("POST" if data is not None else "GET")
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def organise(self, path: str, method: str = "POST", **params: str) -> Any:
        """Send a request as the organiser and return the JSON."""
        query = urlencode({**params, "apiKey": TOKEN})
        request = urllib.request.Request(
            f"{self.url}{path}?{query}", method=method, headers={"Accept": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.loads(response.read())

    def begin(self, match: str) -> None:
        """Give a match file on the organiser's page."""
        request = urllib.request.Request(
            f"{self.url}/contest?apiKey={TOKEN}", match.encode(), {"Content-Type": "text/plain"}
        )
        urllib.request.urlopen(request, timeout=60).close()

    def create(self, **params: str) -> str:
        """Create an official game and return its id."""
        wanted = {"rounds": "3", "map": "m1", **params}
        return str(self.organise("/games", **{name: value for name, value in wanted.items() if value})["id"])

    def row(self, game_id: str) -> GameRow:
        """Return a game as the store has it."""
        row = self.lobby.store.game(game_id)
        assert row
        return row

    def record(self, game_id: str) -> Record:
        """Return the record of a game that is over."""

        def over() -> Record | None:
            row = self.row(game_id)
            try:
                return load_record(self.folder / row.record) if row.status in ("finished", "aborted") else None
            except UserError:  # it is being moved
                return None

        return self.until(over)


@contextlib.contextmanager
def served(
    folder: Path, certificate: Path | None = None, key: Path | None = None, match_file: Path | None = None, **more: Any
) -> Iterator[Served]:
    """Serve an arena in this folder, with five registered teams."""
    _make_workspace(folder, more.pop("toml", ""))
    store = Store(folder / "arena.sqlite")
    for name, own in KEYS.items():
        if name not in store.teams():
            store.register(name, own)
    store.close()
    address, names = listen("127.0.0.1", 0), more.pop("names", ())
    settings = {"limits": {"move": "10s", "first_move": "20s"}, "sandbox": "none", **more.pop("settings", {})}
    config = ArenaConfig(
        Workspace(folder),
        GameSettings(**settings),
        folder,
        more.pop("allowance_ns", 0),
        **{"queue_protocol": "heroes", "house": {name: ["random"] for name in HOUSES}, **more},
    )
    ready = threading.Event()
    arena = Arena(
        config, folder / "arena.sqlite", TOKEN, f"127.0.0.1:{address.port}", match_file=match_file, names=names
    )
    server = make_arena_server(arena, certificate, key, on_start=ready.set)
    end = end_at_once(server)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    assert ready.wait(30)
    try:
        yield Served(address.port, folder, server, server.config.app.state.lobby)  # type: ignore[union-attr]
    finally:
        end()
        thread.join(30)
        address.listening.close()
        assert not thread.is_alive()


def _make_workspace(folder: Path, more: str) -> None:
    """Make a workspace in which the house agent of Heroes is a program that starts in a millisecond."""
    folder.mkdir(exist_ok=True)
    agent = folder.with_name("house") / "house.sh"
    agent.parent.mkdir(exist_ok=True)
    agent.write_text(HOUSE)
    (folder / "arbiter.toml").write_text(f"[protocols.heroes.agents]\nrandom = '{agent}'\n{more}")


def end_at_once(server: uvicorn.Server) -> Callable[[], None]:
    """Return a function that stops a server at once.

    uvicorn checks ten times per second whether it should exit, and then gives its clients time to leave. Tests of the command
    cover that; the others need not wait for it.
    """
    told = threading.Event()

    async def main_loop() -> None:
        await server.on_tick(0)
        await asyncio.to_thread(told.wait)

    async def shutdown(sockets: object = None) -> None:
        for listening in server.servers:
            listening.close()
        for connection in list(server.server_state.connections):
            connection.transport.abort()
        await server.lifespan.shutdown()

    server.main_loop, server.shutdown = main_loop, shutdown  # type: ignore[method-assign]
    return told.set
