"""One game of the arena: the teams that have joined, and the thread that plays it.

Everything here runs in the server's thread, except :meth:`ArenaGame._play`, which runs in the game's own thread and plays the
game as a worker of a contest would.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from arbiter.agents.launch.cores import Cores
from arbiter.agents.prepare.agent import ABSENT, REMOTE
from arbiter.arena.config import ENDED, SHOWN, ArenaConfig
from arbiter.arena.notifier import Notifier
from arbiter.arena.seat import RemoteSeat
from arbiter.arena.seats import team_of
from arbiter.arena.store import GameRow, Status
from arbiter.arena.team_seat import TeamSeat
from arbiter.contest.worker import Done, SandboxCache, play_job
from arbiter.errors import UserError
from arbiter.game import BadSetup, Chance, Game, Json, Lifetime
from arbiter.playing.job import Job
from arbiter.playing.one_game import Hooks
from arbiter.playing.plan import Given, Plan
from arbiter.records.format import AnswerLine
from arbiter.records.summary import ScheduledGame
from arbiter.records.writer import RecordWriter, now

SELF_TEST = "self-test"
"""The category of a short training game that a team's program gets when it joins next."""


class ArenaGame:
    """A game from its creation to its end."""

    def __init__(
        self,
        row: GameRow,
        plan: Plan,
        config: ArenaConfig,
        on_change: Callable[[ArenaGame], None],
        *,
        job: Job | None = None,
        report: Callable[[Done], None] | None = None,
    ) -> None:
        """``plan`` has an agent for every seat; those of open seats are placeholders. A game of a contest has a ``job``, and
        calls ``report`` when it is over."""
        self.row, self.protocol, self.options, self.job = row, plan.protocol, plan.options, job
        self._plan, self._config, self._on_change, self._report = plan, config, on_change, report
        self._loop = asyncio.get_running_loop()
        self.seats_taken: dict[int, TeamSeat] = {}
        self.absent: Sequence[int] = ()
        """The seats that nobody had taken when it started."""
        self.plies: list[bytes] = []
        """The public state after every ply as an event, for protocols with an API of their own; empty once the game is over."""
        self.plies_notifier = Notifier(self._loop)
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

    @property
    def teams(self) -> set[str]:
        """The teams that have a seat, or one that is reserved."""
        reserved = {team for seat in self.row.seats if (team := team_of(seat))}
        return reserved | {seat.team for seat in self.seats_taken.values()}

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
        self.absent = absent
        self._set(replace(self.row, seats=tuple(seats), status="playing", at=now()))
        self._begin(absent)

    def _begin(self, absent: Sequence[int]) -> None:
        self._thread = threading.Thread(target=self._play, args=(absent,), name=f"game {self.row.id}", daemon=True)
        self._thread.start()

    def _play(self, absent: Sequence[int]) -> None:
        try:
            done = self._play_out(absent)
        except (UserError, BadSetup) as error:
            done = Done(self.row.number, str(error))
        if done.bug:  # it ends this game, not the server
            print(done.bug, file=sys.stderr)
        for seat in self.seats_taken.values():
            if seat.remote.final is None:
                seat.remote.abort(done.error or "the game is over")
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is shutting down
            self._loop.call_soon_threadsafe(self._ended, done)

    def _play_out(self, absent: Sequence[int]) -> Done:
        preparing = contextlib.ExitStack()
        preparing.enter_context(self._config.preparing)
        with preparing, contextlib.ExitStack() as stack:
            plan = self._plan
            if self.job is None:  # the agents of open seats are known only now
                plan = self._config.plan(self.protocol, self.row.seats, dict(self.row.options))
            job = self.job or self._own_job(plan)
            setup = self.protocol.setup(len(plan.entrants), plan.options, Chance(job.seed, "setup"))
            plan = plan_of(plan, setup, self.row.id, absent, job.seed)
            sandboxes = stack.enter_context(SandboxCache(plan))

            def recorded(writer: RecordWriter) -> None:
                preparing.close()
                self._show_record(writer.path)

            hooks = Hooks(respondents=self.respondents, watch=self.ruled, on_start=self.spectate, on_record=recorded)
            return play_job(plan, sandboxes, job, self.row.contest, Cores(None), hooks=hooks)

    def _own_job(self, plan: Plan) -> Job:
        """Return what to play in a game that belongs to no contest."""
        path = self._config.new_record(self.row, self.protocol)
        names = tuple(entrant.agent.name for entrant in plan.entrants)
        return Job(ScheduledGame(names, self.row.seed, self.row.category), 1, str(path))

    @property
    def respondents(self) -> dict[int, RemoteSeat]:
        """Who answers for the teams, by seat."""
        return {seat.index: seat.remote for seat in self.seats_taken.values()}

    def _show_record(self, path: Path) -> None:
        """Note where the record is; called in the thread that plays."""
        if self.job:
            path = self._config.linked(path, self.row, self.protocol)
        self._loop.call_soon_threadsafe(self._set_record, path)

    def _set_record(self, path: Path) -> None:
        inside = path.relative_to(self._config.records) if path.is_relative_to(self._config.records) else path
        self._set(replace(self.row, record=str(inside)))

    def spectate(self, game: Game) -> None:
        """Collect the public state after every ply for spectators, and show the game to the seats; called in the thread that
        plays it."""

        def see(state: str) -> None:
            self.plies.append(spectator_event(state))
            self.plies_notifier.notify()

        for seat in self.seats_taken.values():
            seat.remote.game = game
        if self.protocol.rest:
            self.protocol.rest.spectate(game, see)

    def ruled(self, _: Game, line: AnswerLine) -> None:
        """Pass the ruling on an answer to the team."""
        if seat := self.seats_taken.get(line.seat):
            seat.remote.ruled(line.fault)
            if (self.row.kind, self.row.category) == ("training", SELF_TEST) and line.turn >= self._config.test_turns:
                self._loop.call_soon_threadsafe(self.abort, "the self-test is over")

    def _ended(self, done: Done) -> None:
        row, config = self.row, self._config
        if row.status == "playing":
            status: Status = "aborted" if done.error else "finished"
            row = replace(row, status=status, reason=_reason(done))
        elif self.job:  # aborted; a game between programs of this machine may have gone on to its end
            done = Done(row.number, row.reason)
        if self.job and done.error:  # it is played again
            for path in (self.job.path, row.record and config.records / row.record):
                if path:
                    Path(path).unlink(missing_ok=True)
            row = replace(row, record="")
        elif not (config.hide_results and config.hides(row)):
            row = config.moved(row, ENDED if row.status == "aborted" else SHOWN)
        self._set(row)
        if self._report:
            self._report(done)
        self.plies_notifier.notify()

    def _set(self, row: GameRow) -> None:
        self.row = row
        self._on_change(self)

    def abort(self, reason: str) -> None:
        """End the game, and tell waiting clients why."""
        if self.row.status not in ("waiting", "playing"):
            return
        started = self.row.status == "playing"
        for seat in self.seats_taken.values():
            seat.remote.abort(reason)
        self._set(replace(self.row, status="aborted", reason=reason))
        if not started and self._report:
            self._report(Done(self.row.number, reason))
        self.plies_notifier.notify()

    def forget(self) -> None:
        """Free what is needed only during the game. Spectators who are still reading keep their reference."""
        self.plies = []

    def wait(self, seconds: float) -> None:
        """Wait for the game's thread when the server shuts down."""
        if self._thread:
            self._thread.join(seconds)


def plan_of(plan: Plan, setup: Json, game_id: str, absent: Sequence[int], seed: int) -> Plan:
    """Return the plan of a game in which nobody plays the ``absent`` seats, with its id if clients read that in the setup."""
    entrants = list(plan.entrants)
    for index in absent:
        agent = msgspec.structs.replace(entrants[index].agent, language=ABSENT)
        entrants[index] = msgspec.structs.replace(entrants[index], agent=agent)
    wire = plan.protocol.rest
    given = Given(wire.opening(setup, game_id, absent), {}, seed) if wire else plan.given
    return msgspec.structs.replace(plan, entrants=tuple(entrants), given=given)


def _reason(done: Done) -> str:
    return "the game ended because of a bug in the arbiter" if done.bug else done.error


def spectator_event(state: str) -> bytes:
    """Return a state as a server-sent event."""
    return f"data: {state}\n\n".encode()
