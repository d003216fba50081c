"""The organiser's calls: register teams, create, start, list, end and annul games. All need the organiser's token."""

from __future__ import annotations

import asyncio
import html
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from arbiter.arena.access import Access, address_of
from arbiter.arena.day import Day
from arbiter.arena.hall import Hall
from arbiter.arena.making import HIDDEN
from arbiter.arena.naming import check_named
from arbiter.arena.params import BadRequest, read_params, text_of
from arbiter.arena.seats import name_of
from arbiter.arena.store import GameRow, Kind, Status
from arbiter.errors import UserError
from arbiter.records.format import AnnulledLine
from arbiter.records.reader import load
from arbiter.records.writer import now
from arbiter.registry import check_seats
from arbiter.web.drawings import STATIC

_LONGEST_WORD = 100
_RESERVED = ("apiKey", "category", "protocol", "seats", "seed", "because")
_GAMES_READ = 200
"""Lists say of this many games how they ended; the standings of a whole contest are read from its records."""


class Organiser:
    """The routes for the organiser."""

    def __init__(self, hall: Hall, access: Access, day: Day) -> None:
        self._hall, self._access, self._day = hall, access, day

    def routes(self) -> list[Route]:
        """Return the routes."""
        listed: list[tuple[str, list[Kind], list[Status]]] = [
            ("active", ["official", "queue"], ["waiting", "playing"]),
            ("training", ["training"], ["finished", "aborted"]),
        ]
        return [
            Route("/register", self._checked(self.register), methods=["POST"]),
            Route("/teams", self._checked(self.teams)),
            Route("/log", self._checked(self.log)),
            Route("/publish", self._checked(self.publish), methods=["POST"]),
            Route("/games", self._checked(self.create), methods=["POST"]),
            Route("/games", self.games),
            *(Route(f"/games/{name}", self._checked(self._list(kinds, states))) for name, kinds, states in listed),
            Route("/games/{game}/start", self._checked(self.start), methods=["POST"]),
            Route("/games/{game}/replay", self._checked(self.replay), methods=["POST"]),
            Route("/games/{game}", self._checked(self.end), methods=["DELETE"]),
        ]

    def _checked(self, handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def checked(request: Request) -> Response:
            self._access.organiser(request)
            return await handler(request)

        return checked

    def _log(self, request: Request, what: str) -> None:
        self._hall.store.log(address_of(request), what)

    async def games(self, request: Request) -> Response:
        """List the games that are over. Without a token, send the page of games."""
        if "apiKey" not in request.query_params and "authorization" not in request.headers:
            return FileResponse(STATIC / "games.html")
        return await self._checked(self._list(["official", "queue"], ["finished", "aborted"]))(request)

    async def register(self, request: Request) -> Response:
        """Add a team. Its key is in the response, and nowhere else."""
        params = await read_params(request)
        name = text_of(params, "name")
        key = self._hall.store.register(name)
        self._log(request, f"registered team {name!r}")
        if _wants_json(request):
            return JSONResponse({"name": name, "key": key})
        return HTMLResponse(f"<!doctype html><title>Registered</title><p>{html.escape(name)}: <code>{key}</code></p>")

    async def teams(self, _: Request) -> Response:
        """List the teams."""
        return JSONResponse(self._hall.store.teams())

    async def log(self, _: Request) -> Response:
        """List what the organiser did."""
        lines = self._hall.store.log_lines()
        return JSONResponse([{"at": at, "who": who, "what": what} for at, who, what in lines])

    async def create(self, request: Request) -> Response:
        """Create a game. ``seats`` names agents, or ``remote:TEAM``; empty seats are for any team. Other parameters are options."""
        params = await read_params(request)
        protocol = text_of(params, "protocol") or self._hall.rules.queue_protocol
        found = self._hall.protocol(protocol)
        given = text_of(params, "seats")
        seats = [seat.strip() for seat in given.split(",")] if given else [""] * found.seats[1]
        check_seats(found, len(seats))
        check_named(self._hall, protocol, seats)
        seed = text_of(params, "seed")
        if seed and (not seed.isdecimal() or len(seed) > 18):
            raise BadRequest(f"seed {seed[:40]!r}: must be a whole number")
        game = await self._hall.create(
            "official",
            protocol,
            seats,
            {name: value for name, value in params.items() if name not in _RESERVED},
            category=text_of(params, "category")[:_LONGEST_WORD],
            seed=int(seed) if seed else None,
        )
        self._log(request, f"created game {game.row.id} {game.row.category}")
        return _done(request, "Created", {"id": game.row.id})

    async def start(self, request: Request) -> Response:
        """Start a game with those who have joined."""
        game = self._hall.live.get(request.path_params["game"])
        if game is None:
            raise BadRequest(f"No game with id {request.path_params['game'][:40]} waits for its start", 404)
        self._hall.start(game)
        self._log(request, f"started game {game.row.id}")
        return _done(request, "Started", {"id": game.row.id})

    async def end(self, request: Request) -> Response:
        """End a game; annul one that is over."""
        row = await self._end(request, await read_params(request))
        return _done(request, "Deleted", {"id": row.id})

    async def _end(self, request: Request, params: Mapping[str, object]) -> GameRow:
        because = text_of(params, "because")[:_LONGEST_WORD] or "ended by the organiser"
        row = self._row(request)
        game = self._hall.live.get(row.id)
        if game:
            game.abort(because)
        elif row.record:
            await asyncio.to_thread(_annul, self._hall.making.records / row.record, because)
            row = replace(row, status="aborted", reason=row.reason or because)
            self._hall.store.save(row)
            if known := self._hall.find(row.id):
                known.row = row
        self._log(request, f"ended game {row.id}: {because}")
        return row

    async def publish(self, request: Request) -> Response:
        """Show the games that are over and have been hidden so far; with ``stop=yes``, those to come as well."""
        if text_of(await read_params(request), "stop") == "yes":
            self._hall.use(replace(self._hall.making, hide_results=False))
            self._hall.store.set_fact("hide results", "")
        making, shown = self._hall.making, []
        for row in self._hall.store.games(["official", "queue"], ["finished", "aborted"], most=100_000):
            if row.record.startswith(f"{HIDDEN}/"):
                path = making.publish(making.records / row.record)
                row = replace(row, record=str(path.relative_to(making.records)))  # noqa: PLW2901
                self._hall.store.save(row)
                if game := self._hall.find(row.id):
                    game.row, game.record = row, path
                shown.append(row.id)
        self._log(request, f"published {len(shown)} games")
        return JSONResponse(shown) if _wants_json(request) else PlainTextResponse(f"Published {len(shown)} games")

    async def replay(self, request: Request) -> Response:
        """Create a game anew for the same seats, after a technical fault; ``annul=yes`` annuls it first.

        A game of the contest is played again with its seed, by which it is known in the draw.
        """
        row = self._row(request)
        params = await read_params(request)
        if text_of(params, "annul") == "yes":
            await self._end(request, params)
        day = self._day.contest
        same = day is not None and await asyncio.to_thread(day.scheduled, row)
        game = await self._hall.create(
            "official", row.protocol, row.seats, row.options, category=row.category, seed=row.seed if same else None
        )
        self._log(request, f"created game {game.row.id} in place of {row.id}")
        self._hall.start_ready()
        return _done(request, "Created", {"id": game.row.id})

    def _row(self, request: Request) -> GameRow:
        game_id = request.path_params["game"]
        row = self._hall.store.game(game_id)
        if row is None:
            raise BadRequest(f"Unknown game {game_id[:40]}", 404)
        return row

    def _list(self, kinds: list[Kind], statuses: list[Status]) -> Callable[[Request], Awaitable[Response]]:
        async def listed(_: Request) -> Response:
            rows = self._hall.store.games(kinds, statuses)
            found = await asyncio.to_thread(self._facts, rows)
            return Response(json.dumps(found), media_type="application/json")

        return listed

    def _joined(self, game_id: str) -> dict[str, object]:
        game = self._hall.live.get(game_id)
        if game is None:
            return {}
        places = list(game.places.values())
        return {
            "joined": [place.team for place in places],
            "round_trip_ms": {place.team: place.round_trip_us / 1000 for place in places if place.round_trip_us},
            "allowance_ms": {place.team: place.allowance_ns / 1e6 for place in places},
        }

    def _facts(self, rows: list[GameRow]) -> list[dict[str, object]]:
        return [
            {
                **_facts(row),
                **self._joined(row.id),
                **(_outcome(self._hall.making.records / row.record) if number < _GAMES_READ else {}),
            }
            for number, row in enumerate(rows)
        ]


def _facts(row: GameRow) -> dict[str, object]:
    return {
        "id": row.id,
        "category": row.category,
        "protocol": row.protocol,
        "kind": row.kind,
        "seats": list(map(name_of, row.seats)),
        "options": dict(row.options),
        "seed": row.seed,
        "status": row.status,
        "started": row.status != "waiting",
        "finished": row.status == "finished",
        "reason": row.reason,
        "created": row.at,
        "record": row.record,
    }


def _outcome(path: Path) -> Mapping[str, object]:
    try:
        result = load(path).result if path.is_file() else None
    except UserError:
        return {}
    return {"ranks": result.ranks, "scores": result.scores, "digest": result.digest} if result else {}


def _annul(path: Path, because: str) -> None:
    record = load(path)
    if record.result is None or record.annulled:
        return
    line = msgspec.json.encode(AnnulledLine(because=because, when=now())) + b"\n"
    with path.open("ab") as file:
        file.write(line)


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "").lower()


def _done(request: Request, text: str, facts: Mapping[str, str]) -> Response:
    """Answer as the contest's server does, with the id beside it, or in JSON for those who ask for it."""
    if _wants_json(request):
        return JSONResponse(dict(facts))
    return PlainTextResponse(text, headers={f"x-game-{name}": value for name, value in facts.items()})
