"""The pages of the contest's original server, at their old addresses.

Each redirects to our page that shows the same, except for the map page, which has no counterpart.
"""

from __future__ import annotations

import html
import secrets
from collections.abc import Mapping
from urllib.parse import urlencode

import click
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.game import Chance

_LONGEST_S = 3600
_SEEDS = 1_000_000_000
_MAP = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{delay}"><link rel="stylesheet" href="/static/page.css">
<title>A map</title><pre>{board}</pre></html>
"""


class CompatPages:
    """The routes of those pages."""

    def __init__(self, lobby: Lobby, addresses: Mapping[str, str]) -> None:
        """``addresses`` are those of the protocol's API, by what they show."""
        self._lobby, self._addresses = lobby, addresses

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        pages = {"newest": self.newest, "teams": self.teams, "team": self.team, "map": self.map}
        return [Route(self._addresses[name], page) for name, page in pages.items() if name in self._addresses]

    async def newest(self, _: Request) -> Response:
        """Redirect to the newest game that has started, or else the newest waiting one; not to training. Raises BadRequest."""
        rows = self._lobby.store.games(["official", "queue"], ["playing", "finished"], most=1)
        rows = rows or self._lobby.store.games(["official", "queue"], ["waiting"], most=1)
        if not rows:
            raise BadRequest("No game has been created yet", 404)
        return RedirectResponse(f"/{rows[0].id}", 303)

    async def teams(self, _: Request) -> Response:
        """Redirect to the page with the teams."""
        return RedirectResponse("/", 303)

    async def team(self, request: Request) -> Response:
        """Redirect to the page of a team. Raises BadRequest."""
        team = request.path_params["team"]
        if team not in self._lobby.store.teams():
            raise BadRequest(f"Unknown team {team[:40]}", 404)
        return RedirectResponse(f"/team?{urlencode({'name': team})}", 303)

    async def map(self, request: Request) -> Response:
        """Show a random map of the game, and another one every ``delay`` seconds. Raises BadRequest."""
        delay = request.path_params["delay"]
        if not delay.isdecimal() or not 1 <= int(delay[:6]) <= _LONGEST_S:
            raise BadRequest(f"{delay[:40]!r}: must be a number of seconds, from 1 to {_LONGEST_S}", 404)
        board = await run_in_threadpool(self._drawn, secrets.randbelow(_SEEDS))
        return HTMLResponse(_MAP.format(delay=int(delay), board=html.escape(board)))

    def _drawn(self, seed: int) -> str:
        protocol = self._lobby.protocol(self._lobby.rules.queue_protocol)
        seats = protocol.seats[1]
        options = self._lobby.config.plan(protocol, [""] * seats, {}).options
        setup = protocol.setup(seats, options, Chance(seed, "setup"))
        return click.unstyle(protocol.start(seats, options, setup, Chance(seed)).display().board())
