"""Remote agents at the table of a series that this process plays: ``arbiter play heroes ./bot remote:TEAM …``.

The arena's endpoints are served from a thread of their own for as long as the series lasts. Its hall has one game at a time:
the one that is about to be played, or being played, in the thread that called. There the turn loop runs as it does without
remote agents.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

import msgspec

from arbiter.arena.app import Arena
from arbiter.arena.bell import Bell
from arbiter.arena.game import ArenaGame
from arbiter.arena.hall import Hall, new_id
from arbiter.arena.making import Making
from arbiter.arena.params import BadRequest
from arbiter.arena.place import Place
from arbiter.arena.rules import Rules
from arbiter.arena.seats import remote_seat
from arbiter.arena.serve import make_arena_server
from arbiter.arena.store import GameRow, Status, Store
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Json
from arbiter.game_settings import GameSettings
from arbiter.plan import Given, Plan
from arbiter.series import Seated
from arbiter.web.serve import Address
from arbiter.workspace import Workspace

_NEXT_S = 20
"""How long a team that joins too early waits for the next game to be opened."""
_START_S = 30
_ID = re.compile(r"\w{1,40}")


class GuestGame(ArenaGame):
    """A game that waits for its teams like any other of an arena, and then is played by the thread that made it."""

    def __init__(self, row: GameRow, plan: Plan, making: Making, on_change: Callable[[ArenaGame], None]) -> None:
        super().__init__(row, plan.protocol, plan, making, on_change)
        self.ready: Future[Sequence[int]] = Future()
        """Done when the game starts: the seats whose teams have not come."""

    def _begin(self, absent: Sequence[int]) -> None:
        self.ready.set_result(absent)

    def _name_of(self, record: Path) -> str:
        return str(record.absolute())  # in the folder that the user chose

    def recorded(self, record: Path) -> None:
        """Show the record to those who watch; in the thread that plays."""
        self.record = record
        self._loop.call_soon_threadsafe(self._set_record, self._name_of(record))

    def close(self, status: Status, reason: str) -> None:
        """End the game for clients and spectators; in the server's thread."""
        for place in self.places.values():
            if place.remote.final is None:
                place.remote.abort(reason or "the game is over")
        if self.row.status == "waiting":
            self.abort(reason)
        self._ended(status, reason)


class GuestHall(Hall):
    """A hall with one table. Teams need not name its game: they play whatever is played."""

    def __init__(self, making: Making, rules: Rules, store: Store) -> None:
        super().__init__(making, rules, store)
        self._opened = Bell(self.loop)

    async def lay(self, plan: Plan, setup: Json, seed: int) -> GuestGame:
        """Open the next game."""
        agents = [entrant.agent for entrant in plan.entrants]
        row = GameRow(
            id=_id_in(setup) or new_id(),
            kind="official",
            protocol=plan.protocol.name,
            category="",
            seats=tuple(remote_seat(agent.name) if agent.is_remote else agent.name for agent in agents),
            options=plan.options,
            seed=seed,
        )
        game = GuestGame(row, plan, self.making, self._changed)
        self.live[row.id] = game
        self.store.save(row)
        self._opened.ring()
        return game

    async def train(self, team: str, protocol: str, wanted: Mapping[str, object]) -> tuple[ArenaGame, Place]:
        """Refuse: nothing else is played here."""
        raise BadRequest("There is no training at this server; join the game that your team is expected in")

    async def queue(self, team: str, protocol: str) -> tuple[ArenaGame, Place]:
        """Join the game of the series, or the next one if it is about to be opened."""
        until = self.loop.time() + _NEXT_S
        never: asyncio.Future[None] = self.loop.create_future()
        while True:
            if game := self._next(team, protocol):
                return game, self._seat(game, team)
            if (left := until - self.loop.time()) <= 0:
                raise BadRequest("No game waits for your team at the moment")
            await self._opened.wait(never, left)

    def _next(self, team: str, protocol: str) -> ArenaGame | None:
        for game in self.live.values():
            place = game.place_of(team)
            # The team may have read its last state before the turn loop has closed the game.
            if game.protocol.name == protocol and not (place and place.remote.final is not None):
                return game
        return None


def _id_in(setup: Json) -> str:
    """Return the id that a setup gives its game: clients read it in the state."""
    found = setup.get("id") if isinstance(setup, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


@dataclass(frozen=True, slots=True)
class Guests:
    """The remote agents of a series, and where they join."""

    url: str
    keys: Mapping[str, str]
    """By team."""
    hall: GuestHall
    loop: asyncio.AbstractEventLoop
    waiting: Callable[[GuestGame], None]
    """Called with every game when teams can join it."""

    @contextlib.contextmanager
    def gather(self, plan: Plan, seed: int) -> Iterator[Seated]:
        """Wait for the teams of a game: until all are there, or as long after the first as the rules say. Raises UserError."""
        seats = len(plan.entrants)
        try:
            setup = plan.setup if plan.given else plan.protocol.setup(seats, plan.options, Chance(seed, "setup"))
        except BadSetup as error:
            raise UserError(f"invalid setup: {error}") from None
        game = asyncio.run_coroutine_threadsafe(self.hall.lay(plan, setup, seed), self.loop).result()
        status: Status = "aborted"
        try:
            self.waiting(game)
            absent = game.ready.result()
            if absent and (wire := plan.protocol.rest):
                given = Given(wire.opening(setup, game.row.id, absent), {}, seed)
                plan = msgspec.structs.replace(plan, given=given)
            yield Seated(plan, game.outside(absent), game.spectate, game.recorded)
            status = "finished"
        finally:
            reason = "" if status == "finished" else "the organiser has ended the game"
            self.loop.call_soon_threadsafe(game.close, status, reason)


@contextlib.contextmanager
def guests(
    plan: Plan, address: Address, *, join_s: float, allowance_ns: int, waiting: Callable[[GuestGame, Guests], None]
) -> Iterator[Guests]:
    """Serve the remote agents of a plan for the time of the block. ``waiting`` is called when a game can be joined."""
    url = address.url("").partition("?")[0]
    with tempfile.TemporaryDirectory(prefix="arbiter-play-") as name:
        folder = Path(name)
        store = Store(folder / "arena.sqlite")
        teams = [entrant.agent.name for entrant in plan.entrants if entrant.agent.is_remote]
        keys = {team: store.register(team) for team in teams}
        store.close()
        arena = Arena(
            Making(Workspace(), GameSettings(), folder, allowance_ns),
            Rules(join_s=join_s, queue_protocol=plan.protocol.name),
            folder / "arena.sqlite",
            secrets.token_urlsafe(24),  # nobody is told: the organiser is at the terminal
            url.partition("://")[2],
            plan.protocol.title,
            make_hall=GuestHall,
        )
        with _served(arena, address) as hall:
            made = Guests(url, keys, hall, hall.loop, lambda game: waiting(game, made))
            yield made


@contextlib.contextmanager
def _served(arena: Arena, address: Address) -> Iterator[GuestHall]:
    started = threading.Event()
    server = make_arena_server(arena, on_start=started.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    try:
        if not started.wait(_START_S):
            raise UserError("the server for remote agents did not start")
        yield server.config.app.state.hall  # type: ignore[union-attr]
    finally:
        server.should_exit = True
        thread.join()
        address.listening.close()
