"""One game of the arena: who has joined, and the thread that plays it.

Everything here belongs to the server's thread, except :meth:`ArenaGame._play`, which runs in the game's own thread and plays
the same turn loop as any other game.
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
from arbiter.arena.bell import Bell
from arbiter.arena.making import ABSENT, Making
from arbiter.arena.place import Place
from arbiter.arena.question import GameAborted
from arbiter.arena.seat import RemoteSeat
from arbiter.arena.store import GameRow, Status
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
        making: Making,
        on_change: Callable[[ArenaGame], None],
    ) -> None:
        """``plan`` has an agent for every seat; those of open seats stand for whoever joins."""
        self.row, self.protocol = row, protocol
        self._plan, self._making, self._on_change = plan, making, on_change
        self._loop = asyncio.get_running_loop()
        self.places: dict[int, Place] = {}
        self.first_join_s = 0.0
        """When the first team joined, by the clock of the loop."""
        self.plies: list[bytes] = []
        """The public state after every ply as an event, for protocols with a web interface of their own; empty once it is over."""
        self.plies_bell = Bell(self._loop)
        self.record: Path | None = None
        self._thread: threading.Thread | None = None

    def use(self, making: Making) -> None:
        """Play, and show the record, by other settings from now on."""
        self._making = making

    @property
    def status(self) -> Status:
        """Where it is between creation and end."""
        return self.row.status

    @property
    def lifetime(self) -> Lifetime:
        """Whether a remote agent is briefed once or with every question."""
        return self._plan.entrants[0].lifetime

    # -- joining

    def place_of(self, team: str) -> Place | None:
        """Return the seat of a team."""
        return next((place for place in self.places.values() if place.team == team), None)

    def place_with(self, token: str) -> Place | None:
        """Return the seat that a token stands for."""
        found = None
        for place in self.places.values():
            if secrets.compare_digest(place.token.encode(), token.encode(errors="replace")):
                found = place
        return found

    def free_seat(self, team: str) -> int | None:
        """Return the seat that a team may take: the one reserved for it, or else the first open one."""
        own = f"{REMOTE}:{team}"
        reserved = [index for index, seat in enumerate(self.row.seats) if seat == own and index not in self.places]
        still_open = [index for index, seat in enumerate(self.row.seats) if not seat and index not in self.places]
        return next(iter([*reserved, *still_open]), None)

    def take(self, team: str, index: int, round_trip_us: int = 0) -> Place:
        """Seat a team that is so far away."""
        place = Place(index, team, self._plan, self._making, self._loop, round_trip_us=round_trip_us)
        self.places[index] = place
        place.expect()
        self.first_join_s = self.first_join_s or self._loop.time()
        return place

    @property
    def missing(self) -> list[int]:
        """The seats that teams have not taken yet."""
        return [
            index
            for index, seat in enumerate(self.row.seats)
            if index not in self.places and (not seat or seat.startswith(f"{REMOTE}:"))
        ]

    # -- playing

    def start(self, fill: Sequence[str] = ()) -> None:
        """Start the game. Missing seats are given to the house agents ``fill``, or stay without anybody."""
        seats = list(self.row.seats)
        for index, place in self.places.items():
            seats[index] = f"{REMOTE}:{place.team}"
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
        except Exception:  # noqa: BLE001 - a bug of ours ends this game, not the server
            traceback.print_exc()
            reason = "the game ended because of a bug in the arbiter"
        if self.record and not self._making.hide_results:
            self.record = self._making.publish(self.record)
        for place in self.places.values():
            if place.remote.final is None:
                place.remote.abort(reason or "the game is over")
        try:
            self._loop.call_soon_threadsafe(self._ended, status, reason)
        except RuntimeError:  # the server is ending as well
            return

    def _play_out(self, absent: Sequence[int]) -> None:
        with self._making.starting:
            plan = self._making.plan(self.protocol, self.row.seats, dict(self.row.options))
            if wire := self.protocol.rest:
                setup = self.protocol.setup(len(plan.entrants), plan.options, Chance(self.row.seed, "setup"))
                given = Given(wire.opening(setup, self.row.id, absent), {}, self.row.seed)
                plan = msgspec.structs.replace(plan, given=given)
        with open_sandboxes(plan) as sandboxes, contextlib.ExitStack() as starting:
            starting.enter_context(self._making.starting)

            def open_record(header: Header) -> RecordWriter:
                starting.close()
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
        """Return by seat who answers for the teams, and for the seats where nobody is."""
        nobody = {index: Place(index, ABSENT, self._plan, self._making, self._loop).remote for index in absent}
        return {**{place.index: place.remote for place in self.places.values()}, **nobody}

    def _open_record(self, header: Header) -> RecordWriter:
        writer = new_record(self._making.folder(self.row.kind, self.protocol), header)
        self.record = writer.path
        self._loop.call_soon_threadsafe(self._set_record, self._name_of(writer.path))
        return writer

    def _name_of(self, record: Path) -> str:
        """Return a record as :class:`GameRow` has it."""
        return str(record.relative_to(self._making.records))

    def spectate(self, game: Game) -> None:
        """Keep the public state after every ply of a game, for those who watch; in the thread that plays it."""

        def see(state: str) -> None:
            self.plies.append(spectator_event(state))
            self.plies_bell.ring()

        if self.protocol.rest:
            self.protocol.rest.spectate(game, see)

    def _set_record(self, name: str) -> None:
        self._set(replace(self.row, record=name))

    def _ended(self, status: Status, reason: str) -> None:
        row = self.row
        if self.record:
            row = replace(row, record=self._name_of(self.record))
        self._set(replace(row, status=status, reason=reason) if row.status == "playing" else row)
        self.plies_bell.ring()

    def _set(self, row: GameRow) -> None:
        self.row = row
        self._on_change(self)

    def abort(self, reason: str) -> None:
        """End the game; clients that wait are told why."""
        if self.row.status not in ("waiting", "playing"):
            return
        for place in self.places.values():
            place.remote.abort(reason)
        self._set(replace(self.row, status="aborted", reason=reason))
        self.plies_bell.ring()

    def forget(self) -> None:
        """Give up what only matters while the game is played. Spectators who are still reading keep theirs."""
        self.plies = []

    def wait(self, seconds: float) -> None:
        """Wait for the game's thread; for the end of the server."""
        if self._thread:
            self._thread.join(seconds)


def spectator_event(state: str) -> bytes:
    """Return a state as spectators are sent it."""
    return f"data: {state}\n\n".encode()
