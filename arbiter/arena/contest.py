"""A contest of a match file, played in the arena round by round.

What to play next follows from the records, as in any other contest: an annulled game is created again with its round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.access import Access
from arbiter.arena.hall import Hall
from arbiter.arena.making import Making
from arbiter.arena.params import BadRequest
from arbiter.contest.definition import Contest
from arbiter.contest.outcomes import outcome_of, scheduled_game
from arbiter.contest.scheduled import Outcome, Played, ScheduledGame
from arbiter.contest.schedules.base import Stage
from arbiter.errors import UserError
from arbiter.records.reader import Record, load


class ContestDay:
    """The contest of an arena."""

    def __init__(self, contest: Contest, hall: Hall, seed: int) -> None:
        """``seed`` is used for the deals unless the match file has one: nobody can prepare for deals they do not know."""
        self.contest, self._hall = contest, hall
        self._schedule = contest.schedule if contest.seeded else msgspec.structs.replace(contest.schedule, seed=seed)
        self._seats = seats_by_name(contest)
        self._read: dict[str, tuple[int, Record]] = {}
        """Records by path, with their size when they were read."""

    def played(self) -> Played:
        """Return the games that count, with their outcomes."""
        secondary = self._hall.protocol(self.contest.definition.protocol).secondary
        found: dict[ScheduledGame, Outcome] = {}
        for row in self._hall.store.games(["official"], ["finished"], most=100_000):
            record = self._record(self._hall.making.records / row.record)
            if record and record.result and not record.annulled:
                found[scheduled_game(record.header)] = outcome_of(record, secondary)
        return found

    def _record(self, path: Path) -> Record | None:
        try:
            size = path.stat().st_size
            known = self._read.get(str(path))
            if known is None or known[0] != size:
                self._read[str(path)] = known = (size, load(path))
        except (OSError, UserError):  # moved, or damaged: it does not count
            return None
        return known[1]

    def stage(self, played: Played) -> Stage | None:
        """Return the stage that is to be played now; None if the contest is over."""
        stages = self._schedule.unfold(self.contest.names, played)
        return next((stage for stage in stages if not stage.is_finished(played)), None)

    async def open_round(self) -> tuple[str, list[str]]:
        """Create the games of this stage that are neither played nor created; return its name and their ids."""
        played = await asyncio.to_thread(self.played)
        stage = self.stage(played)
        if stage is None:
            raise BadRequest("the contest is over", 409)
        live = {
            (game.row.seats, game.row.seed, game.row.category)
            for game in self._hall.live.values()
            if game.row.kind == "official"
        }
        made = []
        for game in stage.games:
            seats = tuple(self._seats[name] for name in game.seats)
            if game not in played and (seats, game.seed, game.stage) not in live:
                protocol = self.contest.definition.protocol
                created = await self._hall.create("official", protocol, seats, {}, category=game.stage, seed=game.seed)
                made.append(created.row.id)
        if not made:
            missing = sum(game not in played for game in stage.games)
            raise BadRequest(f"{missing} games of {stage.name or 'this round'} are still to be finished", 409)
        return stage.name, made

    def standings(self) -> list[dict[str, object]]:
        """Return the places as they are now."""
        played = self.played()
        order = self._schedule.final_order(self.contest.names, played)
        if order is not None:
            return [msgspec.to_builtins(position) for position in order]
        return by_wins(self.contest.names, played)


def by_wins(names: tuple[str, ...], played: Played) -> list[dict[str, object]]:
    """Return places by points per game: 1 for a first place, in shares for those who share it."""
    points, games = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    for game, outcome in played.items():
        first = outcome.ranks.count(1)
        for name, rank in zip(game.seats, outcome.ranks, strict=True):
            if name in points:
                points[name] += 1 / first if rank == 1 else 0
                games[name] += 1
    rate = {name: points[name] / games[name] if games[name] else 0.0 for name in names}
    return [
        {
            "agent": name,
            "place": 1 + sum(other > rate[name] for other in rate.values()),
            "figures": {"points": points[name], "games": games[name]},
            "note": "",
        }
        for name in sorted(names, key=lambda name: -rate[name])
    ]


def seats_by_name(contest: Contest) -> Mapping[str, str]:
    """Return by the name of an agent how a game of the arena is given it. Raises UserError."""
    if contest.plan is None:
        raise AssertionError("the contest was only looked at")
    found = {}
    for name, entrant in zip(contest.names, contest.plan.entrants, strict=True):
        agent = entrant.agent
        if agent.language != REMOTE and agent.source != name:
            raise UserError(f"agent {name!r}: in the arena, local agents go by their names in arbiter.toml")
        found[name] = f"{REMOTE}:{name}" if agent.language == REMOTE else name
    return found


def check_teams(contest: Contest, teams: list[str]) -> None:
    """Raise UserError if the match file names a team that is not registered."""
    for seat in seats_by_name(contest).values():
        kind, _, team = seat.partition(":")
        if kind == REMOTE and team not in teams:
            raise UserError(f"team {team!r} of the match file is not registered: name it in the file for --teams")


def making_of(contest: Contest, making: Making) -> Making:
    """Return how games are made, with the settings of the match file below those of the command line."""
    own = contest.definition.settings
    defaults = type(own)()
    given = {
        name: getattr(making.settings, name)
        for name in own.__struct_fields__
        if getattr(making.settings, name) != getattr(defaults, name)
    }
    for name in ("options", "limits"):
        given[name] = {**getattr(own, name), **getattr(making.settings, name)}
    return replace(making, settings=msgspec.structs.replace(own, **given))


class ContestRoutes:
    """The calls about the contest."""

    def __init__(self, day: ContestDay, hall: Hall, access: Access) -> None:
        self._day, self._hall, self._access = day, hall, access

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/rounds", self._told(self.open_round), methods=["POST"]),
            Route("/standings", self._told(self.standings)),
            Route("/schedule", self._told(self.schedule)),
        ]

    @staticmethod
    def _told(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def told(request: Request) -> Response:
            try:
                return await handler(request)
            except BadRequest as error:
                return PlainTextResponse(str(error), error.status)

        return told

    async def open_round(self, request: Request) -> Response:
        """Create the games of the next round."""
        who = self._access.organiser(request)
        stage, games = await self._day.open_round()
        self._hall.store.log(who, f"opened {stage or 'a round'} with {len(games)} games")
        return JSONResponse({"stage": stage, "games": games})

    async def standings(self, request: Request) -> Response:
        """Send the places; only to the organiser if results are hidden."""
        if self._hall.making.hide_results:
            self._access.organiser(request)
        return JSONResponse(await asyncio.to_thread(self._day.standings))

    async def schedule(self, _: Request) -> Response:
        """Send the games that wait for their teams or are being played."""
        rows = [game.row for game in self._hall.live.values() if game.row.kind == "official"]
        return JSONResponse(
            [
                {
                    "id": row.id,
                    "stage": row.category,
                    "seats": [seat.removeprefix(f"{REMOTE}:") for seat in row.seats],
                    "status": row.status,
                }
                for row in rows
            ]
        )
