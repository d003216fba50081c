"""A request that is held until its seat has the next question, or the game is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from time import monotonic_ns

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from arbiter.arena.kernel import FULL, GONE
from arbiter.arena.place import Place
from arbiter.arena.question import RemoteQuestion

SILENCE_S = 10
"""How long a request is held without a word. Some clients give up after 15 s of silence in a move, 60 s in a join."""
BLANK_S = 10
"""How often a blank is sent after that; JSON may begin with blanks."""


@dataclass(frozen=True, slots=True)
class Last:
    """The last text of a game."""

    text: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """There will be no question: the game was ended, or the seat is out of it."""

    reason: str
    late: bool = False


class Gone(Exception):
    """The client has closed the connection."""


Found = RemoteQuestion | Last | Stopped | None
"""None: nothing yet."""


def look(place: Place, after: int, *, final: bool) -> Found:
    """Return what there is for a client that has answered the first ``after`` questions. ``final``: being late is final."""
    remote = place.remote
    if question := remote.question(after):
        return question
    if remote.final is not None:
        return Last(remote.final)
    if remote.ended:
        return Stopped(remote.ended)
    return Stopped("too late", late=True) if final and remote.dropped else None


async def wait_for(
    place: Place, after: int, gone: asyncio.Future[None], seconds: float, *, final: bool, stop: bool = True
) -> Found:
    """Wait for something to send; None after ``seconds``, or without ``stop`` when the client is gone. Raises Gone."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while True:
        if gone.done():
            if stop:
                raise Gone
            return None
        found = look(place, after, final=final)
        left = until - loop.time()
        if found is not None or left <= 0:
            return found
        await place.bell.wait(gone, left)


class Held:
    """The response to such a request. The clock of the question starts when it is in the kernel."""

    def __init__(self, place: Place, after: int, render: Callable[[Found], Response], *, blanks: bool) -> None:
        """``render`` makes the response. With ``blanks``, a long wait is bridged by them and being late is final; without,
        the client is told after a while that there is nothing yet."""
        self._place, self.after, self.render, self._blanks = place, after, render, blanks
        place.hold()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hold the request."""
        try:
            await self._serve(scope, receive, send, scope[GONE])
        except Gone:
            return
        finally:
            self._place.leave()

    async def _serve(self, scope: Scope, receive: Receive, send: Send, gone: asyncio.Future[None]) -> None:
        found = await wait_for(self._place, self.after, gone, SILENCE_S, final=self._blanks)
        if found is not None or not self._blanks:
            sending: Awaitable[None] = self.render(found)(scope, receive, send)
        else:
            headers = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            while found is None:
                await send({"type": "http.response.body", "body": b" ", "more_body": True})
                found = await wait_for(self._place, self.after, gone, BLANK_S, final=True)
            sending = send({"type": "http.response.body", "body": bytes(self.render(found).body)})
        await hand_over(self._place, found, sending, gone, full=scope[FULL]())


async def hand_over(
    place: Place, found: Found, sending: Awaitable[None], gone: asyncio.Future[None], *, full: bool
) -> None:
    """Send something, and start the clock of a question.

    A client that does not read what it was sent before is ``full``: it delays its question by itself, and may well see the
    game as a spectator meanwhile. So its clock starts before the question is sent.
    """
    ready_ns = monotonic_ns() if full else 0
    await sending
    if isinstance(found, RemoteQuestion) and not gone.done():
        place.remote.delivered(found.number, ready_ns or monotonic_ns())
