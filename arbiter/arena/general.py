"""Any protocol over HTTP or WebSocket: exactly the text that a local agent would read, and the line that it would answer.

A client joins with its key and gets the address of its seat. There it asks for questions and answers them, one request at a
time (``GET`` waits for a question, ``POST`` answers it and waits for the next), or over a WebSocket with the same messages.
"""

from __future__ import annotations

import asyncio
import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from arbiter.arena.access import Authentication
from arbiter.arena.game import ArenaGame
from arbiter.arena.hall import Hall
from arbiter.arena.hold import Found, Held, Last, Stopped, hand_over, wait_for
from arbiter.arena.kernel import FULL, arrival
from arbiter.arena.params import BadRequest, in_json, read_params, text_of, told
from arbiter.arena.place import Place
from arbiter.arena.question import HANDOVER_NS, RemoteQuestion, Taken

_LONG_S = 3600
_CLOSED, _REFUSED = 1000, 4000
"""Status codes of WebSocket closings."""
REFUSALS = {
    Taken.NOT_ASKED: "this is not an answer to the open question, or another answer to it was taken before",
    Taken.OVER: "the game is over",
}


class General:
    """The routes for clients of any protocol."""

    def __init__(self, hall: Hall, access: Authentication) -> None:
        self._hall, self._access = hall, access

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/join", told(self.join, in_json), methods=["POST"]),
            Route("/play/{game}/{token}", told(self.ask, in_json)),
            Route("/play/{game}/{token}", told(self.answer, in_json), methods=["POST"]),
            WebSocketRoute("/play/{game}/{token}", self.socket),
        ]

    async def join(self, request: Request) -> ASGIApp:
        """Join a game by its id, a training game, or the next open game of a protocol. The response does not wait."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        if game_id := text_of(params, "game"):
            game, place = self._hall.join(team, game_id)
        elif protocol := text_of(params, "training"):
            wanted = {name: value for name, value in params.items() if value not in ("", None)}
            game, place = await self._hall.train(team, protocol, wanted)
        else:
            game, place = await self._hall.queue(team, text_of(params, "protocol") or self._hall.rules.queue_protocol)
        # The first question waits a moment for the client to come back and ask for it.
        asyncio.get_running_loop().call_later(HANDOVER_NS / 1e9, place.give_up)
        return JSONResponse(self._joined(request, game, place))

    def _joined(self, request: Request, game: ArenaGame, place: Place) -> dict[str, object]:
        base = self._access.base(request.scope)
        seat = f"/play/{game.row.id}/{place.token}"
        return {
            "game": game.row.id,
            "protocol": game.protocol.name,
            "lifetime": game.lifetime,
            "seat": place.index,
            "playUrl": base + seat,
            "socketUrl": base.replace("http", "ws", 1) + seat,
            "viewUrl": f"{base}/{game.row.id}",
        }

    async def ask(self, request: Request) -> ASGIApp:
        """Wait for the next question."""
        _, place = self._access.place(request)
        return _held(place)

    async def answer(self, request: Request) -> ASGIApp:
        """Take an answer and wait for the next question."""
        params = await read_params(request)
        arrived = arrival(request.scope)
        _, place = self._access.place(request)
        place.round_trip_us = arrived.round_trip_us
        held = _held(place)
        try:
            late = submit(place, params, arrived.at_ns)
        except BadRequest:
            place.leave()
            raise
        held.after = place.remote.answered
        held.render = lambda found: _response(found, late=late)
        return held

    async def socket(self, socket: WebSocket) -> None:
        """Exchange questions and answers until the game is over."""
        address = socket.client.host if socket.client else "unknown"
        try:
            _, place = self._access.place_of(address, socket.path_params["game"], socket.path_params["token"])
        except BadRequest:
            await socket.close(_REFUSED)
            return
        await socket.accept()
        place.hold()
        gone: asyncio.Future[None] = asyncio.ensure_future(_listen(socket, place))
        try:
            await _speak(socket, place, gone)
        finally:
            gone.cancel()
            place.leave()


def submit(place: Place, params: dict[str, object], received_ns: int) -> bool:
    """Submit an answer and return whether it was too late. Raises BadRequest."""
    number, answer = params.get("number"), params.get("answer")
    if isinstance(number, str) and number.isdecimal() and len(number) < 10:
        number = int(number)
    if type(number) is not int or not isinstance(answer, str):
        raise BadRequest('an answer must have a number and a text: {"number": 1, "answer": "..."}')
    kibitz = params.get("kibitz", "")
    lines = kibitz.splitlines() if isinstance(kibitz, str) else []
    taken = place.remote.submit(answer, received_ns, lines, number)
    if taken is Taken.OVER and place.remote.ended:
        raise BadRequest(place.remote.ended, 409)
    if taken in REFUSALS:
        raise BadRequest(REFUSALS[taken], 409)
    return taken is Taken.LATE


def message_of(found: Found, *, late: bool = False) -> dict[str, object]:
    """Return what a client is sent."""
    message: dict[str, object] = {"number": None, "text": None, "over": isinstance(found, (Last, Stopped))}
    if isinstance(found, RemoteQuestion):
        message |= {"number": found.number, "text": found.text, "limit_ms": found.limit_ns // 1_000_000}
    elif isinstance(found, Last):
        message["text"] = found.text
    elif isinstance(found, Stopped):
        message["error"] = found.reason
    if late:
        message["late"] = True
    return message


def _response(found: Found, *, late: bool = False) -> Response:
    return JSONResponse(message_of(found, late=late))


def _held(place: Place) -> Held:
    return Held(place, place.remote.answered, _response, blanks=False)


async def _speak(socket: WebSocket, place: Place, gone: asyncio.Future[None]) -> None:
    """Send questions as they are put, and the end of the game."""
    sent = 0
    while not gone.done():
        found = await wait_for(place, max(sent, place.remote.answered), gone, _LONG_S, final=False, stop=False)
        if found is None:
            continue
        sending = socket.send_text(json.dumps(message_of(found)))
        try:
            await hand_over(place, found, sending, gone, full=socket.scope[FULL]())
        except (WebSocketDisconnect, RuntimeError):  # closed by the client meanwhile
            return
        if isinstance(found, RemoteQuestion):
            sent = found.number
        else:
            await socket.close(_CLOSED)
            return


async def _listen(socket: WebSocket, place: Place) -> None:
    """Take answers until the client closes the connection."""
    while True:
        try:
            text = await socket.receive_text()
        except (WebSocketDisconnect, KeyError, RuntimeError):  # KeyError: a binary message
            return
        received_ns = arrival(socket.scope).at_ns
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        try:
            if not isinstance(found, dict):
                raise BadRequest("a message must be a JSON object")
            submit(place, found, received_ns)
        except BadRequest as error:
            await socket.send_text(json.dumps({"error": str(error)}))
