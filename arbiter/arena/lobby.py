"""The lobby: creates games, lets teams join them, and ends them. Everything here runs in the server's thread."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence

from arbiter import registry
from arbiter.arena.config import ENDED, ArenaConfig
from arbiter.arena.game import SELF_TEST, ArenaGame
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import kind_of, remote_seat, team_of, upload_seat
from arbiter.arena.starting import GameStarter, house_of
from arbiter.arena.store import GameRow, Kind, Store
from arbiter.arena.team_seat import TeamSeat
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.game import BadSetup, Protocol
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan

_ID_SYMBOLS = "abcdefghijklmnopqrstuvwxyz0123456789"
_ID_LETTERS = 8
_REMEMBERED = 200
"""How many finished games are remembered, so that a late request gets a proper answer."""
_SEEDS = 1_000_000_000


def new_id() -> str:
    """Return an id for a game."""
    return "".join(secrets.choice(_ID_SYMBOLS) for _ in range(_ID_LETTERS))


class Lobby:
    """The games of an arena, from creation to end."""

    def __init__(self, config: ArenaConfig, store: Store) -> None:
        self.config, self.store = config, store
        self.loop = asyncio.get_running_loop()
        self.live: dict[str, ArenaGame] = {}
        """Games that are waiting or being played, by id."""
        self._over: OrderedDict[str, ArenaGame] = OrderedDict()
        self._protocols: dict[str, Protocol] = {}
        self._preparing: Counter[tuple[str, str]] = Counter()
        """Training games being created, which count towards the limit of a team."""
        self.starter = GameStarter(self.live, config, store, self.loop)
        self.round_trips_us = self.starter.round_trips_us
        self._heard: dict[str, float] = {}
        """By team: when a request with its key came last, by the clock of the loop."""
        for row in store.games(["official", "queue"], ["playing"], most=100_000):
            if row.contest and row.record:  # played again from the start
                (config.records / row.record).unlink(missing_ok=True)
            elif row.record:
                store.save(config.moved(row, ENDED))
        store.recover()
        self._lost = [row for row in store.games(["official"], ["waiting"], most=100_000) if not row.contest]

    async def reopen(self) -> None:
        """Reopen the games out of competition that were created before a restart but had not started."""
        for row in reversed(self._lost):
            await self._open(row)
        self._lost = []
        self.starter.start_ready()

    def protocol(self, name: str) -> Protocol:
        """Return a protocol by its name. Raises UserError."""
        if name not in self._protocols:
            self._protocols[name] = registry.find_protocol(name, self.config.workspace)
        return self._protocols[name]

    def protocols(self) -> list[Protocol]:
        """Return the protocols that are played here, that of the queue first. Raises UserError."""
        first = self.config.queue_protocol
        names = [first, *(name for name in registry.protocol_names(self.config.workspace) if name != first)]
        return [self.protocol(name) for name in names]

    def find(self, game_id: str) -> ArenaGame | None:
        """Return a live or recently finished game."""
        return self.live.get(game_id) or self._over.get(game_id)

    # -- teams

    def heard_of(self, team: str, round_trip_us: int) -> None:
        """Note a request with a team's key."""
        self._heard[team] = self.loop.time()
        if round_trip_us:
            self.round_trips_us[team] = round_trip_us

    def connection_of(self, team: str) -> dict[str, object]:
        """Return what is known of the connection to a team's program: what it does, and the seconds since its key came last."""
        seats = [
            seat for game in list(self.live.values()) if (seat := game.seat_of(team)) and seat.remote.final is None
        ]
        state = "hall" if team in self.starter.hall else ""
        if seats:
            state = "playing" if any(seat.remote.is_heard for seat in seats) else "silent"
        heard = self._heard.get(team)
        return {"state": state, "quiet_s": None if heard is None else int(self.loop.time() - heard)}

    # -- creating games

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
            seed=secrets.randbelow(_SEEDS) if seed is None else seed,
        )
        registry.check_seats(self.protocol(protocol), len(row.seats))
        return await self._open(row)

    async def _open(self, row: GameRow) -> ArenaGame:
        protocol = self.protocol(row.protocol)
        try:
            # Agents may have to be built, which would block the event loop.
            plan = await asyncio.to_thread(self.config.checked_plan, protocol, row)
        except BadSetup as error:
            raise UserError(str(error)) from None
        return self.add(ArenaGame(row, plan, self.config, self._changed))

    def add(self, game: ArenaGame) -> ArenaGame:
        """Let teams join a game."""
        self.live[game.row.id] = game
        self.store.save(game.row)
        return game

    def add_job(
        self, contest: str, job: Job, plan: Plan, seats: Sequence[str], report: Callable[[Done], None]
    ) -> ArenaGame:
        """Let teams join a game of a contest. It keeps its id if it could not be finished before."""
        known = self.store.contest_game(contest, job.number)
        row = GameRow(
            id=known.id if known and known.status in ("waiting", "aborted") and not known.record else new_id(),
            kind="official",
            protocol=plan.protocol.name,
            category=job.game.stage,
            seats=tuple(seats),
            options={},
            seed=job.game.seed,
            contest=contest,
            number=job.number,
        )
        self._over.pop(row.id, None)
        return self.add(ArenaGame(row, plan, self.config, self._changed, job=job, report=report))

    def _changed(self, game: ArenaGame) -> None:
        self.store.save(game.row)
        if game.status in ("finished", "aborted") and game.row.id in self.live:
            del self.live[game.row.id]
            self.starter.forget(game)
            self._over[game.row.id] = game
            game.forget()
            while len(self._over) > _REMEMBERED:
                self._over.popitem(last=False)
            self.loop.call_soon(self.starter.start_ready)

    # -- joining

    async def train(self, team: str, protocol: str, wanted: Mapping[str, object]) -> tuple[ArenaGame, TeamSeat]:
        """Start a training game for a team against house agents. Raises UserError, BadSetup or BadRequest."""
        game = self._test_of(team, protocol)
        game = game or await self._against_house(remote_seat(team), protocol, wanted, self.config.training_games)
        seat = game.take(team, 0, self.round_trips_us.get(team, 0))
        game.start()
        return game, seat

    async def create_test(self, team: str) -> ArenaGame:
        """Create the training game that a team's program gets when it joins next; return the one that waits if there is one.
        Raises UserError or BadRequest."""
        protocol = self.config.queue_protocol
        waiting = self._test_of(team, protocol)
        return waiting or await self._against_house(
            remote_seat(team), protocol, {}, self.config.training_games, category=SELF_TEST
        )

    def _test_of(self, team: str, protocol: str) -> ArenaGame | None:
        for game in self.live.values():
            waits = (game.row.kind, game.row.category, game.status) == (
                "training",
                SELF_TEST,
                "waiting",
            ) and game.protocol.name == protocol
            if waits and team in game.teams:
                return game
        return None

    async def try_out(self, team: str, version: int) -> ArenaGame:
        """Start a training game for an uploaded program. Raises UserError, BadSetup or BadRequest."""
        game = await self._against_house(upload_seat(team, version), self.config.queue_protocol, {}, 1)
        game.start()
        return game

    async def _against_house(
        self, seat: str, protocol: str, wanted: Mapping[str, object], most: int, *, category: str = ""
    ) -> ArenaGame:
        """Create a training game, unless the team already plays ``most`` of them."""
        found = self.protocol(protocol)
        options = found.rest.options(wanted, secrets.choice) if found.rest else {}
        house = house_of(self.config, found)
        count = max(found.seats[0], min(found.seats[1], 1 + len(house)))
        who = kind_of(seat), team_of(seat)
        others = [game.row.seats[0] for game in self.live.values() if game.row.kind == "training"]
        if self._preparing[who] + sum((kind_of(other), team_of(other)) == who for other in others) >= most:
            raise BadRequest("your team is at its limit of training games; wait until one is over", 429)
        self._preparing[who] += 1
        try:
            seats = [seat, *(house[index % len(house)] for index in range(count - 1))]
            return await self.create("training", protocol, seats, options, category=category)
        finally:
            self._preparing[who] -= 1

    def join(self, team: str, game_id: str) -> tuple[ArenaGame, TeamSeat]:
        """Join a game by its id. Raises BadRequest."""
        game = self.find(game_id)
        if game is None or game.row.kind == "training":
            raise BadRequest(f"No round with id {game_id[:40]}")
        if game.status in ("finished", "aborted"):
            raise BadRequest(f"The game is finished{f': {game.row.reason}' if game.row.reason else ''}")
        return game, self._seat(game, team)

    async def queue(self, team: str, protocol: str) -> tuple[ArenaGame, TeamSeat]:
        """Wait for the next official game with a seat for this team, or else join the next open game. Raises BadRequest or
        UserError."""
        found = self.protocol(protocol)
        if self._test_of(team, protocol):
            return await self.train(team, protocol, {})
        if joined := self.game_of(team, protocol):
            return joined, self._seat(joined, team)
        while self.starter.waits_for(team, protocol):
            if seated := await self.starter.in_hall(team):
                return seated
        game = self._open_queue(protocol)
        if game is None:
            options = found.rest.options({}, secrets.choice) if found.rest else {}
            made = await self.create("queue", protocol, [""] * found.seats[1], options)
            game = self._open_queue(protocol, but=made)  # created by another request meanwhile
            if game:
                made.abort("not needed")
            else:
                game = made
        return game, self._seat(game, team)

    def game_of(self, team: str, protocol: str) -> ArenaGame | None:
        """Return the official game that a team has joined and that is not over for it: its program was restarted."""
        for game in self.live.values():
            seat = game.seat_of(team) if game.row.kind == "official" and game.protocol.name == protocol else None
            if seat and seat.remote.final is None:
                return game
        return None

    def _open_queue(self, protocol: str, but: ArenaGame | None = None) -> ArenaGame | None:
        """Return the waiting game that any team may join, except ``but``."""
        for game in self.live.values():
            waits = game.row.kind == "queue" and game.status == "waiting" and game is not but
            if waits and game.protocol.name == protocol:
                return game
        return None

    def _seat(self, game: ArenaGame, team: str) -> TeamSeat:
        seat = game.seat_of(team)
        if seat and (seat.remote.pollers or seat.remote.final is not None):
            raise BadRequest("Your team has already joined this game")
        if seat:  # no request of it waits: the program was restarted
            seat.rejoin()
            return seat
        if game.status != "waiting":
            raise BadRequest("The game has started without you")
        if game.row.kind == "official":
            if team in self.starter.withdrawn:
                raise BadRequest("Your team has been withdrawn; the organiser can let it play again")
            self._check_free(game, team)
        index = game.free_seat(team)
        if index is None:
            raise BadRequest("The game is full, or its seats are for other teams")
        seat = game.take(team, index, self.round_trips_us.get(team, 0))
        self.starter.joined(game)
        return seat

    def _check_free(self, game: ArenaGame, team: str) -> None:
        for other in self.live.values():
            seat = other.seat_of(team)
            if other is not game and other.row.kind == "official" and seat and seat.remote.final is None:
                raise BadRequest(f"Your team is already in the official game {other.row.id}")

    # -- settings and shutdown

    def use(self, config: ArenaConfig) -> None:
        """Use another configuration from now on."""
        self.config = config
        for game in self.live.values():
            game.use(config)

    async def close(self) -> None:
        """End all games: the server is shutting down."""
        games = list(self.live.values())
        for game in games:
            if game.status == "playing":
                game.abort("the server was stopped")
        for game in games:
            await asyncio.to_thread(game.wait, 5)
