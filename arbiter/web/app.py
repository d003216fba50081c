"""The pages and the data behind them, as a web application."""

from __future__ import annotations

import asyncio
import functools
import os
import urllib.parse
from collections.abc import AsyncIterator, Callable, Hashable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.exports.document import encode_json
from arbiter.records.reader import record_bytes
from arbiter.registry import find_protocol
from arbiter.web.feed import Feed
from arbiter.web.folder import FolderPage
from arbiter.web.library import Library
from arbiter.web.page_files import PAGE_ROUTES, PublicRoute, html_page, protocol_files
from arbiter.web.security import AccessPolicy, SecurityMiddleware
from arbiter.web.stderr_text import has_log, stderr_by_turn

POLL_S = 0.1
"""How often a growing record is looked at."""
_FOLDER_POLL_S = 0.5
QUIET_S = 15
"""A comment is sent this often, so that a connection to a page that has gone is noticed."""


def make_viewer_app(
    library: Library, access: AccessPolicy, title: str = "", closing: Callable[[], bool] = lambda: False
) -> Starlette:
    """Return the application that shows the games of a library. Streams end when ``closing`` returns true."""
    pages = _Pages(library, FolderPage(library, title))
    routes = [
        Route("/", pages.home),
        Route("/games", pages.games),
        Route("/wall", pages.wall),
        PublicRoute("/game/{name}", pages.game),
        *PAGE_ROUTES,
        PublicRoute("/data/games", pages.list_games),
        PublicRoute("/data/contest", pages.contest),
        PublicRoute("/data/changes", pages.changes),
        PublicRoute("/data/game/{name}", pages.document),
        PublicRoute("/data/game/{name}/live", pages.live),
        PublicRoute("/data/game/{name}/record", pages.record),
        PublicRoute("/data/game/{name}/stderr", pages.stderr),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(SecurityMiddleware, access=access)],
        exception_handlers={UserError: user_error_as_json},
    )
    app.state.closing = closing
    return app


async def user_error_as_json(_: Request, error: Exception) -> Response:
    """Answer with the text of a user's error."""
    return JSONResponse({"error": str(error)}, 422)


