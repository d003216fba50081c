"""Long polling: a request waits until its seat has the next question, or the game is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic_ns
from typing import Any

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbiter.arena.params import BadRequest
from arbiter.arena.question import RemoteQuestion
from arbiter.arena.tcp_info import BACKPRESSURE, DISCONNECTED
from arbiter.arena.team_seat import TeamSeat
from arbiter.errors import UserError
from arbiter.game import Result
from arbiter.records.format import FaultInfo

SILENCE_S = 10
"""How long a request waits before anything is sent. Some clients give up after 15 s of silence in a move, 60 s in a join."""
KEEPALIVE_S = 10
"""How often a space is sent after that; JSON may begin with spaces."""


@dataclass(frozen=True, slots=True)
class FinalText:
    """The last text of a game, its result, and the ruling on the seat's last answer if it was a fault."""

    text: str
    result: Result | None = None
    fault: FaultInfo | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """No question will follow: the game was ended, or the seat has dropped out."""

    reason: str
    late: bool = False


class Gone(Exception):
    """The client has closed the connection."""


Found = RemoteQuestion | FinalText | Stopped | None
"""What a seat has for its client; None if nothing yet."""


def find_next(seat: TeamSeat, after: int, *, final: bool) -> Found:
    """Return what to send to a client that has answered ``after`` questions. ``final``: a late client is told so at once."""
    remote = seat.remote
    if question := remote.question(after):
        return question
    if remote.final is not None:
        return FinalText(remote.final, remote.result, remote.fault)
    if remote.ended:
        return Stopped(remote.ended)
    return Stopped("too late", late=True) if final and remote.dropped else None


async def wait_for(
    seat: TeamSeat, after: int, gone: asyncio.Future[None], seconds: float, *, final: bool, stop: bool = True
) -> Found:
    """Wait for something to send; return None after ``seconds``. When the client is gone, raise Gone, or return None
    without ``stop``."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while True:
        if gone.done():
            if stop:
                raise Gone
            return None
        found = find_next(seat, after, final=final)
        left = until - loop.time()
        if found is not None or left <= 0:
            return found
        await seat.notifier.wait(gone, left)


class LongPoll:
    """The response to such a request. The clock of a question starts when its text has been written to the socket."""

    def __init__(self, seat: TeamSeat, after: int, render: Callable[[Found], Response], *, keepalive: bool) -> None:
        """``render`` makes the response. With ``keepalive``, spaces keep the connection alive during a long wait, and a late
        client is told so at once; without it, the client is told after a while that there is nothing yet."""
        self._seat, self.after, self.render, self._keepalive = seat, after, render, keepalive
        seat.enter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, and send the response."""
        try:
            await self._serve(scope, receive, send, scope[DISCONNECTED])
        except Gone:
            return
        finally:
            self._seat.leave()

    async def _serve(self, scope: Scope, receive: Receive, send: Send, gone: asyncio.Future[None]) -> None:
        found = await wait_for(self._seat, self.after, gone, SILENCE_S, final=self._keepalive)
        if found is not None or not self._keepalive:
            sending: Awaitable[None] = self.render(found)(scope, receive, send)
        else:
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while found is None:
                await send({"type": "http.response.body", "body": b" ", "more_body": True})
                found = await wait_for(self._seat, self.after, gone, KEEPALIVE_S, final=True)
            sending = send({"type": "http.response.body", "body": bytes(self.render(found).body)})
        await deliver(self._seat, found, sending, gone, backpressure=scope[BACKPRESSURE]())


class HeldJoin:
    """The response to a request that joins a game, which may have to wait in the hall. Spaces keep the connection alive."""

    def __init__(self, joining: Awaitable[ASGIApp], refuse: Callable[[BadRequest], Response]) -> None:
        """``joining`` returns the response once the team has a seat; ``refuse`` makes that to a refusal."""
        self._joining: asyncio.Future[Any] = asyncio.ensure_future(joining)
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, and send the response."""
        gone: asyncio.Future[Any] = scope[DISCONNECTED]
        started, pause_s = False, SILENCE_S

        async def body_only(message: Message) -> None:
            if message["type"] != "http.response.start":
                await send(message)

        try:
            while not self._joining.done():
                await asyncio.wait({self._joining, gone}, timeout=pause_s, return_when=asyncio.FIRST_COMPLETED)
                if self._joining.done():
                    break
                if gone.done():
                    return
                if not started:
                    headers = [(b"content-type", b"application/json")]
                    await send({"type": "http.response.start", "status": 200, "headers": headers})
                await send({"type": "http.response.body", "body": b" ", "more_body": True})
                started, pause_s = True, KEEPALIVE_S
        finally:
            self._joining.cancel()
        try:
            response: ASGIApp = self._joining.result()
        except (BadRequest, UserError) as error:
            response = self._refuse(error if isinstance(error, BadRequest) else BadRequest(str(error)))
        await response(scope, receive, body_only if started else send)


async def deliver(
    seat: TeamSeat, found: Found, sending: Awaitable[None], gone: asyncio.Future[None], *, backpressure: bool
) -> None:
    """Send something, and start the clock if it is a question.

    With ``backpressure``, the client has not read what it was sent before: it delays the question itself, and could follow
    the game as a spectator meanwhile. So its clock starts before the question is sent.
    """
    ready_ns = monotonic_ns() if backpressure else 0
    await sending
    if isinstance(found, RemoteQuestion) and not gone.done():
        seat.remote.delivered(found.number, ready_ns or monotonic_ns())
