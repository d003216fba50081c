"""Remote clients and spectators of the arena, as cheap as possible, since they share the cores with the server.

``python -m benchmarks.arena_clients FILE`` reads what to do from a JSON file, prints ``ready`` when all spectators are
connected, and at the end a JSON document with the time at which every move was sent.
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from time import monotonic_ns
from urllib.parse import urlsplit

DIRECTIONS = ("North", "East", "South", "West", "Stay")


class Player(asyncio.Protocol):
    """Plays one seat of one game on one connection, and thinks for a while before every move."""

    def __init__(
        self, game: str, seat: int, key: str, think_s: tuple[float, float], done: asyncio.Future[None]
    ) -> None:
        self._game, self._seat, self._key, self._think_s, self._done = game, seat, key, think_s, done
        self._random = random.Random(f"{game}/{seat}")
        self._rest, self._path = b"", ""
        self.sent_ns: list[int] = []
        self.seen_ns: list[int] = []
        """When the response to each move had been read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Join the game."""
        self._transport = transport
        self._post(f"/api/arena?gameId={self._game}", f"key={self._key}")

    def _post(self, path: str, form: str) -> None:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        self._transport.write(f"{head}Content-Length: {len(form)}\r\n\r\n{form}".encode())

    def data_received(self, data: bytes) -> None:
        """Read a response; think about it."""
        self._rest += data
        head, found, body = self._rest.partition(b"\r\n\r\n")
        if not found:
            return
        size = head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
        if len(body) < int(size or b"0"):
            return
        self._rest = b""
        if not head.startswith(b"HTTP/1.1 200") or not size:
            self._end(RuntimeError(f"seat {self._seat} of {self._game}: {head[:40]!r} {body[:100]!r}"))
        elif b'"finished":true' in body:
            self._end(None)
        else:
            if self.sent_ns:
                self.seen_ns.append(monotonic_ns())
            if not self._path:
                self._path = urlsplit(json.loads(body)["playUrl"]).path
            loop = asyncio.get_running_loop()
            loop.call_later(self._random.uniform(*self._think_s), self._move)

    def _move(self) -> None:
        direction = self._random.choice(DIRECTIONS)
        self.sent_ns.append(monotonic_ns())
        self._post(self._path, f"dir={direction}")

    def _end(self, error: Exception | None) -> None:
        if not self._done.done():
            if error:
                self._done.set_exception(error)
            else:
                self._done.set_result(None)
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Fail if the game is not over."""
        if not self._done.done():
            self._done.set_exception(error or ConnectionError(f"seat {self._seat} of {self._game}: closed"))


class Spectator(asyncio.Protocol):
    """Follows a game, and counts the plies it receives."""

    def __init__(self, game: str, connected: asyncio.Future[None]) -> None:
        self._game, self._connected = game, connected
        self.plies = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open the stream."""
        transport.write(f"GET /events/{self._game} HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        """Count."""
        if not self._connected.done():
            self._connected.set_result(None)
        self.plies += data.count(b"data: {")


async def play(
    port: int, games: Sequence[str], keys: Sequence[str], spectators: int, think_s: tuple[float, float]
) -> object:
    """Play games of four seats each, and return the times at which moves were sent."""
    loop = asyncio.get_running_loop()
    watching = []
    for number in range(spectators):
        connected = loop.create_future()
        _, found = await loop.create_connection(
            partial(Spectator, games[number % len(games)], connected), "127.0.0.1", port
        )
        await connected
        watching.append(found)
    print("ready", flush=True)
    players: dict[str, list[Player]] = {}
    ends = []
    for number, game in enumerate(games):
        players[game] = []
        for seat in range(4):
            done = loop.create_future()
            ends.append(done)
            key = keys[4 * number + seat]
            _, player = await loop.create_connection(partial(Player, game, seat, key, think_s, done), "127.0.0.1", port)
            players[game].append(player)
    ended = await asyncio.gather(*ends, return_exceptions=True)
    return {
        "failed": [str(error) for error in ended if error],
        "sent": {game: [player.sent_ns for player in found] for game, found in players.items()},
        "seen": {game: [player.seen_ns for player in found] for game, found in players.items()},
        "plies": [spectator.plies for spectator in watching],
    }


def main() -> None:
    """Play the games described in the file."""
    given = json.loads(Path(sys.argv[1]).read_text())
    found = asyncio.run(
        play(given["port"], given["games"], given["keys"], given["spectators"], tuple(given["think_s"]))
    )
    print(json.dumps(found))


if __name__ == "__main__":
    main()
