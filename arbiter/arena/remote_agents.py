"""Remote agents in a series that this process plays: ``arbiter play PROTOCOL ./bot remote:TEAM …``.

The arena's endpoints are served from a separate thread for as long as the series lasts. Its lobby has one game at a time, the
current or next one of the series. The turn loop runs in the calling thread, as it does without remote agents.
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

from arbiter.arena.app import Arena
from arbiter.arena.config import ArenaConfig
from arbiter.arena.game import ArenaGame, plan_of
from arbiter.arena.lobby import Lobby, new_id
from arbiter.arena.notifier import Notifier
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import remote_seat
from arbiter.arena.serve import make_arena_server
from arbiter.arena.store import GameRow, Store
from arbiter.arena.team_seat import TeamSeat
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Json, Protocol
from arbiter.playing.plan import Plan
from arbiter.playing.series import Seated
from arbiter.web.serve import Address

_NEXT_S = 20
"""How long a team that joins too early waits for the next game to open."""
_START_S = 30
_ID = re.compile(r"\w{1,40}")


class SeriesGame(ArenaGame):
    """A game that waits for its teams like any other in an arena, but is played by the thread that created it."""

    def __init__(self, row: GameRow, plan: Plan, config: ArenaConfig, on_change: Callable[[ArenaGame], None]) -> None:
        super().__init__(row, plan, config, on_change)
        self.ready: Future[Sequence[int]] = Future()
        """Resolved when the game starts: the seats whose teams have not joined."""

    def _begin(self, absent: Sequence[int]) -> None:
        self.ready.set_result(absent)

    def recorded(self, record: Path) -> None:
        """Show the record to spectators; called in the thread that plays."""
        self._loop.call_soon_threadsafe(self._set_record, record.absolute())

    def close(self, reason: str) -> None:
        """End the game for clients and spectators; called in the server's thread."""
        for seat in self.seats_taken.values():
            if seat.remote.final is None:
                seat.remote.abort(reason or "the game is over")
        if self.row.status == "waiting":
            self.abort(reason)
        self._ended(Done(error=reason))


class SeriesLobby(Lobby):
    """A lobby with one game at a time, which teams join without naming it."""

    def __init__(self, config: ArenaConfig, store: Store) -> None:
        super().__init__(config, store)
        self._opened = Notifier(self.loop)

    def protocols(self) -> list[Protocol]:
        """Return the protocol of the series: no other is played."""
        return [self.protocol(self.config.queue_protocol)]

    async def open_game(self, plan: Plan, setup: Json, seed: int) -> SeriesGame:
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
        game = SeriesGame(row, plan, self.config, self._changed)
        self.add(game)
        self._opened.notify()
        self.starter.start_ready()
        return game

    async def queue(self, team: str, protocol: str) -> tuple[ArenaGame, TeamSeat]:
        """Join the current game of the series, or wait for the next one."""
        until = self.loop.time() + _NEXT_S
        never: asyncio.Future[None] = self.loop.create_future()
        while not (self.starter.waits_for(team, protocol) or self.game_of(team, protocol)):
            if (left := until - self.loop.time()) <= 0:
                raise BadRequest("No game is waiting for your team at the moment")
            await self._opened.wait(never, left)
        return await super().queue(team, protocol)


def _id_in(setup: Json) -> str:
    """Return the game id in a setup, which clients read in the state; empty if there is none."""
    found = setup.get("id") if isinstance(setup, dict) else None
    return found if isinstance(found, str) and _ID.fullmatch(found) else ""


@dataclass(frozen=True, slots=True)
class RemoteAgents:
    """The remote agents of a series, and the address at which they join."""

    url: str
    keys: Mapping[str, str]
    """The key of each team."""
    lobby: SeriesLobby
    loop: asyncio.AbstractEventLoop
    waiting: Callable[[SeriesGame], None]
    """Called with every game once teams can join it."""

    @contextlib.contextmanager
    def gather(self, plan: Plan, seed: int) -> Iterator[Seated]:
        """Wait until all teams of a game have joined, or the time to join after the first one is up. Raises UserError."""
        seats = len(plan.entrants)
        try:
            setup = plan.setup if plan.given else plan.protocol.setup(seats, plan.options, Chance(seed, "setup"))
        except BadSetup as error:
            raise UserError(f"invalid setup: {error}") from None
        game = asyncio.run_coroutine_threadsafe(self.lobby.open_game(plan, setup, seed), self.loop).result()
        reason = "the organiser has ended the game"
        try:
            self.waiting(game)
            absent = game.ready.result()
            if absent:
                plan = plan_of(plan, setup, game.row.id, absent, seed)
            yield Seated(plan, game.respondents, game.spectate, game.ruled, game.recorded)
            reason = ""
        finally:
            self.loop.call_soon_threadsafe(game.close, reason)


@contextlib.contextmanager
def serve_remote_agents(
    plan: Plan,
    address: Address,
    *,
    join_s: float,
    allowance_ns: int,
    waiting: Callable[[SeriesGame, RemoteAgents], None],
) -> Iterator[RemoteAgents]:
    """Serve the remote agents of a plan within the block. ``waiting`` is called when a game can be joined."""
    url = address.url("").partition("?")[0]
    with tempfile.TemporaryDirectory(prefix="arbiter-play-") as name:
        folder = Path(name)
        store = Store(folder / "arena.sqlite")
        teams = [entrant.agent.name for entrant in plan.entrants if entrant.agent.is_remote]
        keys = {team: store.register(team) for team in teams}
        store.close()
        arena = Arena(
            ArenaConfig(Workspace(), GameSettings(), folder, allowance_ns, plan.protocol.name, join_s=join_s),
            folder / "arena.sqlite",
            secrets.token_urlsafe(24),  # not shown: the user at the terminal is the organiser
            url.partition("://")[2],
            plan.protocol.title,
            make_lobby=SeriesLobby,
        )
        with _served(arena, address) as lobby:
            made = RemoteAgents(url, keys, lobby, lobby.loop, lambda game: waiting(game, made))
            yield made


@contextlib.contextmanager
def _served(arena: Arena, address: Address) -> Iterator[SeriesLobby]:
    started = threading.Event()
    server = make_arena_server(arena, on_start=started.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    try:
        if not started.wait(_START_S):
            raise UserError("the server for remote agents did not start")
        yield server.config.app.state.lobby  # type: ignore[union-attr]
    finally:
        server.should_exit = True
        thread.join()
        address.listening.close()
