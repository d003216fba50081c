"""Finds the games that a team has joined or may join, among those that are waiting or being played."""

from __future__ import annotations

from collections.abc import Iterable

from arbiter.arena.game import ArenaGame
from arbiter.arena.seats import remote_seat


def games_of(games: Iterable[ArenaGame], team: str) -> list[ArenaGame]:
    """Return the games that a team has joined and that are not over for it.

    A team is free as soon as it has been sent its last state, even if the game's thread is still closing the record.
    """
    return [game for game in games if (seat := game.seat_of(team)) and seat.remote.final is None]


def reserved_for(games: Iterable[ArenaGame], team: str, protocol: str) -> ArenaGame | None:
    """Return the official game that is waiting for this team, if the team is free to play."""
    found = list(games)
    if any(game.row.kind == "official" for game in games_of(found, team)):
        return None
    mine = remote_seat(team)
    return next((game for game in found if _waits(game, protocol) and mine in game.row.seats), None)


def waiting_queue(games: Iterable[ArenaGame], protocol: str, but: ArenaGame | None = None) -> ArenaGame | None:
    """Return the waiting game that any team may join, except ``but``."""
    return next(
        (game for game in games if game is not but and game.row.kind == "queue" and _waits(game, protocol)), None
    )


def _waits(game: ArenaGame, protocol: str) -> bool:
    return game.status == "waiting" and game.protocol.name == protocol
