"""The arena as a web application: the contest's interface, the general one, the organiser's calls and the viewer."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from arbiter.arena.access import Authentication
from arbiter.arena.contest_pages import ContestPages
from arbiter.arena.contest_routes import ContestRoutes
from arbiter.arena.day import Day
from arbiter.arena.desk import Desk
from arbiter.arena.door import APOLOGY, Door
from arbiter.arena.general import General
from arbiter.arena.hall import Hall
from arbiter.arena.hiding import HIDE
from arbiter.arena.making import Making
from arbiter.arena.organiser import Organiser
from arbiter.arena.pages import ArenaPages, cannot_show
from arbiter.arena.params import BadRequest
from arbiter.arena.public import Public
from arbiter.arena.rest import Rest
from arbiter.arena.results import GameFacts
from arbiter.arena.rules import Rules
from arbiter.arena.store import Store
from arbiter.arena.uploads import Uploads
from arbiter.contest.definition import Contest
from arbiter.errors import UserError
from arbiter.game import BadSetup

SPECTATORS_THREADS = 2
"""Pages for spectators that are prepared at the same time: each takes turns with the thread that serves moves. Whatever players
and the organiser ask for has other threads."""


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


def make_arena_app(arena: Arena) -> Door:
    """Return the application. Its state is made when the server starts, in the server's loop."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = SPECTATORS_THREADS
        store = Store(arena.file)
        hidden = arena.making.hide_results or bool(store.fact(HIDE))
        hall = arena.make_hall(replace(arena.making, hide_results=hidden), arena.rules, store)
        access = Authentication(hall, arena.organiser_token, arena.own_host)
        day, results = Day(hall, arena.contest), GameFacts(hall)
        app.state.hall = hall
        rest = Rest(hall, access) if hall.protocol(arena.rules.queue_protocol).rest else None
        app.state.moves = rest.moves if rest else None
        app.router.routes += [
            *(rest.routes() if rest else []),
            *General(hall, access).routes(),
            *ContestRoutes(day, hall, access).routes(),
            *Organiser(hall, access, day, results).routes(),
            *Desk(hall, access, day, results, arena.title).routes(),
            *ContestPages(hall).routes(),
            *Public(hall, day, results, arena.title).routes(),
            *(Uploads(hall, access).routes() if arena.rules.uploads else []),
            *ArenaPages(hall, arena.title).routes(),
        ]
        await hall.reopen()
        yield
        await hall.close()
        store.close()

    app = Starlette(
        lifespan=lifespan,
        exception_handlers={
            UserError: user_error_response,
            BadSetup: user_error_response,
            BadRequest: refuse,
            ClientDisconnect: refuse,
            HTTPException: say,
            Exception: apologise,
        },
    )
    app.router.redirect_slashes = False  # many clients repeat a redirected POST as a GET
    app.state.moves, app.state.closing = None, lambda: False
    return Door(app)


async def user_error_response(request: Request, error: Exception) -> Response:
    """Answer with the text of a user's error."""
    if request.url.path.startswith("/data/"):
        return await cannot_show(request, error)
    return PlainTextResponse(str(error), 400)


async def refuse(_: Request, error: Exception) -> Response:
    """Answer with the sentence of a refusal; to a client that is gone, with nothing that it could read."""
    return PlainTextResponse(str(error), error.status if isinstance(error, BadRequest) else 400)


async def say(_: Request, error: Exception) -> Response:
    """Answer with a sentence where the framework would send a status."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    told = {404: "there is nothing at this address", 405: "this address does not support that method"}
    return PlainTextResponse(told.get(status, "the request was refused"), status)


async def apologise(_: Request, __: Exception) -> Response:
    """Answer after a bug of ours, which the log has in full."""
    return PlainTextResponse(APOLOGY, 500)
