"""Event streams for spectators, which must not slow down the players.

Every state is encoded once for all spectators. The more there are, the less often each gets an update, so that the server's
work for spectators is bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from arbiter.arena.game import ArenaGame, spectator_event
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.arena.tcp_info import DISCONNECTED
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay

KEEPALIVE_S = 15
"""How often a comment is sent on a stream without events."""
SENDS_PER_S = 400
"""About how many updates per second are sent to all spectators together."""
FASTEST_S = 0.05
_PLIES_AT_ONCE = 100


class Audience:
    """The number of spectators of running games."""

    def __init__(self) -> None:
        self.size = 0

    @property
    def pause_s(self) -> float:
        """The time between two updates of a spectator."""
        return max(FASTEST_S, self.size / SENDS_PER_S)


class GameStream:
    """The public states of a running game: those so far at once, the others as they happen."""

    def __init__(self, game: ArenaGame, audience: Audience) -> None:
        self._game, self._plies, self._audience = game, game.plies, audience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the game is over or the spectator leaves."""
        self._audience.size += 1
        try:
            await begin(send)
            await self._follow(send, scope[DISCONNECTED])
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._audience.size -= 1

    async def _follow(self, send: Send, gone: asyncio.Future[None]) -> None:
        sent, game, plies = 0, self._game, self._plies
        while not gone.done():
            over = game.status in ("finished", "aborted")
            if fresh := plies[sent : sent + _PLIES_AT_ONCE]:
                sent += len(fresh)
                await more(send, fresh[0] if len(fresh) == 1 else b"".join(fresh))
                await asyncio.sleep(self._audience.pause_s)
                continue
            if over:
                return
            await game.plies_notifier.wait(gone, KEEPALIVE_S)
            if len(plies) == sent and game.status in ("waiting", "playing"):
                await more(send, b": quiet\n\n")


class ReplayStream:
    """The public states of a game that is over."""

    def __init__(self, states: Sequence[str]) -> None:
        self._states = states

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send all states."""
        await begin(send)
        for start in range(0, len(self._states), _PLIES_AT_ONCE):
            await more(send, b"".join(map(spectator_event, self._states[start : start + _PLIES_AT_ONCE])))
        await send({"type": "http.response.body", "body": b""})


async def begin(send: Send) -> None:
    """Begin an event stream."""
    headers = [(b"content-type", b"text/event-stream; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await more(send, b": welcome\n\n")


async def more(send: Send, data: bytes) -> None:
    """Send a part of a stream."""
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def plies_of(lobby: Lobby, game_id: str) -> list[str]:
    """Return the public state after every ply of a game, from its record. Raises BadRequest."""
    row = lobby.store.game(game_id)
    while row is not None and row.record:
        try:
            return await run_in_threadpool(_replayed, lobby.config.records / row.record, lobby.protocol(row.protocol))
        except UserError:
            read, row = row.record, lobby.store.game(game_id)
            if row is not None and row.record == read:
                raise BadRequest(f"The record of game {game_id} cannot be read", 404) from None
            # It has been moved meanwhile, since the game has just ended.
    raise BadRequest(f"Unknown game {game_id[:40]}", 404)


def _replayed(path: Path, protocol: Protocol) -> list[str]:
    states: list[str] = []
    replay = Replay(load_record(path), protocol)
    if protocol.rest:
        protocol.rest.spectate(replay.game, states.append)
    for _ in replay:
        pass
    return states
