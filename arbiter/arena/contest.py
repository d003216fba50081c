"""The contest of a match file, played in the arena round by round.

As in any other contest, what to play next follows from the records: an annulled game is created again with its round.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.config import ArenaConfig
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import remote_seat, seat_name, team_of, upload_seat
from arbiter.arena.store import GameRow
from arbiter.contest.definition import Contest
from arbiter.contest.outcomes import outcome_of, scheduled_game
from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.contest.schedules.base import Schedule, Stage
from arbiter.errors import UserError
from arbiter.records.reader import Record, load_record
from arbiter.scoring import points

ENTERED, ENTERING = "late teams", "teams of the next round"
"""Keys in the store: teams that were added to the contest, each with the stages that had begun by then, and teams that will
be added with the next round."""


_Counted = tuple[ScheduledGame, Outcome]


@dataclass(frozen=True, slots=True)
class StageProgress:
    """The progress of a contest."""

    stages: list[Stage]
    """Those known so far; the last one is the current one unless the contest is over."""
    played: Played
    current: Stage | None
    """None if the contest is over."""

    @property
    def games(self) -> set[ScheduledGame]:
        """The games of all stages known so far."""
        return {game for stage in self.stages for game in stage.games}


class ArenaContest:
    """The contest of an arena."""

    def __init__(self, contest: Contest, lobby: Lobby, seed: int) -> None:
        """``seed`` is used for the deals unless the match file has one; it is secret, so nobody can prepare for them."""
        self.contest, self._lobby = contest, lobby
        self._schedule = contest.schedule if contest.seeded else msgspec.structs.replace(contest.schedule, seed=seed)
        self._seats = dict(seats_by_name(contest))
        self.names = contest.names
        for team, begun in self._entered.items():
            self._schedule = self._schedule.admitting(team, begun)
            self._enter(team)
        self._read: dict[Path, tuple[int, _Counted | None]] = {}
        """What each record says, and its size when it was read. Keeping the records themselves would take too much memory."""

    def played(self) -> Played:
        """Return the games that count, with their outcomes."""
        rows = self._lobby.store.games(["official"], ["finished"], most=100_000)
        found = [self._counted(self._lobby.config.records / row.record) for row in rows]
        return dict(each for each in found if each)

    def _counted(self, path: Path) -> _Counted | None:
        try:
            size = path.stat().st_size
            known = self._read.get(path)
            if known is None or known[0] != size:
                self._read[path] = known = (size, self._what_counts(load_record(path)))
        except (OSError, UserError):  # moved or damaged: it does not count
            return None
        return known[1]

    def _what_counts(self, record: Record) -> _Counted | None:
        if record.result is None or record.annulled:
            return None
        secondary = self._lobby.protocol(self.contest.definition.protocol).secondary
        return scheduled_game(record.header), outcome_of(record, secondary)

    def progress(self, schedule: Schedule | None = None, names: tuple[str, ...] = ()) -> StageProgress:
        """Return the progress of the contest, optionally with another schedule and other teams."""
        played = self.played()
        stages = (schedule or self._schedule).stages(names or self.names, played)
        over = not stages or stages[-1].is_finished(played)
        return StageProgress(stages, played, None if over else stages[-1])

    async def open_round(self) -> tuple[str, list[str]]:
        """Create the games of the current stage that do not exist yet; return its name and their ids."""
        await self._admit()
        progress = await asyncio.to_thread(self.progress)
        stage = progress.current
        if stage is None:
            raise BadRequest("the contest is over", 409)
        live = self._live()
        made = []
        for game in stage.games:
            if game not in progress.played and game not in live:
                seats = tuple(self._seat(name) for name in game.seats)
                protocol = self.contest.definition.protocol
                created = await self._lobby.create("official", protocol, seats, {}, category=game.stage, seed=game.seed)
                made.append(created.row.id)
        if not made:
            missing = sum(game not in progress.played for game in stage.games)
            raise BadRequest(f"{missing} games of {stage.name or 'this round'} are not finished yet", 409)
        self._lobby.starter.start_ready()
        return stage.name, made

    def _live(self) -> set[ScheduledGame]:
        games = list(self._lobby.live.values())
        return {as_scheduled(game.row) for game in games if game.row.kind == "official"}

    def _seat(self, name: str) -> str:
        """Return the seat of an agent in a new game: that of its uploaded program, if the team has chosen a version."""
        seat = self._seats[name]
        version = self._lobby.store.chosen_upload(name) if team_of(seat) and self._lobby.rules.uploads else 0
        return upload_seat(name, version) if version else seat

    def scheduled(self, row: GameRow) -> bool:
        """Return whether a created game belongs to the contest."""
        game = as_scheduled(row)
        return game in self.progress().games

    def standings(self) -> list[dict[str, object]]:
        """Return the current standings."""
        played = self.played()
        order = self._schedule.final_order(self.names, played)
        if order is not None:
            return [msgspec.to_builtins(position) for position in order]
        return by_wins(self.names, played)

    # -- late teams

    @property
    def entering(self) -> list[str]:
        """The teams that enter with the next round."""
        return [str(name) for name in json.loads(self._lobby.store.setting(ENTERING) or "[]")]

    @property
    def _entered(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = json.loads(self._lobby.store.setting(ENTERED) or "{}")
        return found

    async def add(self, team: str) -> bool:
        """Add a late team; return whether it enters the draw at once rather than with the next round. Raises BadRequest."""
        if team in self.names or team in self.entering:
            raise BadRequest(f"team {team!r} already takes part", 409)
        if team not in self._lobby.store.teams():
            raise BadRequest(f"unknown team {team!r}; register it first", 404)
        self._schedule.admitting(team, await asyncio.to_thread(self._begun))
        self._keep(ENTERING, [*self.entering, team])
        await self._admit()
        return team in self.names

    async def _admit(self) -> None:
        """Admit waiting teams, if all games that have been played or created keep their place in the draw."""
        for team in self.entering:
            begun = await asyncio.to_thread(self._begun)
            schedule = self._schedule.admitting(team, begun)
            after = await asyncio.to_thread(self.progress, schedule, (*self.names, team))
            before = await asyncio.to_thread(self.progress)
            if before.games & (before.played.keys() | self._live()) <= after.games:
                self._schedule = schedule
                self._enter(team)
                self._keep(ENTERED, {**self._entered, team: begun})
                self._keep(ENTERING, [other for other in self.entering if other != team])

    def _begun(self) -> list[str]:
        """Return the names of the stages with games that have been created or played."""
        progress = self.progress()
        return sorted({game.stage for game in progress.games & (progress.played.keys() | self._live())})

    def _enter(self, team: str) -> None:
        if team not in self.names:
            self.names = (*self.names, team)
            self._seats[team] = remote_seat(team)

    def _keep(self, key: str, teams: object) -> None:
        self._lobby.store.set_setting(key, json.dumps(teams))


def as_scheduled(row: GameRow) -> ScheduledGame:
    """Return a created game as the schedule describes it."""
    return ScheduledGame(tuple(map(seat_name, row.seats)), row.seed, row.category)


def by_wins(names: tuple[str, ...], played: Played) -> list[dict[str, object]]:
    """Return the standings by points per game: 1 for the winner, shared if tied."""
    won, games = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for game, outcome in played.items():
        for seat, name in enumerate(game.seats):
            if name in won:
                won[name] += points(outcome.ranks, seat, "winner")
                games[name] += 1
    rate = {name: won[name] / games[name] if games[name] else 0.0 for name in names}
    return [
        {
            "agent": name,
            "place": 1 + sum(other > rate[name] for other in rate.values()),
            "figures": {"points": won[name], "games": games[name]},
            "note": "",
        }
        for name in sorted(names, key=lambda name: -rate[name])
    ]


def seats_by_name(contest: Contest) -> Mapping[str, str]:
    """Return the seat of each agent in a game of the arena, by its name. Raises UserError."""
    if contest.plan is None:
        raise AssertionError("the contest was loaded without a plan")
    found = {}
    for name, entrant in zip(contest.names, contest.plan.entrants, strict=True):
        agent = entrant.agent
        if agent.language != REMOTE and agent.source != name:
            raise UserError(f"agent {name!r}: in the arena, local agents must be named in arbiter.toml")
        found[name] = remote_seat(name) if agent.language == REMOTE else name
    return found


def check_teams(contest: Contest, teams: list[str]) -> None:
    """Raise UserError if the match file names a team that is not registered."""
    for seat in seats_by_name(contest).values():
        team = team_of(seat)
        if team and team not in teams:
            raise UserError(f"team {team!r} of the match file is not registered: name it in the file for --teams")


def with_match_settings(contest: Contest, config: ArenaConfig) -> ArenaConfig:
    """Return the configuration with the settings of a match file, which those of the command line override."""
    own = contest.definition.settings
    defaults = type(own)()
    given = {
        name: getattr(config.settings, name)
        for name in own.__struct_fields__
        if getattr(config.settings, name) != getattr(defaults, name)
    }
    for name in ("options", "limits"):
        given[name] = {**getattr(own, name), **getattr(config.settings, name)}
    return replace(config, settings=msgspec.structs.replace(own, **given))
