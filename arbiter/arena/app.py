"""The arena as a web application: the contest's interface, the general one, the organiser's calls and the viewer."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arbiter.arena.access import Access
from arbiter.arena.contest_pages import ContestPages
from arbiter.arena.contest_routes import ContestRoutes
from arbiter.arena.day import Day
from arbiter.arena.desk import HIDE, Desk
from arbiter.arena.general import General
from arbiter.arena.hall import Hall, Rules
from arbiter.arena.making import Making
from arbiter.arena.organiser import Organiser
from arbiter.arena.pages import Pages, cannot_show
from arbiter.arena.params import BadRequest
from arbiter.arena.public import Public
from arbiter.arena.rest import Rest
from arbiter.arena.store import Store
from arbiter.arena.uploads import Uploads
from arbiter.contest.definition import Contest
from arbiter.errors import UserError
from arbiter.game import BadSetup
from arbiter.web.security import HEADERS

HEAD_BYTES = 16 * 1024
ADDRESS_BYTES = 8 * 1024
PLAY = re.compile(r"/api/(?P<game>[^/]+)/(?P<token>[^/]+)/play")
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_OWN = ("/organiser", "/export")
"""Addresses that no page of another site has any business with."""


@dataclass(frozen=True, slots=True)
class Arena:
    """What an arena is made of."""

    making: Making
    rules: Rules
    file: Path
    """The SQLite file."""
    organiser_token: str
    own_host: str
    """Host and port, for clients that do not name them."""
    title: str = "Arena"
    contest: Contest | None = None
    """What is played round by round, if the organiser has a match file."""
    make_hall: Callable[[Making, Rules, Store], Hall] = Hall


class Guard:
    """Middleware: refuses ambiguous requests, and adds security headers and CORS."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        extra = [*_HEADERS]
        own, origin = scope["path"].startswith(_OWN), headers.get(b"origin")
        if origin and not own:
            extra += [(b"access-control-allow-origin", origin), (b"vary", b"Origin")]

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name for name, _ in message.get("headers", [])}
                more = [(name, value) for name, value in extra if name not in known]
                message["headers"] = [*message.get("headers", []), *more]
            await send(message)

        refusal = _too_large(scope) or _refusal("" if own else scope["method"], headers)
        if refusal is None and scope["method"] == "POST" and (found := PLAY.fullmatch(scope["path"])):
            # Every move comes this way: straight to its handler, without the routes of all the pages.
            scope["path_params"] = found.groupdict()
            play = scope["app"].state.play
            refusal = await play(Request(scope, receive, guarded)) if play else None
        await (refusal or self._app)(scope, receive, guarded)


def _too_large(scope: Scope) -> ASGIApp | None:
    """Refuse what the parser lets through because it arrived in one piece."""
    if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS_BYTES:
        return PlainTextResponse(f"the address is longer than {ADDRESS_BYTES} bytes", 414)
    if sum(len(name) + len(value) for name, value in scope["headers"]) > HEAD_BYTES:
        return PlainTextResponse(f"the headers are longer than {HEAD_BYTES} bytes", 431)
    return None


def _refusal(method: str, headers: dict[bytes, bytes]) -> ASGIApp | None:
    if b"transfer-encoding" in headers and b"content-length" in headers:
        # Where two servers in a row disagree about where a request ends, one client could speak for another.
        return PlainTextResponse(
            "a request must not have both Content-Length and Transfer-Encoding", 400, headers={"connection": "close"}
        )
    if method == "OPTIONS":
        asked = headers.get(b"access-control-request-headers", b"").decode("latin-1")
        allow = {"access-control-allow-methods": "GET, POST, DELETE", "access-control-max-age": "3600"}
        if asked:
            allow["access-control-allow-headers"] = asked
        return Response(status_code=204, headers=allow)
    return None


def make_app(arena: Arena) -> Starlette:
    """Return the application. Its state is made when the server starts, in the server's loop."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        store = Store(arena.file)
        hidden = arena.making.hide_results or bool(store.fact(HIDE))
        hall = arena.make_hall(replace(arena.making, hide_results=hidden), arena.rules, store)
        access = Access(hall, arena.organiser_token, arena.own_host)
        day = Day(hall, arena.contest)
        app.state.hall = hall
        rest = Rest(hall, access) if hall.protocol(arena.rules.queue_protocol).rest else None
        app.state.play = rest.moves if rest else None
        app.router.routes += [
            *(rest.routes() if rest else []),
            *General(hall, access).routes(),
            *ContestRoutes(day, hall, access).routes(),
            *Organiser(hall, access, day).routes(),
            *Desk(hall, access, day, arena.title).routes(),
            *ContestPages(hall).routes(),
            *Public(hall, day, arena.title).routes(),
            *(Uploads(hall, access).routes() if arena.rules.uploads else []),
            *Pages(hall, arena.title).routes(),
        ]
        await hall.reopen()
        yield
        await hall.close()
        store.close()

    app = Starlette(
        lifespan=lifespan,
        middleware=[Middleware(Guard)],
        exception_handlers={
            UserError: explain,
            BadSetup: explain,
            BadRequest: refuse,
            HTTPException: say,
            Exception: apologise,
        },
    )
    app.state.closing = lambda: False
    return app


async def explain(request: Request, error: Exception) -> Response:
    """Answer with the text of a user's error."""
    if request.url.path.startswith("/data/"):
        return await cannot_show(request, error)
    return PlainTextResponse(str(error), 400)


async def refuse(_: Request, error: Exception) -> Response:
    """Answer with the sentence of a refusal."""
    return PlainTextResponse(str(error), error.status if isinstance(error, BadRequest) else 400)


async def say(_: Request, error: Exception) -> Response:
    """Answer with a sentence where the framework would send a status."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    told = {404: "there is nothing at this address", 405: "this address does not support that method"}
    return PlainTextResponse(told.get(status, "the request was refused"), status)


async def apologise(_: Request, __: Exception) -> Response:
    """Answer after a bug of ours, which the log has in full."""
    return PlainTextResponse("a bug in the arbiter; the organiser's log has the details", 500)
