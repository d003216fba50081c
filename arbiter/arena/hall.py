"""All games of an arena: joining, starting, ending. Everything here runs in the server's thread."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence

from arbiter import registry
from arbiter.arena.game import ArenaGame
from arbiter.arena.lookup import games_of, reserved_for, waiting_queue
from arbiter.arena.making import Making
from arbiter.arena.params import BadRequest
from arbiter.arena.place import Place
from arbiter.arena.rules import Rules
from arbiter.arena.seats import kind_of, remote_seat, team_of, upload_seat
from arbiter.arena.starting import Starting, house_of
from arbiter.arena.store import GameRow, Kind, Store
from arbiter.errors import UserError
from arbiter.game import BadSetup, Protocol

_ID_SYMBOLS = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LETTERS = 8
_KEPT = 200
"""Games that are over and still known by their tokens, so that a late request gets a proper answer."""
_LONGEST_SEED = 1_000_000_000


def new_id() -> str:
    """Return an id for a game."""
    return "".join(secrets.choice(_ID_SYMBOLS) for _ in range(_ID_LETTERS))


class Hall:
    """The games of an arena."""

    def __init__(self, making: Making, rules: Rules, store: Store) -> None:
        self.making, self.rules, self.store = making, rules, store
        self.loop = asyncio.get_running_loop()
        self.live: dict[str, ArenaGame] = {}
        """Games that are waiting or being played, by id."""
        self.round_trips_us: dict[str, int] = {}
        """By team: how long a packet took to it and back when it joined last."""
        self._over: OrderedDict[str, ArenaGame] = OrderedDict()
        self._protocols: dict[str, Protocol] = {}
        self._preparing: Counter[tuple[str, str]] = Counter()
        """Training games that are being created: a request that waits for that must not let others past the limit."""
        self.starting = Starting(self.live, rules, store, self.loop)
        store.recover()
        self._lost: list[GameRow] = store.games(["official"], ["waiting"])

    async def reopen(self) -> None:
        """Open the games that were created before a restart and not started."""
        for row in reversed(self._lost):
            await self._open(row)
        self._lost = []
        self.starting.start_ready()

    def protocol(self, name: str) -> Protocol:
        """Return a protocol by its name. Raises UserError."""
        if name not in self._protocols:
            self._protocols[name] = registry.find_protocol(name, self.making.workspace)
        return self._protocols[name]

    def find(self, game_id: str) -> ArenaGame | None:
        """Return a game that is known by its tokens."""
        return self.live.get(game_id) or self._over.get(game_id)

    # -- making games

    async def create(
        self,
        kind: Kind,
        protocol: str,
        seats: Sequence[str],
        options: Mapping[str, object],
        *,
        category: str = "",
        seed: int | None = None,
    ) -> ArenaGame:
        """Create a game that teams can join. Raises UserError."""
        row = GameRow(
            id=new_id(),
            kind=kind,
            protocol=protocol,
            category=category,
            seats=tuple(seats),
            options=dict(options),
            seed=secrets.randbelow(_LONGEST_SEED) if seed is None else seed,
        )
        registry.check_seats(self.protocol(protocol), len(row.seats))
        return await self._open(row)

    async def _open(self, row: GameRow) -> ArenaGame:
        protocol = self.protocol(row.protocol)
        try:
            # Agents may have to be built: not in the server's thread, where others would wait.
            plan = await asyncio.to_thread(self.making.checked_plan, protocol, row)
        except BadSetup as error:
            raise UserError(str(error)) from None
        game = ArenaGame(row, protocol, plan, self.making, self._changed)
        self.live[row.id] = game
        self.store.save(row)
        return game

    def _changed(self, game: ArenaGame) -> None:
        self.store.save(game.row)
        if game.status in ("finished", "aborted") and game.row.id in self.live:
            del self.live[game.row.id]
            self.starting.forget(game)
            self._over[game.row.id] = game
            game.forget()
            while len(self._over) > _KEPT:
                self._over.popitem(last=False)
            self.loop.call_soon(self.starting.start_ready)

    # -- joining

    async def train(self, team: str, protocol: str, wanted: Mapping[str, object]) -> tuple[ArenaGame, Place]:
        """Start a game of a team against house agents. Raises UserError, BadSetup or BadRequest."""
        game = await self._against_house(remote_seat(team), protocol, wanted, self.rules.training_games)
        place = game.take(team, 0, self.round_trips_us.get(team, 0))
        game.start()
        return game, place

    async def try_out(self, team: str, version: int) -> ArenaGame:
        """Start a game of an uploaded program against house agents. Raises UserError, BadSetup or BadRequest."""
        game = await self._against_house(upload_seat(team, version), self.rules.queue_protocol, {}, 1)
        game.start()
        return game

    async def _against_house(self, seat: str, protocol: str, wanted: Mapping[str, object], most: int) -> ArenaGame:
        """Create a training game, unless the team has ``most`` of them already, with those that are being created."""
        found = self.protocol(protocol)
        options = found.rest.options(wanted, secrets.choice) if found.rest else {}
        house = house_of(self.rules, found)
        count = max(found.seats[0], min(found.seats[1], 1 + len(house)))
        who = kind_of(seat), team_of(seat)
        others = [game.row.seats[0] for game in self.live.values() if game.row.kind == "training"]
        if self._preparing[who] + sum((kind_of(other), team_of(other)) == who for other in others) >= most:
            raise BadRequest("your team plays as many training games as it may; wait for the end of one", 429)
        self._preparing[who] += 1
        try:
            seats = [seat, *(house[index % len(house)] for index in range(count - 1))]
            return await self.create("training", protocol, seats, options)
        finally:
            self._preparing[who] -= 1

    def join(self, team: str, game_id: str) -> tuple[ArenaGame, Place]:
        """Join a game by its id. Raises BadRequest."""
        game = self.find(game_id)
        if game is None or game.row.kind == "training":
            raise BadRequest(f"No round with id {game_id[:40]}")
        if game.status in ("finished", "aborted"):
            raise BadRequest(f"The game is finished{f': {game.row.reason}' if game.row.reason else ''}")
        return game, self._seat(game, team)

    async def queue(self, team: str, protocol: str) -> tuple[ArenaGame, Place]:
        """Join the official game with a seat for this team, or else the next open game. Raises BadRequest or UserError."""
        found = self.protocol(protocol)
        if own := reserved_for(self.live.values(), team, protocol):
            return own, self._seat(own, team)
        game = waiting_queue(self.live.values(), protocol)
        if game is None:
            options = found.rest.options({}, secrets.choice) if found.rest else {}
            made = await self.create("queue", protocol, [""] * found.seats[1], options)
            game = waiting_queue(self.live.values(), protocol, but=made)  # another request may have made one meanwhile
            if game:
                made.abort("not needed")
            else:
                game = made
        return game, self._seat(game, team)

    def _seat(self, game: ArenaGame, team: str) -> Place:
        place = game.place_of(team)
        if place and (place.holders or game.status != "waiting"):
            raise BadRequest("Your team has already joined this game")
        if place:  # its first request is gone: the program was started again before the game
            return place
        if game.status != "waiting":
            raise BadRequest("The game has started without you")
        if game.row.kind == "official":
            self._check_free(game, team)
        index = game.free_seat(team)
        if index is None:
            raise BadRequest("The game is full, or its seats are for other teams")
        place = game.take(team, index, self.round_trips_us.get(team, 0))
        self.starting.joined(game)
        return place

    def _check_free(self, game: ArenaGame, team: str) -> None:
        for other in games_of(self.live.values(), team):
            if other is not game and other.row.kind == "official":
                raise BadRequest(f"Your team is already in the official game {other.row.id}")

    # -- settings, and the end

    def use(self, making: Making) -> None:
        """Make games by other settings from now on."""
        self.making = making
        for game in self.live.values():
            game.use(making)

    async def close(self) -> None:
        """End all games, because the server ends."""
        games = list(self.live.values())
        for game in games:
            if game.status == "playing":
                game.abort("the server was stopped")
        for game in games:
            await asyncio.to_thread(game.wait, 5)
