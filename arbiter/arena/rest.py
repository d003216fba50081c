"""The web interface of a contest's own server, for its clients: join a game, play, watch.

What the clients send and expect differs from one to the next; the tests have one stand-in for each family.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope

from arbiter.arena.access import Authentication, address_in
from arbiter.arena.game import ArenaGame
from arbiter.arena.hall import Hall
from arbiter.arena.hold import Found, Held, Last, Stopped
from arbiter.arena.kernel import arrival
from arbiter.arena.params import BadRequest, params_of, read_params, text_of, told
from arbiter.arena.place import Place
from arbiter.arena.question import RemoteQuestion, Taken
from arbiter.arena.spectators import plies_of
from arbiter.arena.streams import QUIET_S, Audience, GameStream, Replayed
from arbiter.game import RestWire

REFUSALS = {
    Taken.NOT_ASKED: "Not your turn to move",
    Taken.LATE: "Time out! You must play faster",
    Taken.OVER: "Game is finished",
}


class Rest:
    """The routes of the contest's interface."""

    def __init__(self, hall: Hall, access: Authentication) -> None:
        self._hall, self._access = hall, access
        self._protocol = hall.protocol(hall.rules.queue_protocol)
        self._audience = Audience()

    @property
    def _wire(self) -> RestWire:
        if self._protocol.rest is None:
            raise AssertionError(f"{self._protocol.name} has no web interface of its own")
        return self._protocol.rest

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/training", told(self.training, self._refused), methods=["POST"]),
            Route("/api/arena", told(self.arena, self._refused), methods=["POST"]),
            Route("/events/{game}", told(self.events, self._refused)),
            Route("/now-playing", told(self.now_playing, self._refused)),
            Route("/now-available", told(self.now_available, self._refused)),
            Route("/ai/{team}/now-playing", told(self.team_playing, self._refused)),
        ]

    def _refused(self, error: BadRequest) -> Response:
        """Return a refusal that begins as the contest's do."""
        bare = str(error).endswith("parameter?")
        return PlainTextResponse(f"{'' if bare else self._wire.prefix}{error}", error.status)

    async def training(self, request: Request) -> ASGIApp:
        """Start a game against house agents."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        game, place = await self._hall.train(team, self._protocol.name, _given(params))
        return self._held(request.scope, game, place)

    async def arena(self, request: Request) -> ASGIApp:
        """Join a game by its id, or the next open one."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        if game_id := text_of(params, "gameId"):
            game, place = self._hall.join(team, game_id)
        else:
            game, place = await self._hall.queue(team, self._protocol.name)
        return self._held(request.scope, game, place)

    async def moves(self, scope: Scope, receive: Receive, game_id: str, token: str) -> ASGIApp:
        """Take a move, ``POST /api/GAME/TOKEN/play``; the response is the state at the team's next turn."""
        try:
            params = await params_of(scope, receive)
            arrived = arrival(scope)
            game, place = self._access.place_of(address_in(scope), game_id, token)
            place.round_trip_us = arrived.round_trip_us
            answer = text_of(params, "dir")
            if not answer:
                raise BadRequest("Did you forget the dir parameter?")
            held = self._held(scope, game, place)  # before the answer is taken: the next question may be put at once
            taken = place.remote.submit(answer, arrived.at_ns, text_of(params, "kibitz").splitlines())
            if taken in REFUSALS:
                place.leave()
                raise BadRequest(place.remote.ended or REFUSALS[taken])
            held.after = place.remote.answered
            return held
        except BadRequest as error:
            return self._refused(error)

    def _held(self, scope: Scope, game: ArenaGame, place: Place) -> Held:
        base = self._access.base(scope)
        wire = game.protocol.rest or self._wire

        def render(found: Found) -> Response:
            if isinstance(found, (RemoteQuestion, Last)):
                view, play = f"{base}/{game.row.id}", f"{base}/api/{game.row.id}/{place.token}/play"
                state = wire.addressed(found.text, place.token, view, play)
                return Response(state, media_type="application/json")
            late = isinstance(found, Stopped) and found.late
            reason = REFUSALS[Taken.LATE] if late or not isinstance(found, Stopped) else found.reason
            return PlainTextResponse(f"{wire.prefix}{reason}", 400)

        return Held(place, place.remote.answered, render, blanks=True)

    async def events(self, request: Request) -> ASGIApp:
        """Send the public state after every ply: what has been played at once, the rest as it happens."""
        game_id = request.path_params["game"]
        game = self._hall.find(game_id)
        row = self._hall.store.game(game_id)
        if row and self._hall.making.hides(row):
            raise BadRequest("The game is not shown yet", 404)
        if game is None or game.status in ("finished", "aborted"):
            return Replayed(await plies_of(self._hall, game_id))
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
        return self._ids(lambda game: game.status == "playing" and game.place_of(team) is not None)

    def _ids(self, wanted: Callable[[ArenaGame], bool]) -> ASGIApp:
        return StreamingResponse(self._changing(wanted), media_type="text/event-stream")

    async def _changing(self, wanted: Callable[[ArenaGame], bool]) -> AsyncIterator[bytes]:
        sent: list[str] | None = None
        quiet_s = 0
        while True:
            games = self._hall.live.values()
            ids = [game.row.id for game in games if game.row.kind != "training" and wanted(game)]
            if ids != sent:
                sent, quiet_s = ids, 0
                yield f"data: {json.dumps(ids)}\n\n".encode()
            elif quiet_s >= QUIET_S:
                quiet_s = 0
                yield b": quiet\n\n"
            await asyncio.sleep(1)
            quiet_s += 1


def _given(params: Mapping[str, object]) -> dict[str, object]:
    """Return the parameters that say something: an empty one is as good as none."""
    return {name: value for name, value in params.items() if value not in ("", None)}
