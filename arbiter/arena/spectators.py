"""Games that are over, as spectators saw them."""

from __future__ import annotations

from pathlib import Path

from starlette.concurrency import run_in_threadpool

from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay


async def plies_of(lobby: Lobby, game_id: str) -> list[str]:
    """Return the public state after every ply of a game, from its record. Raises BadRequest."""
    row = lobby.store.game(game_id)
    if row is None or not row.record:
        raise BadRequest(f"Unknown game {game_id[:40]}", 404)
    try:
        return await run_in_threadpool(_replayed, lobby.config.records / row.record, lobby.protocol(row.protocol))
    except UserError:
        raise BadRequest(f"The record of game {game_id} cannot be read", 404) from None


def _replayed(path: Path, protocol: Protocol) -> list[str]:
    states: list[str] = []
    replay = Replay(load_record(path), protocol)
    if protocol.rest:
        protocol.rest.spectate(replay.game, states.append)
    for _ in replay:
        pass
    return states
