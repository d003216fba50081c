"""When games start: when their teams are there, or the time to join is up, and official ones not during a pause."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from arbiter.arena.game import ArenaGame
from arbiter.arena.params import BadRequest
from arbiter.arena.rules import Rules
from arbiter.arena.seats import team_of
from arbiter.arena.store import Store
from arbiter.game import Protocol

PAUSED = "paused"
"""A fact of the store."""


def house_of(rules: Rules, protocol: Protocol) -> Sequence[str]:
    """Return the house agents of a protocol. Raises BadRequest if there are none."""
    house = rules.house.get(protocol.name, ())
    if not house:
        raise BadRequest(f"There are no house agents for {protocol.name}", 404)
    return house


class Starting:
    """Starts the games of a hall. Everything here runs in the server's thread."""

    def __init__(
        self, live: Mapping[str, ArenaGame], rules: Rules, store: Store, loop: asyncio.AbstractEventLoop
    ) -> None:
        """``live`` has the games that are waiting or being played."""
        self._live, self._rules, self._store, self._loop = live, rules, store, loop
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.paused = bool(store.fact(PAUSED))
        """Whether official games wait with their start, also those whose teams have joined."""

    def start(self, game: ArenaGame) -> None:
        """Start a game with those who have joined. A queue is filled with house agents. Raises BadRequest."""
        if game.status != "waiting":
            raise BadRequest("The game has started already")
        if not game.places and game.missing:
            raise BadRequest("Nobody has joined the game yet")
        self.forget(game)
        game.start(house_of(self._rules, game.protocol) if game.row.kind == "queue" else ())

    def joined(self, game: ArenaGame) -> None:
        """Start a game that a team has joined, if it was the last one; else give the others a while."""
        if game.missing:
            self._begin_to_wait(game)
        elif not self._holds(game):
            self.start(game)

    def _begin_to_wait(self, game: ArenaGame) -> None:
        if game.row.id not in self._timers:
            self._timers[game.row.id] = self._loop.call_later(self._rules.join_s, self._time_is_up, game)

    def _time_is_up(self, game: ArenaGame) -> None:
        self._timers.pop(game.row.id, None)
        if game.status == "waiting" and not self._holds(game):
            self.start(game)

    def forget(self, game: ArenaGame) -> None:
        """Wait no longer for teams of a game."""
        if timer := self._timers.pop(game.row.id, None):
            timer.cancel()

    def start_ready(self) -> None:
        """Start the official games whose teams have all joined. Those between programs of this machine take turns, and no team has two
        games at a time."""
        official = [game for game in self._live.values() if game.row.kind == "official"]
        playing = [game for game in official if game.status == "playing"]
        for game in official:
            if game.status != "waiting" or game.missing or self._holds(game):
                continue
            if not game.places:
                local = sum(not other.places for other in playing)
                if local >= self._rules.local_games or any(_teams(game) & _teams(other) for other in playing):
                    continue
            playing.append(game)
            self.start(game)

    # -- pauses

    def pause(self) -> None:
        """Start no official game until :meth:`resume`. Games that are being played go on."""
        self.paused = True
        self._store.set_fact(PAUSED, "yes")

    def resume(self) -> None:
        """End the pause: games whose teams are there start at once, the others wait as long for the rest as ever."""
        self.paused = False
        self._store.set_fact(PAUSED, "")
        self.start_ready()
        for game in self._live.values():
            if game.status == "waiting" and game.places:
                self._begin_to_wait(game)

    def _holds(self, game: ArenaGame) -> bool:
        """Return whether a game waits because of a pause."""
        return self.paused and game.row.kind == "official"


def _teams(game: ArenaGame) -> set[str]:
    return {team for seat in game.row.seats if (team := team_of(seat))}
