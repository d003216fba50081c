"""The organiser's API: register teams; create, start, list, end and annul games. Every call needs the organiser's token."""

from __future__ import annotations

import asyncio
import contextlib
import html
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from arbiter.arena.access import Authentication, Handler
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, read_params, text_of
from arbiter.arena.results import GameFacts
from arbiter.arena.seat_check import check_seats_playable
from arbiter.arena.store import GameRow, Kind, Status
from arbiter.errors import UserError
from arbiter.records.format import AnnulledLine
from arbiter.records.reader import load_record
from arbiter.records.writer import now
from arbiter.registry import check_seats
from arbiter.web.page_files import html_page

_LONGEST_WORD = 100
_RESERVED = ("apiKey", "category", "protocol", "seats", "seed", "because")


class OrganiserApi:
    """The routes of the organiser's API."""

    def __init__(self, lobby: Lobby, access: Authentication, current: CurrentContest, results: GameFacts) -> None:
        self._lobby, self._access, self._current, self._results = lobby, access, current, results

    def routes(self) -> list[Route]:
        """Return the routes."""
        listed: list[tuple[str, list[Kind], list[Status]]] = [
            ("active", ["official", "queue"], ["waiting", "playing"]),
            ("training", ["training"], ["finished", "aborted"]),
        ]
        checked = self._access.organiser_only
        return [
            Route("/register", checked(self.register), methods=["POST"]),
            Route("/teams", checked(self.teams)),
            Route("/log", checked(self.log)),
            Route("/games", checked(self.create), methods=["POST"]),
            Route("/games", self.games),
            *(Route(f"/games/{name}", checked(self._list(kinds, states))) for name, kinds, states in listed),
            Route("/games/{game}/start", checked(self.start), methods=["POST"]),
            Route("/games/{game}/replay", checked(self.replay), methods=["POST"]),
            Route("/games/{game}", checked(self.end), methods=["DELETE"]),
        ]

    async def games(self, request: Request) -> Response:
        """List the games that are over. Without a token, send the page with the list of games."""
        if "apiKey" not in request.query_params and "authorization" not in request.headers:
            return html_page("games.html")
        return await self._access.organiser_only(self._list(["official", "queue"], ["finished", "aborted"]))(request)

    async def register(self, request: Request) -> Response:
        """Register a team. Its key is sent in the response and is not stored."""
        params = await read_params(request)
        name = text_of(params, "name")
        key = self._lobby.store.register(name)
        self._access.log(request, f"registered team {name!r}")
        if _wants_json(request):
            return JSONResponse({"name": name, "key": key})
        return HTMLResponse(f"<!doctype html><title>Registered</title><p>{html.escape(name)}: <code>{key}</code></p>")

    async def teams(self, _: Request) -> Response:
        """List the teams."""
        return JSONResponse(self._lobby.store.teams())

    async def log(self, _: Request) -> Response:
        """List the logged actions."""
        lines = self._lobby.store.log_lines()
        return JSONResponse([{"at": at, "who": who, "what": what} for at, who, what in lines])

    async def create(self, request: Request) -> Response:
        """Create a game. ``seats`` lists agents, ``remote:TEAM``, or nothing for any team. Other parameters are options."""
        params = await read_params(request)
        protocol = text_of(params, "protocol") or self._lobby.rules.queue_protocol
        found = self._lobby.protocol(protocol)
        given = text_of(params, "seats")
        seats = [seat.strip() for seat in given.split(",")] if given else [""] * found.seats[1]
        check_seats(found, len(seats))
        check_seats_playable(self._lobby, protocol, seats)
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
        self._access.log(request, f"created game {game.row.id} {game.row.category}")
        return _done(request, "Created", {"id": game.row.id})

    async def start(self, request: Request) -> Response:
        """Start a game with the teams that have joined."""
        game = self._lobby.live.get(request.path_params["game"])
        if game is None:
            raise BadRequest(f"No game with id {request.path_params['game'][:40]} is waiting to start", 404)
        self._lobby.starter.start(game)
        self._access.log(request, f"started game {game.row.id}")
        return _done(request, "Started", {"id": game.row.id})

    async def end(self, request: Request) -> Response:
        """End a running game, or annul a finished one."""
        row = await self._end(request, await read_params(request))
        return _done(request, "Deleted", {"id": row.id})

    async def _end(self, request: Request, params: Mapping[str, object]) -> GameRow:
        because = text_of(params, "because")[:_LONGEST_WORD] or "ended by the organiser"
        row = self._row(request)
        game = self._lobby.live.get(row.id)
        latest = self._lobby.store.contest_game(row.contest, row.number) if row.contest else row
        if latest and latest.id != row.id:
            raise BadRequest(f"game {row.id} is played again already, as {latest.id}", 409)
        if game:
            game.abort(because)
        elif row.record:
            if row.contest and self._current.contest and row.contest == self._current.contest.name:
                with contextlib.suppress(UserError):  # annulled already
                    await self._current.contest.annul(row, because)
            elif not row.contest:
                await asyncio.to_thread(_annul, self._lobby.config.records / row.record, because)
            row = replace(row, status="aborted", reason=row.reason or because)
            self._lobby.store.save(row)
            if known := self._lobby.find(row.id):
                known.row = row
        self._access.log(request, f"ended game {row.id}: {because}")
        return row

    async def replay(self, request: Request) -> Response:
        """Create a game with the same seats again, after a technical problem; ``annul=yes`` annuls the old one first.

        A game of the contest is always annulled, and keeps its place in the draw.
        """
        row = self._row(request)
        params = await read_params(request)
        contest = self._current.contest
        if contest and row.contest == contest.name:
            return await self._replay_in_contest(request, params, contest)
        if before := self._lobby.store.setting(f"replay of {row.id}"):
            raise BadRequest(f"game {row.id} is played again already, as {before}", 409)
        if text_of(params, "annul") == "yes":
            await self._end(request, params)
        game = await self._lobby.create("official", row.protocol, row.seats, row.options, category=row.category)
        self._lobby.store.set_setting(f"replay of {row.id}", game.row.id)
        self._access.log(request, f"created game {game.row.id} in place of {row.id}")
        self._lobby.starter.start_ready()
        return _done(request, "Created", {"id": game.row.id})

    async def _replay_in_contest(
        self, request: Request, params: Mapping[str, object], contest: ArenaContest
    ) -> Response:
        row = await self._end(request, params)
        if not contest.running:
            await contest.open_round()
        self._access.log(request, f"game {row.number} of {contest.name!r} is played again")
        return _done(request, "Created", {"number": str(row.number)})

    def _row(self, request: Request) -> GameRow:
        game_id = request.path_params["game"]
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


def _annul(path: Path, because: str) -> None:
    record = load_record(path)
    if record.result is None or record.annulled:
        return
    line = msgspec.json.encode(AnnulledLine(because=because, when=now())) + b"\n"
    with path.open("ab") as file:
        file.write(line)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "").lower()


def _done(request: Request, text: str, facts: Mapping[str, str]) -> Response:
    """Respond as the contest's original server does, with the id in a header; or in JSON if the client accepts it."""
    if _wants_json(request):
        return JSONResponse(dict(facts))
    return PlainTextResponse(text, headers={f"x-game-{name}": value for name, value in facts.items()})
