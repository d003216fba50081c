"""One game of the arena: the teams that have joined, and the thread that plays it.

Everything here runs in the server's thread, except :meth:`ArenaGame._play`, which runs in the game's own thread with the same
turn loop as any other game.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.config import ABSENT, ArenaConfig
from arbiter.arena.notifier import Notifier
from arbiter.arena.question import GameAborted
from arbiter.arena.seat import RemoteSeat
from arbiter.arena.store import GameRow, Status
from arbiter.arena.team_seat import TeamSeat
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game, Lifetime, Protocol
from arbiter.one_game import play_game
from arbiter.plan import Given, Plan
from arbiter.records.format import Header
from arbiter.records.writer import RecordWriter, new_record
from arbiter.series import open_sandboxes


class ArenaGame:
    """A game from its creation to its end."""

    def __init__(
        self,
        row: GameRow,
        protocol: Protocol,
        plan: Plan,
        config: ArenaConfig,
        on_change: Callable[[ArenaGame], None],
    ) -> None:
        """``plan`` has an agent for every seat; those of open seats are placeholders."""
        self.row, self.protocol = row, protocol
        self._plan, self._config, self._on_change = plan, config, on_change
        self._loop = asyncio.get_running_loop()
        self.seats_taken: dict[int, TeamSeat] = {}
        self.first_join_s = 0.0
        """When the first team joined, by the clock of the loop."""
        self.plies: list[bytes] = []
        """The public state after every ply as an event, for protocols with an API of their own; empty once the game is over."""
        self.plies_notifier = Notifier(self._loop)
        self.record: Path | None = None
        self._thread: threading.Thread | None = None

    def use(self, config: ArenaConfig) -> None:
        """Use another configuration from now on."""
        self._config = config

    @property
    def status(self) -> Status:
        """The status of the game."""
        return self.row.status

    @property
    def lifetime(self) -> Lifetime:
        """The agents' lifetime: whether a remote agent gets the briefing once or with every question."""
        return self._plan.entrants[0].lifetime

    # -- joining

    def seat_of(self, team: str) -> TeamSeat | None:
        """Return the seat that a team has taken."""
        return next((seat for seat in self.seats_taken.values() if seat.team == team), None)

    def seat_with(self, token: str) -> TeamSeat | None:
        """Return the seat that a token belongs to."""
        found = None
        for seat in self.seats_taken.values():
            if secrets.compare_digest(seat.token.encode(), token.encode(errors="replace")):
                found = seat
        return found

    def free_seat(self, team: str) -> int | None:
        """Return the seat that a team may take: the one reserved for it, or else the first open one."""
        own = f"{REMOTE}:{team}"
        reserved = [index for index, seat in enumerate(self.row.seats) if seat == own and index not in self.seats_taken]
        still_open = [index for index, seat in enumerate(self.row.seats) if not seat and index not in self.seats_taken]
        return next(iter([*reserved, *still_open]), None)

    def take(self, team: str, index: int, round_trip_us: int = 0) -> TeamSeat:
        """Give a seat to a team."""
        seat = TeamSeat(index, team, self._plan, self._config, self._loop, round_trip_us=round_trip_us)
        self.seats_taken[index] = seat
        seat.expect()
        self.first_join_s = self.first_join_s or self._loop.time()
        return seat

    @property
    def missing(self) -> list[int]:
        """The seats for teams that are not taken yet."""
        return [
            index
            for index, seat in enumerate(self.row.seats)
            if index not in self.seats_taken and (not seat or seat.startswith(f"{REMOTE}:"))
        ]

    # -- playing

    def start(self, fill: Sequence[str] = ()) -> None:
        """Start the game. Missing seats are filled with the house agents ``fill``, or stay empty."""
        seats = list(self.row.seats)
        for index, seat in self.seats_taken.items():
            seats[index] = f"{REMOTE}:{seat.team}"
        absent = []
        for order, index in enumerate(self.missing):
            if fill:
                seats[index] = fill[order % len(fill)]
            else:
                absent.append(index)
        self._set(replace(self.row, seats=tuple(seats), status="playing"))
        self._begin(absent)

    def _begin(self, absent: Sequence[int]) -> None:
        self._thread = threading.Thread(target=self._play, args=(absent,), name=f"game {self.row.id}", daemon=True)
        self._thread.start()

    def _play(self, absent: Sequence[int]) -> None:
        status: Status = "aborted"
        try:
            self._play_out(absent)
            status, reason = "finished", ""
        except (UserError, BadSetup) as error:  # among them GameAborted
            reason = str(error) if isinstance(error, GameAborted) else f"the game could not be played: {error}"
        except Exception:  # noqa: BLE001 - a bug in the arbiter ends this game, not the server
            traceback.print_exc()
            reason = "the game ended because of a bug in the arbiter"
        if self.record and not self._config.hide_results:
            self.record = self._config.publish(self.record)
        for seat in self.seats_taken.values():
            if seat.remote.final is None:
                seat.remote.abort(reason or "the game is over")
        try:
            self._loop.call_soon_threadsafe(self._ended, status, reason)
        except RuntimeError:  # the loop is closed: the server is shutting down
            return

    def _play_out(self, absent: Sequence[int]) -> None:
        with self._config.preparing:
            plan = self._config.plan(self.protocol, self.row.seats, dict(self.row.options))
            if wire := self.protocol.rest:
                setup = self.protocol.setup(len(plan.entrants), plan.options, Chance(self.row.seed, "setup"))
                given = Given(wire.opening(setup, self.row.id, absent), {}, self.row.seed)
                plan = msgspec.structs.replace(plan, given=given)
        with open_sandboxes(plan) as sandboxes, contextlib.ExitStack() as preparing:
            preparing.enter_context(self._config.preparing)

            def open_record(header: Header) -> RecordWriter:
                preparing.close()
                return self._open_record(header)

            play_game(
                plan,
                list(zip(plan.entrants, sandboxes, strict=True)),
                seed=self.row.seed,
                number=1,
                open_record=open_record,
                stage=self.row.category,
                outside=self.outside(absent),
                on_start=self.spectate,
            )

    def outside(self, absent: Sequence[int]) -> dict[int, RemoteSeat]:
        """Return by seat what answers for the teams, and for the empty seats."""
        nobody = {index: TeamSeat(index, ABSENT, self._plan, self._config, self._loop).remote for index in absent}
        return {**{seat.index: seat.remote for seat in self.seats_taken.values()}, **nobody}

    def _open_record(self, header: Header) -> RecordWriter:
        writer = new_record(self._config.folder(self.row.kind, self.protocol), header)
        self.record = writer.path
        self._loop.call_soon_threadsafe(self._set_record, self._name_of(writer.path))
        return writer

    def _name_of(self, record: Path) -> str:
        """Return the path of a record as stored in :class:`GameRow`."""
        return str(record.relative_to(self._config.records))

    def spectate(self, game: Game) -> None:
        """Collect the public state after every ply for spectators; called in the thread that plays the game."""

        def see(state: str) -> None:
            self.plies.append(spectator_event(state))
            self.plies_notifier.notify()

        if self.protocol.rest:
            self.protocol.rest.spectate(game, see)

    def _set_record(self, name: str) -> None:
        self._set(replace(self.row, record=name))

    def _ended(self, status: Status, reason: str) -> None:
        row = self.row
        if self.record:
            row = replace(row, record=self._name_of(self.record))
        self._set(replace(row, status=status, reason=reason) if row.status == "playing" else row)
        self.plies_notifier.notify()

    def _set(self, row: GameRow) -> None:
        self.row = row
        self._on_change(self)

    def abort(self, reason: str) -> None:
        """End the game, and tell waiting clients why."""
        if self.row.status not in ("waiting", "playing"):
            return
        for seat in self.seats_taken.values():
            seat.remote.abort(reason)
        self._set(replace(self.row, status="aborted", reason=reason))
        self.plies_notifier.notify()

    def forget(self) -> None:
        """Free what is needed only during the game. Spectators who are still reading keep their reference."""
        self.plies = []

    def wait(self, seconds: float) -> None:
        """Wait for the game's thread when the server shuts down."""
        if self._thread:
            self._thread.join(seconds)


def spectator_event(state: str) -> bytes:
    """Return a state as a server-sent event."""
    return f"data: {state}\n\n".encode()