class _Pages:
    """The routes that depend on the games being shown."""

    def __init__(self, library: Library, folder: FolderPage) -> None:
        self._library, self._folder = library, folder

    async def home(self, _: Request) -> Response:
        only = self._library.only_game()
        return RedirectResponse(f"/game/{only}" if only else "/games", 303)

    async def games(self, _: Request) -> Response:
        return html_page("games.html")

    async def wall(self, _: Request) -> Response:
        return html_page("wall.html")

    async def game(self, _: Request) -> Response:
        return html_page("game.html")

    async def list_games(self, request: Request) -> Response:
        """Send the games that match the conditions in the query."""
        asked = request.query_params.multi_items()
        return await self._shared(("games", *asked), functools.partial(self._folder.games, asked))

    async def contest(self, _: Request) -> Response:
        """Send the standings of the contest in the folder."""
        return await self._shared("contest", self._folder.contest)

    async def _shared(self, what: Hashable, make: Callable[[], Any]) -> Response:
        data = await run_in_threadpool(self._folder.shared, what, make)
        return Response(data, media_type="application/json")

    async def changes(self, request: Request) -> Response:
        """Send an event whenever the folder is no longer in the state ``seen`` that a list of its games came with."""
        return events(self._watch_folder(request, request.query_params.get("seen", "")))

    async def _watch_folder(self, request: Request, seen: str) -> AsyncIterator[bytes]:
        quiet = 0.0
        while not _closing(request):
            if self._folder.scan_is_due:
                await run_in_threadpool(self._folder.recent_state)
            if (found := self._folder.recent) != seen:
                seen, quiet = found, 0.0
                yield server_sent_event("changed", {})
            elif quiet >= QUIET_S:
                quiet = 0.0
                yield b": quiet\n\n"
            await asyncio.sleep(_FOLDER_POLL_S)
            quiet += _FOLDER_POLL_S

    def _feed(self, request: Request) -> Feed:
        feed = self._library.feed(request.path_params["name"])
        if feed is None:
            raise UserError("no such game; it may have been moved or deleted")
        return feed

    async def document(self, request: Request) -> Response:
        """Send a game."""
        feed = await run_in_threadpool(self._feed, request)
        return Response(await run_in_threadpool(self._document, feed), media_type="application/json")

    def _document(self, feed: Feed) -> bytes:
        feed.refresh()
        more = {
            "live": self._library.growing or not feed.over,
            "file": _shown_path(Path.cwd() / feed.path.name if self._library.public else feed.path),
            **protocol_files(find_protocol(feed.protocol, Workspace())),
            "has_stderr": self._shows_stderr(feed),
            "newest": self._library.newest,
            "home": self._library.only_game() is None,
        }
        return feed.document(more)

    async def live(self, request: Request) -> Response:
        """Send the turns after ``after`` as they are played, the result, and the game that was added after ``newest``."""
        feed = await run_in_threadpool(self._feed, request)
        after = request.query_params.get("after", "0")
        newest = request.query_params.get("newest", "")
        return events(self._follow(request, feed, int(after) if after.isdecimal() and len(after) < 9 else 0, newest))

    async def _follow(self, request: Request, feed: Feed, sent: int, newest: str) -> AsyncIterator[bytes]:
        quiet, told = 0.0, False
        while not _closing(request):
            if feed.is_due(POLL_S):
                await run_in_threadpool(feed.refresh)
            if len(feed.turns) > sent:
                after, quiet = sent, 0.0
                sent, fresh = feed.turns_after(after)
                yield turns_event(after, fresh)
            if feed.over and not told:
                told = True
                yield server_sent_event("over", feed.ending)
            if told and self._library.newest != newest:  # the next game of a series that is being played
                yield server_sent_event("next", {"game": self._library.newest})
                return
            if told and not self._library.growing:  # nothing more can come
                return
            if quiet >= QUIET_S:
                quiet = 0.0
                yield b": quiet\n\n"
            await asyncio.sleep(POLL_S)
            quiet += POLL_S

    async def record(self, request: Request) -> Response:
        """Send the record itself, as a download."""
        feed = await run_in_threadpool(self._feed, request)
        await run_in_threadpool(feed.refresh)
        if feed.header is None:  # a link in a folder from elsewhere may lead to any file
            raise UserError("not a saved game")
        name = os.fsencode(feed.path.name).decode(errors="replace")
        if feed.path.exists():
            return FileResponse(feed.path, media_type="application/x-ndjson", filename=name)
        data = await run_in_threadpool(record_bytes, feed.path)  # packed
        quoted = urllib.parse.quote(name)
        headers = {"content-disposition": f"attachment; filename*=utf-8''{quoted}"}
        return Response(data, media_type="application/x-ndjson", headers=headers)

    def _shows_stderr(self, feed: Feed) -> bool:
        """Return whether there is a log that people may see: in public, what an agent prints for its author stays private."""
        return not self._library.public and has_log(feed.path)

    async def stderr(self, request: Request) -> Response:
        """Send what the agents of a game printed on standard error; nothing if no log was kept."""
        feed = await run_in_threadpool(self._feed, request)
        shows = await run_in_threadpool(self._shows_stderr, feed)
        return _json(await run_in_threadpool(stderr_by_turn, feed.path) if shows else {"turns": {}, "problem": ""})


def _shown_path(path: Path) -> str:
    """Return a path to type: relative to the current folder if it is below it."""
    here = Path.cwd()
    return os.fsencode(path.relative_to(here) if path.is_relative_to(here) else path).decode(errors="replace")


def _json(document: Any) -> Response:
    return Response(encode_json(document), media_type="application/json")


def _closing(request: Request) -> bool:
    """Return whether the server is about to end, so that a stream must end as well."""
    return bool(request.app.state.closing())


def server_sent_event(name: str, data: Any) -> bytes:
    """Encode one server-sent event."""
    return f"event: {name}\ndata: ".encode() + encode_json(data) + b"\n\n"


def turns_event(after: int, turns: bytes) -> bytes:
    """Encode an event with new turns, encoded and joined already; ``after`` is the number of turns before them."""
    return b"event: turns\ndata: {" + f'"after":{after}'.encode() + b',"turns":[' + turns + b"]}\n\n"


def events(stream: AsyncIterator[bytes]) -> Response:
    """Send server-sent events as they come."""
    return StreamingResponse(stream, media_type="text/event-stream")
