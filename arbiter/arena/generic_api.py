"""The API for any protocol, over HTTP or WebSocket: exactly the text that a local agent reads, and the line that it answers.

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
from arbiter.arena.lobby import Lobby
from arbiter.arena.long_poll import FinalText, Found, HeldJoin, LongPoll, Stopped, deliver, wait_for
from arbiter.arena.params import BadRequest, json_refusal, read_params, refusing_with, text_of
from arbiter.arena.question import DELIVERY_NS, RemoteQuestion, Submitted
from arbiter.arena.tcp_info import BACKPRESSURE, arrival
from arbiter.arena.team_seat import TeamSeat

_LONG_S = 3600
_CLOSED, _REFUSED = 1000, 4000
"""WebSocket close codes."""
REFUSALS = {
    Submitted.NOT_ASKED: "this does not answer the open question, or that question has been answered already",
    Submitted.OVER: "the game is over",
}


class GenericApi:
    """The routes for clients of any protocol."""

    def __init__(self, lobby: Lobby, access: Authentication) -> None:
        self._lobby, self._access = lobby, access

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/join", refusing_with(self.join, json_refusal), methods=["POST"]),
            Route("/play/{game}/{token}", refusing_with(self.ask, json_refusal)),
            Route("/play/{game}/{token}", refusing_with(self.answer, json_refusal), methods=["POST"]),
            WebSocketRoute("/play/{game}/{token}", self.socket),
        ]

    async def join(self, request: Request) -> ASGIApp:
        """Join a game by its id, a training game, or the next open game of a protocol. Respond when there is a seat."""
        params = await read_params(request)
        team = await self._access.team(request, params)
        if game_id := text_of(params, "game"):
            game, seat = self._lobby.join(team, game_id)
        elif protocol := text_of(params, "training"):
            wanted = {name: value for name, value in params.items() if value not in ("", None)}
            game, seat = await self._lobby.train(team, protocol, wanted)
        else:
            protocol = text_of(params, "protocol") or self._lobby.config.queue_protocol
            return HeldJoin(self._queued(request, team, protocol), json_refusal)
        return self._joined(request, game, seat)

    async def _queued(self, request: Request, team: str, protocol: str) -> ASGIApp:
        return self._joined(request, *await self._lobby.queue(team, protocol))

    def _joined(self, request: Request, game: ArenaGame, seat: TeamSeat) -> Response:
        # The clock of the first question waits a moment for the client to ask for it.
        asyncio.get_running_loop().call_later(DELIVERY_NS / 1e9, seat.give_up)
        base = self._access.base(request.scope)
        path = f"/play/{game.row.id}/{seat.token}"
        found = {
            "game": game.row.id,
            "protocol": game.protocol.name,
            "lifetime": game.lifetime,
            "seat": seat.index,
            "playUrl": base + path,
            "socketUrl": base.replace("http", "ws", 1) + path,
            "viewUrl": f"{base}/{game.row.id}",
        }
        return JSONResponse(found)

    async def ask(self, request: Request) -> ASGIApp:
        """Wait for the next question."""
        _, seat = self._access.seat(request)
        return _long_poll(seat)

    async def answer(self, request: Request) -> ASGIApp:
        """Take an answer and wait for the next question."""
        params = await read_params(request)
        arrived = arrival(request.scope)
        _, seat = self._access.seat(request)
        seat.round_trip_us = arrived.round_trip_us
        poll = _long_poll(seat)
        try:
            late = submit(seat, params, arrived.at_ns)
        except BadRequest:
            seat.leave()
            raise
        poll.after = seat.remote.answered
        poll.render = lambda found: _response(found, late=late)
        return poll

    async def socket(self, socket: WebSocket) -> None:
        """Exchange questions and answers until the game is over."""
        address = socket.client.host if socket.client else "unknown"
        try:
            _, seat = self._access.seat_with_token(address, socket.path_params["game"], socket.path_params["token"])
        except BadRequest:
            await socket.close(_REFUSED)
            return
        await socket.accept()
        seat.enter()
        gone: asyncio.Future[None] = asyncio.ensure_future(_receive_answers(socket, seat))
        try:
            await _send_questions(socket, seat, gone)
        finally:
            gone.cancel()
            seat.leave()


def submit(seat: TeamSeat, params: dict[str, object], received_ns: int) -> bool:
    """Submit an answer and return whether it was too late. Raises BadRequest."""
    number, answer = params.get("number"), params.get("answer")
    if isinstance(number, str) and number.isdecimal() and len(number) < 10:
        number = int(number)
    if type(number) is not int or not isinstance(answer, str):
        raise BadRequest('an answer must have a number and a text: {"number": 1, "answer": "..."}')
    kibitz = params.get("kibitz", "")
    lines = kibitz.splitlines() if isinstance(kibitz, str) else []
    taken = seat.remote.submit(answer, received_ns, lines, number)
    if taken is Submitted.OVER and seat.remote.ended:
        raise BadRequest(seat.remote.ended, 409)
    if taken in REFUSALS:
        raise BadRequest(REFUSALS[taken], 409)
    return taken is Submitted.LATE


def message_of(found: Found, *, late: bool = False) -> dict[str, object]:
    """Return the message to send to a client."""
    message: dict[str, object] = {"number": None, "text": None, "over": isinstance(found, (FinalText, Stopped))}
    if isinstance(found, RemoteQuestion):
        message |= {"number": found.number, "text": found.text, "limit_ms": found.limit_ns // 1_000_000}
    elif isinstance(found, FinalText):
        message["text"] = found.text
        if result := found.result:
            message["result"] = {"ranks": result.ranks, "scores": result.scores, "reason": result.reason}
    elif isinstance(found, Stopped):
        message["error"] = found.reason
    if isinstance(found, (RemoteQuestion, FinalText)) and found.fault:
        message["fault"] = {"kind": found.fault.kind, "detail": found.fault.detail}
    if late:
        message["late"] = True
    return message


def _response(found: Found, *, late: bool = False) -> Response:
    return JSONResponse(message_of(found, late=late))


def _long_poll(seat: TeamSeat) -> LongPoll:
    return LongPoll(seat, seat.remote.answered, _response, keepalive=False)


async def _send_questions(socket: WebSocket, seat: TeamSeat, gone: asyncio.Future[None]) -> None:
    """Send questions as they are asked, and the end of the game."""
    sent = 0
    while not gone.done():
        found = await wait_for(seat, max(sent, seat.remote.answered), gone, _LONG_S, final=False, stop=False)
        if found is None:
            continue
        sending = socket.send_text(json.dumps(message_of(found)))
        try:
            await deliver(seat, found, sending, gone, backpressure=socket.scope[BACKPRESSURE]())
        except (WebSocketDisconnect, RuntimeError):  # closed by the client meanwhile
            return
        if isinstance(found, RemoteQuestion):
            sent = found.number
        else:
            await socket.close(_CLOSED)
            return


async def _receive_answers(socket: WebSocket, seat: TeamSeat) -> None:
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
            submit(seat, found, received_ns)
        except BadRequest as error:
            await socket.send_text(json.dumps({"error": str(error), "code": error.status}))
