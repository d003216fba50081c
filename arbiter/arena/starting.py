"""Decides when games start: when all teams have joined or the time to join is up; official games not during a pause."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from arbiter.arena.game import ArenaGame
from arbiter.arena.lobby_rules import LobbyRules
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import team_of
from arbiter.arena.store import Store
from arbiter.game import Protocol

PAUSED = "paused"
"""The key in the store of whether official games are paused."""


def house_of(rules: LobbyRules, protocol: Protocol) -> Sequence[str]:
    """Return the house agents of a protocol. Raises BadRequest if there are none."""
    house = rules.house.get(protocol.name, ())
    if not house:
        raise BadRequest(f"There are no house agents for {protocol.name}", 404)
    return house


class GameStarter:
    """Starts the games of a lobby. Everything here runs in the server's thread."""

    def __init__(
        self, live: Mapping[str, ArenaGame], rules: LobbyRules, store: Store, loop: asyncio.AbstractEventLoop
    ) -> None:
        """``live`` contains the games that are waiting or being played."""
        self._live, self._rules, self._store, self._loop = live, rules, store, loop
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.paused = bool(store.setting(PAUSED))
        """Whether official games do not start, even if all teams have joined."""

    def start(self, game: ArenaGame) -> None:
        """Start a game with the teams that have joined. House agents fill a queue game. Raises BadRequest."""
        if game.status != "waiting":
            raise BadRequest("The game has already started")
        if not game.seats_taken and game.missing:
            raise BadRequest("Nobody has joined the game yet")
        self.forget(game)
        game.start(house_of(self._rules, game.protocol) if game.row.kind == "queue" else ())

    def joined(self, game: ArenaGame) -> None:
        """Start a game if the last missing team has joined; otherwise start the time to join."""
        if game.missing:
            self._start_timer(game)
        elif not self._is_paused(game):
            self.start(game)

    def _start_timer(self, game: ArenaGame) -> None:
        if game.row.id not in self._timers:
            self._timers[game.row.id] = self._loop.call_later(self._rules.join_s, self._join_time_is_up, game)

    def _join_time_is_up(self, game: ArenaGame) -> None:
        self._timers.pop(game.row.id, None)
        if game.status == "waiting" and not self._is_paused(game):
            self.start(game)

    def forget(self, game: ArenaGame) -> None:
        """Stop waiting for the teams of a game."""
        if timer := self._timers.pop(game.row.id, None):
            timer.cancel()

    def start_ready(self) -> None:
        """Start the official games whose teams have all joined.

        Only so many games without remote agents are played at once, and no team plays two of them at a time.
        """
        official = [game for game in self._live.values() if game.row.kind == "official"]
        playing = [game for game in official if game.status == "playing"]
        for game in official:
            if game.status != "waiting" or game.missing or self._is_paused(game):
                continue
            if not game.seats_taken:
                local = sum(not other.seats_taken for other in playing)
                if local >= self._rules.local_games or any(_teams(game) & _teams(other) for other in playing):
                    continue
            playing.append(game)
            self.start(game)

    # -- pauses

    def pause(self) -> None:
        """Start no official game until :meth:`resume`. Games that are being played go on."""
        self.paused = True
        self._store.set_setting(PAUSED, "yes")

    def resume(self) -> None:
        """End the pause: games whose teams have all joined start at once, for the others the time to join starts again."""
        self.paused = False
        self._store.set_setting(PAUSED, "")
        self.start_ready()
        for game in self._live.values():
            if game.status == "waiting" and game.seats_taken:
                self._start_timer(game)

    def _is_paused(self, game: ArenaGame) -> bool:
        """Return whether a pause keeps a game from starting."""
        return self.paused and game.row.kind == "official"


def _teams(game: ArenaGame) -> set[str]:
    return {team for seat in game.row.seats if (team := team_of(seat))}
