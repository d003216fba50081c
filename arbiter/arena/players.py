"""Plays the games of a contest in the arena: a third kind of players, beside the pool of workers and the cluster.

Every job becomes a game that its teams join. The contest runs in a thread of its own; the games belong to the server's thread.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Self

import msgspec

from arbiter.arena.lobby import Lobby
from arbiter.arena.seats import remote_seat, team_of, upload_seat
from arbiter.contest.progress import RunningGame
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.playing.job import Job
from arbiter.playing.plan import Entrant, Plan

MOST_WAITING = 200
"""How many games of a round teams can join at the same time."""


class ArenaPlayers:
    """Plays games in the arena; see :class:`arbiter.contest.players.Players`."""

    def __init__(self, lobby: Lobby, plan: Plan, contest: str, begun: Callable[[], None]) -> None:
        """``begun`` is called when the first games can be joined, in the contest's thread."""
        self._lobby, self._plan, self._contest, self._begun = lobby, plan, contest, begun
        self._entrants = {entrant.agent.name: entrant for entrant in plan.entrants}
        self._results: queue.SimpleQueue[tuple[Job, Done] | UserError] = queue.SimpleQueue()
        self._jobs: dict[int, Job] = {}
        """All games so far, by number."""
        self._open: set[int] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with self._lock:
            self._stopped = True

    @property
    def in_hand(self) -> int:
        """The number of games that wait for teams or are being played."""
        return len(self._open)

    @property
    def running(self) -> tuple[RunningGame, ...]:
        """The games being played."""
        games = [game for game in list(self._lobby.live.values()) if game.row.contest == self._contest]
        return tuple(
            RunningGame(
                0,
                game.row.number,
                game.job.game.seats,
                game.row.record and str(self._lobby.config.records / game.row.record),
            )
            for game in games
            if game.job and game.status == "playing"
        )

    @property
    def free(self) -> bool:
        """Whether one more game can be opened."""
        return len(self._open) < MOST_WAITING

    def begin(self, job: Job) -> None:
        """Open a game for its teams. Raises UserError if the program of a team cannot be run."""
        plan, seats = self._seated(job)
        self._jobs[job.number] = job
        self._open.add(job.number)
        self._in_loop(lambda: self._lobby.add_job(self._contest, job, plan, seats, lambda done: self._end(job, done)))

    def _in_loop(self, work: Callable[[], object]) -> None:
        async def run() -> None:
            work()

        asyncio.run_coroutine_threadsafe(run(), self._lobby.loop).result()

    def _seated(self, job: Job) -> tuple[Plan, list[str]]:
        """Return the plan of a game, and its seats: a team plays over the network unless it has chosen an upload."""
        entrants, seats = [], []
        for name in job.game.seats:
            entrant = self._entrants[name]
            team = team_of(entrant.agent.source) if entrant.agent.is_remote else ""
            by_upload = team and self._lobby.config.uploads and team not in self._lobby.starter.withdrawn
            version = self._lobby.store.chosen_upload(team) if by_upload else 0
            seats.append(upload_seat(team, version) if version else remote_seat(team) if team else name)
            entrants.append(self._uploaded(entrant, seats[-1]) if version else entrant)
        return msgspec.structs.replace(self._plan, entrants=tuple(entrants), save=self._lobby.config.records), seats

    def _uploaded(self, entrant: Entrant, seat: str) -> Entrant:
        """Return the program that a team has uploaded, as this entrant."""
        plan = self._lobby.config.plan(self._plan.protocol, [seat] * self._plan.protocol.seats[0], {})
        found = plan.entrants[0]
        agent = msgspec.structs.replace(found.agent, name=entrant.agent.name)
        return msgspec.structs.replace(found, agent=agent)

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Wait until a game has ended or was annulled. Raises UserError when the server is stopped."""
        self._in_loop(self._lobby.starter.start_ready)
        self._begun()
        found = self._results.get()
        if isinstance(found, UserError):
            raise found
        if not found[1].annulled:
            self._open.discard(found[0].number)
        yield found

    def stop_soon(self) -> None:
        """Drop the games that nobody has started yet: the question of the contest is settled."""
        waiting = [game for game in list(self._lobby.live.values()) if game.row.contest == self._contest]
        for game in waiting:
            if game.status == "waiting":
                self._in_loop(lambda game=game: game.abort("the contest is decided"))  # type: ignore[misc]

    def news(self) -> list[str]:
        """Return nothing: the organiser's page shows the games."""
        return []

    # -- in the server's thread

    def _end(self, job: Job, done: Done) -> None:
        self._results.put((job, done))

    def annul(self, number: int, because: str) -> bool:
        """Annul a game of this run, which is played again; return False if the run is over."""
        with self._lock:
            if self._stopped or number not in self._jobs or not self._open:
                return False
            self._results.put((self._jobs[number], Done(number, annulled=because)))
            return True

    def unheard(self) -> list[tuple[int, str]]:
        """Return the games that were annulled when the run had just ended, each with the reason."""
        found = []
        while not self._results.empty():
            last = self._results.get()
            if not isinstance(last, UserError) and last[1].annulled:
                found.append((last[0].number, last[1].annulled))
        return found

    def stop(self) -> None:
        """End the run: the server is shutting down."""
        self._results.put(UserError("the server was stopped"))
