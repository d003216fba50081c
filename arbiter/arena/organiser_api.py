"""The organiser's API for games: create, start, list, end, annul and play them again. Every call needs the organiser's token."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.access import Authentication, Handler, Told
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, Params, text_of
from arbiter.arena.results import GameFacts
from arbiter.arena.seats import team_of, upload_of
from arbiter.arena.store import GameRow, Kind, Status
from arbiter.errors import UserError, unknown
from arbiter.records.format import AnnulledLine
from arbiter.records.reader import load_record
from arbiter.records.writer import now
from arbiter.registry import check_seats
from arbiter.web.page_files import html_page

_LONGEST_WORD = 100
_RESERVED = ("apiKey", "category", "protocol", "seats", "seed", "because")


class OrganiserApi:
    """The routes of the organiser's API for games."""

    def __init__(self, lobby: Lobby, access: Authentication, current: CurrentContest, results: GameFacts) -> None:
        self._lobby, self._access, self._current, self._results = lobby, access, current, results

    def routes(self) -> list[Route]:
        """Return the routes."""
        listed: list[tuple[str, list[Kind], list[Status]]] = [
            ("active", ["official", "queue"], ["waiting", "playing"]),
            ("training", ["training"], ["finished", "aborted"]),
        ]
        call, checked = self._access.organiser_call, self._access.organiser_only
        return [
            Route("/games", call(self.create), methods=["POST"]),
            Route("/games", call(self.end_all), methods=["DELETE"]),
            Route("/games", self.games),
            *(Route(f"/games/{name}", checked(self._list(kinds, states))) for name, kinds, states in listed),
            Route("/games/{game}/start", call(self.start), methods=["POST"]),
            Route("/games/{game}/again", call(self.play_again), methods=["POST"]),
            Route("/games/{game}", call(self.end), methods=["DELETE"]),
        ]

    async def games(self, request: Request) -> Response:
        """List the games that are over. Without a token, send the page with the list of games."""
        if "apiKey" not in request.query_params and "authorization" not in request.headers:
            return html_page("games.html")
        return await self._access.organiser_only(self._list(["official", "queue"], ["finished", "aborted"]))(request)

    async def create(self, params: Params) -> Told:
        """Create a game. ``seats`` lists agents, ``remote:TEAM``, or nothing for any team. Other parameters are options."""
        protocol = text_of(params, "protocol") or self._lobby.config.queue_protocol
        found = self._lobby.protocol(protocol)
        given = text_of(params, "seats")
        seats = [seat.strip() for seat in given.split(",")] if given else [""] * found.seats[1]
        check_seats(found, len(seats))
        self._check_agents(protocol, seats)
        seed = text_of(params, "seed")
        if seed and (not seed.isdecimal() or len(seed) > 18):
            raise BadRequest(f"seed {seed[:40]!r}: must be a whole number")
        game = await self._lobby.create(
            "official",
            protocol,
            seats,
            {name: value for name, value in params.items() if name not in _RESERVED},
            category=text_of(params, "category")[:_LONGEST_WORD],
            seed=int(seed) if seed else None,
        )
        return f"created game {game.row.id} {game.row.category}", {"id": game.row.id}

    def _check_agents(self, protocol: str, seats: Sequence[str]) -> None:
        """Raise UserError for a seat that cannot be played."""
        teams, known = [team for seat in seats if (team := team_of(seat))], self._lobby.store.teams()
        for team in teams:
            if team not in known:
                raise UserError(f"unknown team {team!r}; register it first")
            if teams.count(team) > 1:
                raise UserError(f"team {team!r} has two seats; a team plays once in a game")
        named = self._lobby.config.local_agents(protocol)
        for seat in seats:
            upload = upload_of(seat)
            if upload and upload[1] in [each.version for each in self._lobby.store.uploads(upload[0])]:
                continue
            if seat and not seat.startswith(f"{REMOTE}:") and seat not in named:
                raise unknown("agent", seat, named, otherwise="remote:TEAM")

    async def start(self, params: Params) -> Told:
        """Start a game with the teams that have joined."""
        game_id = text_of(params, "game")
        game = self._lobby.live.get(game_id)
        if game is None:
            raise BadRequest(f"No game with id {game_id[:40]} is waiting to start", 404)
        self._lobby.starter.start(game)
        return f"started game {game_id}", {"id": game_id}

    async def end_all(self, params: Params) -> Told:
        """End the games that wait or are being played; not training games."""
        because = _reason(params)
        ended = [game for game in self._lobby.live.values() if game.row.kind != "training"]
        for game in ended:
            game.abort(because)
        return f"ended all {len(ended)} games: {because}", {"ids": [game.row.id for game in ended]}

    async def end(self, params: Params) -> Told:
        """End a running game, or annul a finished one."""
        row = await self._end(params)
        return f"ended game {row.id}: {_reason(params)}", {"id": row.id}

    async def _end(self, params: Params) -> GameRow:
        because, row, contest = _reason(params), self._row(params), self._current.contest
        latest = self._lobby.store.contest_game(row.contest, row.number) if row.contest else row
        if latest and latest.id != row.id:
            raise BadRequest(f"game {row.id} is played again already, as {latest.id}", 409)
        if game := self._lobby.live.get(row.id):
            game.abort(because)
        elif row.record:
            if contest and row.contest == contest.name:
                with contextlib.suppress(UserError):  # annulled already
                    await contest.annul(row, because)
            elif not row.contest:
                await asyncio.to_thread(_annul, self._lobby.config.records / row.record, because)
            row = replace(row, status="aborted", reason=row.reason or because)
            self._lobby.store.save(row)
            if known := self._lobby.find(row.id):
                known.row = row
        return row

    async def play_again(self, params: Params) -> Told:
        """Annul a game and create it with the same seats again, after a technical problem. A game of the contest keeps its place
        in the draw."""
        row, contest = self._row(params), self._current.contest
        if contest and row.contest == contest.name:
            return await self._play_again_in_contest(params, contest)
        if before := self._lobby.store.setting(f"played again: {row.id}"):
            raise BadRequest(f"game {row.id} is played again already, as {before}", 409)
        await self._end(params)
        game = await self._lobby.create("official", row.protocol, row.seats, row.options, category=row.category)
        self._lobby.store.set_setting(f"played again: {row.id}", game.row.id)
        self._lobby.starter.start_ready()
        return f"created game {game.row.id} in place of {row.id}", {"id": game.row.id}

    async def _play_again_in_contest(self, params: Params, contest: ArenaContest) -> Told:
        row = await self._end(params)
        if not contest.running:
            await contest.open_round()
        told = f"game {row.number} of {contest.name!r} is played again: {_reason(params)}"
        return told, {"number": row.number}

    def _row(self, params: Params) -> GameRow:
        game_id = text_of(params, "game")
        row = self._lobby.store.game(game_id)
        if row is None:
            raise BadRequest(f"Unknown game {game_id[:40]}", 404)
        return row

    def _list(self, kinds: list[Kind], statuses: list[Status]) -> Handler:
        async def listed(_: Request) -> Response:
            rows = self._lobby.store.games(kinds, statuses)
            found = await asyncio.to_thread(self._facts, rows)
            return Response(json.dumps(found), media_type="application/json")

        return listed

    def _facts(self, rows: list[GameRow]) -> list[dict[str, object]]:
        return [{**self._results.facts(row), **_more(row), **self._network(row.id)} for row in rows]

    def _network(self, game_id: str) -> dict[str, object]:
        game = self._lobby.live.get(game_id)
        if game is None:
            return {}
        seats = list(game.seats_taken.values())
        return {
            "round_trip_ms": {seat.team: seat.round_trip_us / 1000 for seat in seats if seat.round_trip_us},
            "allowance_ms": {seat.team: seat.allowance_ns / 1e6 for seat in seats},
        }


def _more(row: GameRow) -> dict[str, object]:
    """Return the additional fields for the organiser, named as on the contest's original server."""
    return {
        "category": row.category,
        "options": dict(row.options),
        "seed": row.seed,
        "started": row.status != "waiting",
        "finished": row.status == "finished",
        "created": row.at,
        "record": row.record,
    }


def _reason(params: Params) -> str:
    return text_of(params, "because")[:_LONGEST_WORD] or "ended by the organiser"


def _annul(path: Path, because: str) -> None:
    record = load_record(path)
    if record.result is None or record.annulled:
        return
    line = msgspec.json.encode(AnnulledLine(because=because, when=now())) + b"\n"
    with path.open("ab") as file:
        file.write(line)
