"""The API of a contest's original server, for its clients: join a game, play, watch. A protocol brings it.

Clients differ in what they send and expect; the tests have a stand-in for each family of clients.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from functools import partial
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Scope

from arbiter.arena.access import Authentication, address_of
from arbiter.arena.game import ArenaGame
from arbiter.arena.lobby import Lobby
from arbiter.arena.long_poll import FinalText, Found, HeldJoin, LongPoll, Stopped
from arbiter.arena.params import BadRequest, read_params, refusing_with, text_of
from arbiter.arena.question import RemoteQuestion, Submitted
from arbiter.arena.streams import KEEPALIVE_S, Audience, GameStream, ReplayStream, plies_of
from arbiter.arena.tcp_info import arrival
from arbiter.arena.team_seat import TeamSeat
from arbiter.game import BadSetup, Chance, Game, Protocol, RestWire

REFUSALS = {
    Submitted.NOT_ASKED: "Not your turn to move",
    Submitted.LATE: "Time out! You must play faster",
    Submitted.OVER: "Game is finished",
}


_SEEDS = 1_000_000_000


class Rest:
    """The routes of the API of one protocol."""

    def __init__(self, lobby: Lobby, access: Authentication, protocol: Protocol, wire: RestWire) -> None:
        self._lobby, self._access, self._protocol, self._wire = lobby, access, protocol, wire
        self._audience = Audience()

    def routes(self) -> list[Route]:
        """Return the routes."""
        wire = self._wire
        streams = {
            "events": self.events,
            "playing": self.now_playing,
            "available": self.now_available,
            "team_playing": self.team_playing,
        }
        return [
            Route(wire.play_path, refusing_with(self.moves, self._refused), methods=["POST"]),
            Route(wire.training_path, refusing_with(self.training, self._refused), methods=["POST"]),
            Route(wire.join_path, refusing_with(self.arena, self._refused), methods=["POST"]),
            *(Route(address, refusing_with(streams[name], self._refused)) for name, address in wire.streams.items()),
            *(Route(address, partial(self.redirect, target)) for address, target in wire.redirects.items()),
            *(Route(address, self.drawing) for address in wire.drawings),
        ]

    def _refused(self, error: BadRequest) -> Response:
        """Return a refusal with the prefix of the original server."""
        bare = str(error).endswith("parameter?")
        return PlainTextResponse(f"{'' if bare else self._wire.prefix}{error}", error.status)

    async def training(self, request: Request) -> ASGIApp:
        """Start a game against house agents."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        game, seat = await self._lobby.train(team, self._protocol.name, _given(params))
        return self._long_poll(request.scope, game, seat)

    async def arena(self, request: Request) -> ASGIApp:
        """Join a game by its id, or the next open one."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        if game_id := text_of(params, self._wire.id_key):
            return self._long_poll(request.scope, *self._lobby.join(team, game_id))
        return HeldJoin(self._queued(request.scope, team), self._refused)

    async def _queued(self, scope: Scope, team: str) -> ASGIApp:
        return self._long_poll(scope, *await self._lobby.queue(team, self._protocol.name))

    async def moves(self, request: Request) -> ASGIApp:
        """Handle a move; the response is the state at the team's next turn."""
        params, arrived = await read_params(request), arrival(request.scope)
        token, _, named = request.path_params["token"].partition("-")
        game, seat = self._access.seat_with_token(address_of(request), request.path_params["game"], token)
        seat.round_trip_us = arrived.round_trip_us
        answer = text_of(params, self._wire.move_key)
        if not answer:
            raise BadRequest(f"Did you forget the {self._wire.move_key} parameter?")
        # Before the answer is taken: the next question may follow at once.
        poll = self._long_poll(request.scope, game, seat)
        kibitz = text_of(params, "kibitz").splitlines()
        taken = seat.remote.submit(answer, arrived.at_ns, kibitz, seat.number_of(named))
        if taken in REFUSALS:
            seat.leave()
            if taken is Submitted.OVER and not seat.remote.ended:
                return PlainTextResponse(self._wire.finished(game.options), 400)
            raise BadRequest(seat.remote.ended or REFUSALS[taken])
        poll.after = seat.remote.answered
        return poll

    def _long_poll(self, scope: Scope, game: ArenaGame, seat: TeamSeat) -> LongPoll:
        base = self._access.base(scope)
        wire = game.protocol.rest or self._wire

        def render(found: Found) -> Response:
            if isinstance(found, (RemoteQuestion, FinalText)):
                # With the number of the question, so that an answer that is sent again counts once.
                number = found.number if isinstance(found, RemoteQuestion) else 0
                seat.first_number = seat.first_number or number
                token = f"{seat.token}-{number}" if number else seat.token
                view, play = f"{base}/{game.row.id}", base + wire.play_path.format(game=game.row.id, token=token)
                state = wire.addressed(found.text, seat.token, view, play)
                return Response(state, media_type="application/json")
            late = isinstance(found, Stopped) and found.late
            reason = REFUSALS[Submitted.LATE] if late or not isinstance(found, Stopped) else found.reason
            return PlainTextResponse(f"{wire.prefix}{reason}", 400)

        return LongPoll(seat, seat.remote.answered, render, keepalive=True)

    async def redirect(self, target: str, request: Request) -> Response:
        """Redirect from a page of the contest's server to that of the arena which shows the same."""
        given = {name: quote(value, safe="") for name, value in request.path_params.items()}
        return RedirectResponse(target.format(**given), 303)

    async def drawing(self, request: Request) -> Response:
        """Show a page that the protocol draws. Raises BadRequest."""
        try:
            return HTMLResponse(await run_in_threadpool(self._wire.drawn, request.path_params, self._random_game))
        except BadSetup as error:
            raise BadRequest(str(error), 404) from None

    def _random_game(self) -> Game:
        protocol, seed = self._protocol, secrets.randbelow(_SEEDS)
        seats = protocol.seats[1]
        options = self._lobby.config.plan(protocol, [""] * seats, {}).options
        return protocol.start(seats, options, protocol.setup(seats, options, Chance(seed, "setup")), Chance(seed))

    async def events(self, request: Request) -> ASGIApp:
        """Send the public state after every ply: those so far at once, the others as they happen."""
        game_id = request.path_params["game"]
        game = self._lobby.find(game_id)
        row = self._lobby.store.game(game_id)
        if row and self._lobby.config.hides(row):
            raise BadRequest("The game is not shown yet", 404)
        if game is None or game.status in ("finished", "aborted"):
            return ReplayStream(await plies_of(self._lobby, game_id))
        return GameStream(game, self._audience)

    async def now_playing(self, _: Request) -> ASGIApp:
        """Send the ids of the games that are being played, whenever they change."""
        return self._ids(lambda game: game.status == "playing")

    async def now_available(self, _: Request) -> ASGIApp:
        """Send the ids of the games that wait or are being played, whenever they change."""
        return self._ids(lambda _: True)

    async def team_playing(self, request: Request) -> ASGIApp:
        """Send the ids of the games that a team is playing, whenever they change."""
        team = request.path_params["team"]
        return self._ids(lambda game: game.status == "playing" and game.seat_of(team) is not None)

    def _ids(self, wanted: Callable[[ArenaGame], bool]) -> ASGIApp:
        return StreamingResponse(self._id_events(wanted), media_type="text/event-stream")

    async def _id_events(self, wanted: Callable[[ArenaGame], bool]) -> AsyncIterator[bytes]:
        sent: list[str] | None = None
        quiet_s = 0
        while True:
            games = self._lobby.live.values()
            ids = [game.row.id for game in games if game.row.kind != "training" and wanted(game)]
            if ids != sent:
                sent, quiet_s = ids, 0
                yield f"data: {json.dumps(ids)}\n\n".encode()
            elif quiet_s >= KEEPALIVE_S:
                quiet_s = 0
                yield b": quiet\n\n"
            await asyncio.sleep(1)
            quiet_s += 1


def rest_routes(lobby: Lobby, access: Authentication) -> list[Route]:
    """Return the routes of all protocols that have an API of their own, those of the queue's first: they take precedence where
    two have the same addresses."""
    wires = [Rest(lobby, access, protocol, protocol.rest) for protocol in lobby.protocols() if protocol.rest]
    return [route for wire in wires for route in wire.routes()]


def _given(params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters that are not empty."""
    return {name: value for name, value in params.items() if value not in ("", None)}
