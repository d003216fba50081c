"""The page of a person who plays: only what their seat may know leaves the server until the game is over."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import IllegalMove
from arbiter.registry import find_protocol
from arbiter.web.app import (
    POLL_S,
    QUIET_S,
    events,
    server_sent_event,
    turns_event,
    user_error_as_json,
)
from arbiter.web.feed import Feed
from arbiter.web.page_files import PAGE_ROUTES, absent, html_page, protocol_files
from arbiter.web.person import LONGEST, People, PersonGame, PersonQuestion
from arbiter.web.security import AccessPolicy, SecurityMiddleware

_MOST_BYTES = 8 * LONGEST


class _Said(msgspec.Struct):
    """What a page sends: a move, that the person leaves, or that they want another game."""

    number: int
    text: str = ""
    leave: bool = False
    rematch: bool = False


def make_person_app(people: People, access: AccessPolicy, closing: Callable[[], bool] = lambda: False) -> Starlette:
    """Return the application for the people at a table. Streams end when ``closing`` returns true."""
    pages = _PersonPages(people, closing)
    routes = [
        Route("/play/{key}", pages.page),
        *PAGE_ROUTES,
        Route("/data/play/{key}", pages.document),
        Route("/data/play/{key}/live", pages.live),
        Route("/data/play/{key}/record", pages.record),
        Route("/data/play/{key}/answer", pages.answer, methods=["POST"]),
    ]
    return Starlette(
        routes=routes,
        middleware=[Middleware(SecurityMiddleware, access=access)],
        exception_handlers={UserError: user_error_as_json},
    )


class _PersonPages:
    def __init__(self, people: People, closing: Callable[[], bool]) -> None:
        self._people, self._closing = people, closing

    def _person_game(self, request: Request) -> PersonGame:
        game = request.query_params.get("game", "")
        played = self._people.person_game(
            request.path_params["key"], int(game) if game.isdecimal() and len(game) < 9 else None
        )
        if played is None:
            raise UserError("nobody plays at this address now")
        return played

    async def page(self, request: Request) -> Response:
        if request.path_params["key"] not in self._people.keys.values():
            return absent("nobody plays at this address")
        return html_page("game.html")

    async def document(self, request: Request) -> Response:
        """Send the game so far, as the person may know it; all of it once it is over."""
        played = self._person_game(request)
        return Response(await run_in_threadpool(_document, played), media_type="application/json")

    async def record(self, request: Request) -> Response:
        """Send the record, which holds every secret, once the game is over."""
        played = self._person_game(request)
        await run_in_threadpool(played.feed.refresh)
        if not played.over:
            raise UserError("the record can be downloaded when the game is over: it shows what is hidden from you")
        # Read at once: the record of a game that its person has left may still grow by its last line.
        data = await run_in_threadpool(played.feed.path.read_bytes)
        headers = {"content-disposition": f"attachment; filename*=utf-8''{quote(played.feed.path.name)}"}
        return Response(data, media_type="application/x-ndjson", headers=headers)

    async def answer(self, request: Request) -> Response:
        """Take a move; 422 with the reason if it is illegal."""
        played = self._person_game(request)
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > _MOST_BYTES:
                return JSONResponse({"error": "this is too long for a move"}, 413)
        try:
            said = msgspec.json.decode(body, type=_Said)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return JSONResponse({"error": "this is not an answer that the page would send"}, 400)
        if said.rematch:
            self._people.ask_rematch()
            return JSONResponse({})
        if said.leave:
            played.seat.leave()
            return JSONResponse({})
        try:
            await run_in_threadpool(played.seat.submit, said.number, said.text)
        except IllegalMove as refused:
            return JSONResponse({"error": refused.reason}, 422)
        return JSONResponse({})

    async def live(self, request: Request) -> Response:
        """Send turns as they are played, the person's questions, the result, and when the next game has begun."""
        played = self._person_game(request)
        after = request.query_params.get("after", "0")
        return events(self._follow(request, played, int(after) if after.isdecimal() and len(after) < 9 else 0))

    async def _follow(self, request: Request, played: PersonGame, sent: int) -> AsyncIterator[bytes]:
        with self._people.page_open():
            async for event in self._events(request, played, sent):
                yield event

    async def _events(self, request: Request, played: PersonGame, sent: int) -> AsyncIterator[bytes]:
        feed, asked, told, quiet = played.feed, 0, False, 0.0
        while not self._closing():
            question = played.seat.question  # before the record is read: the turns before the question come first
            await run_in_threadpool(feed.refresh)
            if len(feed.turns) > sent:
                after, quiet = sent, 0.0
                sent, fresh = feed.turns_after(after)
                yield turns_event(after, fresh)
            if question and question.number != asked:
                asked, quiet = question.number, 0.0
                yield server_sent_event("question", _question(question))
            if played.over and not told:
                told = True
                yield server_sent_event("over", feed.ending)
            if told and self._people.person_game(request.path_params["key"]) is not played:
                yield server_sent_event("next", {"game": request.path_params["key"]})
                return
            if quiet >= QUIET_S:
                quiet = 0.0
                yield b": quiet\n\n"
            await asyncio.sleep(POLL_S)
            quiet += POLL_S


def _question(question: PersonQuestion) -> dict[str, Any]:
    waited_ms = (time.monotonic_ns() - question.asked_ns) // 1_000_000
    return {"number": question.number, "choices": question.choices, "waited_ms": waited_ms}


def _document(played: PersonGame) -> bytes:
    played.feed.refresh()
    feed = Feed(played.feed.path) if played.over else played.feed
    feed.refresh()
    more = {
        "live": not played.over,
        "person": played.seat.seat,
        "game_number": played.number,
        "rules": played.seat.rules,
        "file": feed.path.name if played.over else "",
        **protocol_files(find_protocol(feed.protocol, Workspace()), drawn=played.over or feed.has_view),
        "home": False,
    }
    return feed.document(more)
