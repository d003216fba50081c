"""The contest of an arena: the same engine as everywhere, with the arena's games, run round by round in a thread.

What has been played, what comes next and who is ahead follow from the contest's ledger. Opening a round runs the contest until
the next pause, so a round that was interrupted is simply opened again. A contest without an end, a ladder, runs on: teams that
are added play from the next batch on.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
import traceback
from dataclasses import replace

import msgspec

from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.arena.players import ArenaPlayers
from arbiter.arena.seats import remote_seat, team_of
from arbiter.arena.store import GameRow
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger, contest_lock
from arbiter.contest.making import make_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.report import Report, build_report
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.saved_definition import save_definition
from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.schedules.base import Stage
from arbiter.contest.schedules.registry import schedule_as_data
from arbiter.contest.statistics.standing import Standing
from arbiter.errors import UserError
from arbiter.playing.plan import Plan
from arbiter.text import count

OPEN = "open round"
"""The key in the store of the contest whose round is open, so that it goes on after a restart."""

_END_S = 30


class ArenaContest:
    """The contest of an arena. Everything but the run itself is called in the server's thread, or in those that make pages."""

    def __init__(self, contest: Contest, lobby: Lobby) -> None:
        """Read the ledger, and save the definition for a restart. Raises UserError."""
        endless = contest.schedule.total(contest.names, {}) is None
        # Teams may upload another version between two games.
        self.contest, self._lobby = replace(contest, pause=not endless, changed="keep", workers=1), lobby
        self._ledger = self._read()
        self._changes = 0
        """Increased with every change of the ledger."""
        self._made: tuple[int, Report] | None = None
        self._thread: threading.Thread | None = None
        self._players: ArenaPlayers | None = None
        self._stopping = False
        self.problem = ""
        """Why the last round could not be played; empty if it could."""
        self._save()

    def _read(self) -> Ledger:
        protocol = self.contest.runnable_plan.protocol
        return Ledger(self.contest.folder, protocol.name)

    def _save(self) -> None:
        self.contest.folder.mkdir(0o700, parents=True, exist_ok=True)
        save_definition(self.contest, [secret.commitment for secret in self._ledger.secrets])

    @property
    def name(self) -> str:
        """Its name, which is also that of its folder."""
        return self.contest.definition.name

    @property
    def teams(self) -> list[str]:
        """The teams that take part."""
        return [team for text in self.contest.definition.agents if (team := team_of(text))]

    @property
    def running(self) -> bool:
        """Whether a round is being played."""
        return self._thread is not None and self._thread.is_alive()

    # -- what has been played

    def stages(self) -> list[Stage]:
        """Return the stages known so far: the finished ones and the current one."""
        return self.contest.schedule.stages(self.contest.names, dict(self._ledger.played))

    def is_played(self, game: ScheduledGame) -> bool:
        """Return whether a game counts."""
        return game in self._ledger.played

    def number(self, game: ScheduledGame) -> int:
        """Return the number of a game; 0 if it has none yet."""
        return self._ledger.numbers.get(game, 0)

    @property
    def over(self) -> bool:
        """Whether no game is left to play."""
        return self.report().complete

    def report(self) -> Report:
        """Return the report of the contest as it stands."""
        if self._made is None or self._made[0] != self._changes:
            changes, contest = self._changes, self.contest
            made = build_report(contest, current_result(contest, self._ledger), beside=contest.folder)
            self._made = changes, made
        return self._made[1]

    def standings(self) -> list[Standing]:
        """Return the current places."""
        rows = self.report().rows
        return [row for row in rows if row.place is not None] or rows

    # -- playing

    def _unfinished(self) -> list[GameRow]:
        return [game.row for game in list(self._lobby.live.values()) if game.row.contest == self.name]

    def why_closed(self) -> str:
        """Return why the next round cannot be opened; empty if it can."""
        if self.running:
            rows = self._unfinished()
            stage = " and ".join(dict.fromkeys(row.category for row in rows)) or "this round"
            return f"{count(len(rows), 'game')} of {stage} not finished yet" if rows else "the round is ending"
        return "the contest is over" if self.over else ""

    async def open_round(self) -> tuple[str, list[str]]:
        """Play the games that are missing from the current stage; return its name and the ids of its games."""
        if self._thread and not self._unfinished():  # the run of the last round is ending
            await asyncio.to_thread(self._thread.join, _END_S)
        if reason := await asyncio.to_thread(self.why_closed):
            raise BadRequest(reason, 409)
        self.problem = ""
        begun = threading.Event()
        self._lobby.store.set_setting(OPEN, self.name)
        self._thread = threading.Thread(target=self._run, args=(begun,), name=f"contest {self.name}", daemon=True)
        self._thread.start()
        await asyncio.to_thread(begun.wait)
        if self.problem:
            raise UserError(self.problem)
        rows = self._unfinished()
        return " and ".join(dict.fromkeys(row.category for row in rows)), [row.id for row in rows]

    def _run(self, begun: threading.Event) -> None:
        def players(plan: Plan, name: str, _: int, __: int | None) -> ArenaPlayers:
            self._players = ArenaPlayers(self._lobby, plan, name, begun.set)
            return self._players

        try:
            self._changed(run_contest(self.contest, self._see, lambda: self.contest, players, teams=True).ledger)
        except UserError as error:
            self.problem = "" if self._stopping else str(error)
        except Exception:  # noqa: BLE001 - a bug in the arbiter ends this round, not the server
            print(traceback.format_exc(), file=sys.stderr)
            self.problem = "the round ended because of a bug in the arbiter"
        if not self._stopping:
            self._lobby.store.set_setting(OPEN, "")
            for number, because in self._players.unheard() if self._players else ():
                with contextlib.suppress(UserError):
                    self._annul(number, because)
        self._players = None
        begun.set()

    def _see(self, _: ContestProgress, ledger: Ledger) -> None:
        self._changed(ledger)

    def _changed(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._changes += 1

    async def stop(self) -> None:
        """End the round that is being played: the server is shutting down. It goes on after a restart."""
        self._stopping = True
        if self._players:
            self._players.stop()
        if self._thread:  # which still needs the server's loop
            await asyncio.to_thread(self._thread.join, _END_S)

    # -- annulling

    async def annul(self, row: GameRow, because: str) -> None:
        """Annul a finished game. A round that is being played plays it again; otherwise the next one does. Raises UserError."""
        if not (self._players and self._players.annul(row.number, because)):
            await asyncio.to_thread(self._annul, row.number, because)

    def _annul(self, number: int, because: str) -> None:
        with contest_lock(self.contest.folder):
            ledger = self._read()
            ledger.annul(ledger.find(number), because)
        self._changed(ledger)

    # -- late teams

    def add(self, team: str) -> None:
        """Add a late team. A round that has begun is not drawn again. Raises BadRequest or UserError."""
        if team in self.teams:
            raise BadRequest(f"team {team!r} already takes part", 409)
        if team not in self._lobby.store.teams():
            raise BadRequest(f"unknown team {team!r}; register it first", 404)
        self.contest = self._with(team)
        self._save()
        self._changes += 1

    def _begun(self) -> list[str]:
        """Return the names of the stages with games that have been created or played."""
        return sorted(
            {*(row.category for row in self._unfinished()), *(game.stage for game in list(self._ledger.played))}
        )

    def _with(self, team: str) -> Contest:
        contest = self.contest
        data = schedule_as_data(contest.schedule.admitting(team, self._begun()))
        if not contest.seeded:
            del data["seed"]
        agents = (*contest.definition.agents, remote_seat(team))
        definition = msgspec.structs.replace(contest.definition, agents=agents)
        made = make_contest(definition, data, contest.folder.parent, origin="")
        return replace(contest, definition=made.definition, names=made.names, schedule=made.schedule, plan=made.plan)
