"""Decides when games start: when all teams are there or the time to join is up; official games not during a pause.

A team that asks for its next game without naming it waits in the hall. Nobody is bound to a game until it can start: a game
starts as soon as all its teams are in the hall, so the tables of a round are played in parallel as far as no team is needed
twice. The time to join runs only while all missing teams are free to come.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence

from arbiter.arena.config import ArenaConfig
from arbiter.arena.game import ArenaGame
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import kind_of, remote_seat, team_of
from arbiter.arena.store import Store
from arbiter.arena.team_seat import TeamSeat
from arbiter.game import Protocol

PAUSED = "paused"
"""The key in the store of whether official games are paused."""
Seated = tuple[ArenaGame, TeamSeat]
Hall = dict[str, asyncio.Future[Seated | None]]
"""By team: resolved with its seat, or with None if no game waits for it any more."""


def house_of(config: ArenaConfig, protocol: Protocol) -> Sequence[str]:
    """Return the house agents of a protocol. Raises BadRequest if there are none."""
    house = config.house.get(protocol.name, ())
    if not house:
        raise BadRequest(f"There are no house agents for {protocol.name}", 404)
    return house


class GameStarter:
    """Starts the games of a lobby. Everything here runs in the server's thread."""

    def __init__(
        self, live: Mapping[str, ArenaGame], config: ArenaConfig, store: Store, loop: asyncio.AbstractEventLoop
    ) -> None:
        """``live`` contains the games that are waiting or being played."""
        self._live, self._config, self._store, self._loop = live, config, store, loop
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.hall: Hall = {}
        self.round_trips_us: dict[str, int] = {}
        """By team: the network round trip when it last joined."""
        self.paused = bool(store.setting(PAUSED))
        """Whether official games do not start, even if all teams have joined."""
        self.withdrawn = store.withdrawn()
        """The teams that no game waits for."""

    def withdraw(self, team: str, *, out: bool) -> None:
        """Wait for a team no more, or again. Raises UserError."""
        self._store.withdraw(team, out=out)
        self.withdrawn = self._store.withdrawn()
        self.start_ready()

    # -- the hall

    def waits_for(self, team: str, protocol: str) -> bool:
        """Return whether an official game waits for a team."""
        mine = remote_seat(team)
        return team not in self.withdrawn and any(
            mine in game.row.seats and game.protocol.name == protocol for game in self._waiting()
        )

    async def in_hall(self, team: str) -> Seated | None:
        """Wait in the hall until the team is seated; return None if no game waits for it any more. Raises BadRequest."""
        if team in self.hall:
            raise BadRequest("Your team is already waiting for its next game")
        waiting: asyncio.Future[Seated | None] = self._loop.create_future()
        self.hall[team] = waiting
        try:
            self.start_ready()
            return await waiting
        except asyncio.CancelledError:  # the client is gone
            if waiting.done() and not waiting.cancelled() and (seated := waiting.result()):
                seated[1].give_up()
            raise
        finally:
            self.hall.pop(team, None)

    def busy(self, but: ArenaGame | None = None) -> set[str]:
        """Return the teams that take part in a game that has started, or have joined one that waits.

        A team is free as soon as it has been sent its last state, even if the game's thread is still closing the record.
        """
        found: set[str] = set()
        for game in self._live.values():
            if game is but or game.row.kind == "training":
                continue
            found |= {seat.team for seat in game.seats_taken.values() if seat.remote.final is None}
            if game.status == "playing":
                found |= {team_of(seat) for seat in game.row.seats if kind_of(seat) and kind_of(seat) != "remote"}
        return found

    def start_ready(self) -> None:
        """Start the official games whose teams are all there, those of the busiest teams first.

        Only so many games without remote agents are played at once, and no team plays two official games at a time.
        """
        if not self.paused:
            games = list(self._waiting())
            ahead = Counter(team for game in games for team in _teams(game))
            for game in sorted(games, key=lambda game: -max((ahead[team] for team in _teams(game)), default=0)):
                if self._can_start(game):
                    self._seat_from_hall(game)
                    self.start(game)
        self._set_timers()
        for team, waiting in list(self.hall.items()):
            expected = team not in self.withdrawn and any(
                remote_seat(team) in game.row.seats for game in self._waiting()
            )
            if not waiting.done() and not expected:
                waiting.set_result(None)

    def _can_start(self, game: ArenaGame) -> bool:
        busy = self.busy(game)
        if any(team in busy for team in _teams(game)) or self.absent(game):
            return False
        if game.seats_taken or self._expected(game):
            return True
        local = [other for other in self._live.values() if other.row.kind == "official" and not other.seats_taken]
        return sum(other.status == "playing" for other in local) < self._config.local_games

    def absent(self, game: ArenaGame) -> list[str]:
        """Return the teams that are neither in the game nor in the hall; an empty name stands for any team."""
        return [team for team in self._expected(game) if not self._waits(team)]

    def _expected(self, game: ArenaGame) -> list[str]:
        """Return the teams that have not joined a game and have not been withdrawn; an empty name stands for any team."""
        teams = [team_of(game.row.seats[index]) for index in game.missing]
        return [team for team in teams if team not in self.withdrawn]

    def _waits(self, team: str) -> bool:
        return team in self.hall and team not in self.withdrawn and not self.hall[team].done()

    def _seat_from_hall(self, game: ArenaGame) -> None:
        for index in game.missing:
            team = team_of(game.row.seats[index])
            if self._waits(team):
                seat = game.take(team, index, self.round_trips_us.get(team, 0))
                self.hall[team].set_result((game, seat))

    def _waiting(self) -> list[ArenaGame]:
        return [game for game in self._live.values() if game.row.kind == "official" and game.status == "waiting"]

    # -- the time to join

    def _set_timers(self) -> None:
        running = self._with_time_running()
        for game in list(self._live.values()):
            if game not in running:
                self.forget(game)
            elif game.row.id not in self._timers:
                self._timers[game.row.id] = self._loop.call_later(self._config.join_s, self._join_time_is_up, game)

    def _with_time_running(self) -> list[ArenaGame]:
        """Return the games in which somebody waits for missing teams that are all free to come.

        Teams that joined by id may wait for each other in different games, and nothing else goes on: then the first of these.
        """
        waiting = [
            game
            for game in self._live.values()
            if game.status == "waiting" and not self._is_paused(game) and self._is_short_of_teams(game)
        ]
        found = [game for game in waiting if self.busy(game).isdisjoint(self.absent(game))]
        playing = any(game.status == "playing" and game.row.kind != "training" for game in self._live.values())
        return found if found or playing else waiting[:1]

    def _is_short_of_teams(self, game: ArenaGame) -> bool:
        absent = len(self.absent(game))
        return absent > 0 and bool(game.seats_taken or absent < len(self._expected(game)))

    def _join_time_is_up(self, game: ArenaGame) -> None:
        self._timers.pop(game.row.id, None)
        if game in self._with_time_running():
            self.start(game)
            self._set_timers()

    def forget(self, game: ArenaGame) -> None:
        """Stop waiting for the teams of a game."""
        if timer := self._timers.pop(game.row.id, None):
            timer.cancel()

    def start(self, game: ArenaGame) -> None:
        """Start a game with the teams that are there. House agents fill a queue game. Raises BadRequest."""
        if game.status != "waiting":
            raise BadRequest("The game has already started")
        self._seat_from_hall(game)
        if not game.seats_taken and self._expected(game):
            raise BadRequest("Nobody has joined the game yet")
        self.forget(game)
        game.start(house_of(self._config, game.protocol) if game.row.kind == "queue" else ())

    def joined(self, game: ArenaGame) -> None:
        """Start a game if the last missing team has joined; otherwise start the time to join."""
        if not self._expected(game) and not self._is_paused(game):
            self.start(game)
        else:
            self.start_ready()

    # -- pauses

    def pause(self) -> None:
        """Start no official game until :meth:`resume`. Games that are being played go on."""
        self.paused = True
        self._store.set_setting(PAUSED, "yes")
        self._set_timers()

    def resume(self) -> None:
        """End the pause: games whose teams have all joined start at once, for the others the time to join starts again."""
        self.paused = False
        self._store.set_setting(PAUSED, "")
        self.start_ready()

    def _is_paused(self, game: ArenaGame) -> bool:
        """Return whether a pause keeps a game from starting."""
        return self.paused and game.row.kind == "official"


def _teams(game: ArenaGame) -> set[str]:
    return {team for seat in game.row.seats if (team := team_of(seat))}
