"""The pages of the contest's own server, at the addresses that people know them by."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.hall import Hall
from arbiter.arena.params import BadRequest


class ContestPages:
    """The routes of those pages; each leads to the page of ours that has the same."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [Route("/tv", self.newest), Route("/ai", self.teams), Route("/ai/{team}", self.team)]

    async def newest(self, _: Request) -> Response:
        """Go to the newest game that is not a training game, one that has started if there is any. Raises BadRequest."""
        rows = self._hall.store.games(["official", "queue"], ["playing", "finished"], most=1)
        rows = rows or self._hall.store.games(["official", "queue"], ["waiting"], most=1)
        if not rows:
            raise BadRequest("No game has been created yet", 404)
        return RedirectResponse(f"/{rows[0].id}", 303)

    async def teams(self, _: Request) -> Response:
        """Go to the page with the teams."""
        return RedirectResponse("/", 303)

    async def team(self, request: Request) -> Response:
        """Go to the page of a team. Raises BadRequest."""
        team = request.path_params["team"]
        if team not in self._hall.store.teams():
            raise BadRequest(f"Unknown team {team[:40]}", 404)
        return RedirectResponse(f"/team?{urlencode({'name': team})}", 303)
