"""The pages of games: the viewer, and a redirect from the address of a game that its players are given."""

from __future__ import annotations

import html
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.lobby import Lobby
from arbiter.web.app import make_viewer_app
from arbiter.web.library import Library, game_id
from arbiter.web.page_files import PublicRoute
from arbiter.web.security import AccessPolicy as ViewerAccess

_WAITING = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<title>Game {id}</title><p>Game {id} {state}. Joined: {teams}.</p></html>
"""


class GamePages:
    """The routes of the pages of games."""

    def __init__(self, lobby: Lobby, title: str) -> None:
        self._lobby, self._title = lobby, title
        lobby.config.shown.mkdir(parents=True, exist_ok=True)
        self._library = Library(folder=lobby.config.shown)
        self._library.public = True

    def routes(self) -> list[BaseRoute]:
        """Return the routes: the public ones of the viewer, and the address of every game."""
        viewer = make_viewer_app(self._library, ViewerAccess(0), self._title)
        shown = [route for route in viewer.routes if isinstance(route, PublicRoute)]
        return [*shown, Route("/{game}", self.game)]

    async def game(self, request: Request) -> Response:
        """Redirect to the page of a game, or show a page that waits for it."""
        row = self._lobby.store.game(request.path_params["game"])
        if row is None:
            return PlainTextResponse("Unknown game", 404)
        secret = row.status == "playing" and self._lobby.protocol(row.protocol).rest is None
        hidden = self._lobby.config.hides(row) or secret
        if not row.record or hidden:
            game = self._lobby.live.get(row.id)
            teams = [seat.team for seat in game.seats_taken.values()] if game else []
            states = {"waiting": "has not started yet", "playing": "is being played; it is shown when it is over"}
            over = "is over, but not shown yet" if row.record else "was ended before it started"
            state = states.get(row.status, over)
            text = _WAITING.format(id=row.id, state=state, teams=html.escape(", ".join(teams)) or "nobody")
            return HTMLResponse(text)
        path = self._lobby.config.records / row.record
        return RedirectResponse(f"/game/{self._shown(path)}", 303)

    def _shown(self, path: Path) -> str:
        name = game_id(path.absolute())
        return name if self._library.path(name) else self._library.add(path)


async def cannot_show(_: Request, __: Exception) -> Response:
    """Answer a page of the viewer without the error message, which may name a file on this machine."""
    return JSONResponse({"error": "this game cannot be shown, or the conditions of the search are not valid"}, 422)
