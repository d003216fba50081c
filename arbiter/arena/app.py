"""The arena as a web application: the contest's API, the generic one, the organiser's, and the pages."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from anyio.to_thread import current_default_thread_limiter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from arbiter.arena.access import Authentication
from arbiter.arena.config import ArenaConfig
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.game_pages import GamePages, cannot_show
from arbiter.arena.generic_api import GenericApi
from arbiter.arena.lobby import Lobby
from arbiter.arena.middleware import ArenaMiddleware
from arbiter.arena.my_team import MyTeam
from arbiter.arena.organiser_api import OrganiserApi
from arbiter.arena.organiser_page import HIDE, OrganiserPage
from arbiter.arena.params import BadRequest
from arbiter.arena.public_pages import PublicPages
from arbiter.arena.rest import rest_routes
from arbiter.arena.results import GameFacts
from arbiter.arena.store import Store
from arbiter.arena.uploads import Uploads
from arbiter.errors import UserError
from arbiter.game import BadSetup

INTERNAL_ERROR = "a bug in the arbiter; the organiser's log has the details"
SPECTATORS_THREADS = 2
"""How many pages for spectators are prepared at the same time, since they compete with the thread that serves moves. Requests
of players and the organiser use other threads."""


@dataclass(frozen=True, slots=True)
class Arena:
    """What an arena consists of."""

    config: ArenaConfig
    file: Path
    """The SQLite file."""
    organiser_token: str
    own_host: str
    """Host and port, for clients that send no valid Host header."""
    title: str = "Arena"
    match_file: Path | None = None
    """The match file that the organiser started the arena with, if any."""
    names: Sequence[str] = ()
    """Other names by which clients reach this server, such as that of a proxy."""
    make_lobby: Callable[[ArenaConfig, Store], Lobby] = Lobby


def own_names() -> set[str]:
    """Return the names and addresses of this machine, in lower case."""
    families = {socket.AF_INET: "{}", socket.AF_INET6: "[{}]"}
    cards = [each for card in psutil.net_if_addrs().values() for each in card if each.family in families]
    name = socket.gethostname()
    addresses = [families[each.family].format(each.address.partition("%")[0]) for each in cards]
    return {known.lower() for known in ("localhost", name, f"{name}.local", *addresses)}


def make_arena_app(arena: Arena) -> ArenaMiddleware:
    """Return the application. Its state is created when the server starts, in the server's event loop."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        current_default_thread_limiter().total_tokens = SPECTATORS_THREADS
        store = Store(arena.file)
        hidden = arena.config.hide_results or bool(store.setting(HIDE))
        lobby = arena.make_lobby(replace(arena.config, hide_results=hidden), store)
        access = Authentication(
            lobby, arena.organiser_token, arena.own_host, own_names() | {name.lower() for name in arena.names}
        )
        current, results = CurrentContest(lobby), GameFacts(lobby)
        app.state.lobby, app.state.current = lobby, current
        app.router.routes += [
            *rest_routes(lobby, access),
            *GenericApi(lobby, access).routes(),
            *OrganiserApi(lobby, access, current, results).routes(),
            *OrganiserPage(lobby, access, current, results, arena.title).routes(),
            *PublicPages(lobby, access, current, results, arena.title).routes(),
            *MyTeam(lobby, access, results).routes(),
            *(Uploads(lobby, access).routes() if arena.config.uploads else []),
            *GamePages(lobby, arena.title).routes(),
        ]
        await lobby.reopen()
        await current.begin(arena.match_file)
        yield
        if current.contest:
            await current.contest.stop()
        await lobby.close()
        store.close()

    app = Starlette(
        lifespan=lifespan,
        exception_handlers={
            UserError: user_error_response,
            BadSetup: user_error_response,
            BadRequest: refusal_response,
            ClientDisconnect: refusal_response,
            HTTPException: http_error_response,
            Exception: internal_error_response,
        },
    )
    app.router.redirect_slashes = False  # many clients repeat a redirected POST as a GET
    app.state.closing = lambda: False
    return ArenaMiddleware(app)


async def user_error_response(request: Request, error: Exception) -> Response:
    """Respond with the message of a user's error."""
    if request.url.path.startswith("/data/"):
        return await cannot_show(request, error)
    return PlainTextResponse(str(error), 400)


async def refusal_response(_: Request, error: Exception) -> Response:
    """Respond with the message of a refusal; nobody reads the response to a client that has disconnected."""
    return PlainTextResponse(str(error), error.status if isinstance(error, BadRequest) else 400)


async def http_error_response(_: Request, error: Exception) -> Response:
    """Respond with a sentence where the framework would send only a status."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    messages = {404: "there is nothing at this address", 405: "this address does not support that method"}
    return PlainTextResponse(messages.get(status, "the request was refused"), status)


async def internal_error_response(_: Request, __: Exception) -> Response:
    """Respond after a bug in the arbiter, whose traceback is in the log."""
    return PlainTextResponse(INTERNAL_ERROR, 500)
