"""The calls about the contest: its match file, its rounds, its teams, its standings."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from arbiter.arena.access import Authentication
from arbiter.arena.contest import ContestDay
from arbiter.arena.day import Day
from arbiter.arena.hall import Hall
from arbiter.arena.params import BadRequest, read_body, read_params, text_of
from arbiter.arena.seats import seat_name
from arbiter.web.drawings import STATIC


class ContestRoutes:
    """The calls about the contest."""

    def __init__(self, day: Day, hall: Hall, access: Authentication) -> None:
        self._day, self._hall, self._access = day, hall, access

    def routes(self) -> list[Route]:
        """Return the routes."""
        checked = self._access.organised
        return [
            Route("/contest", checked(self.give), methods=["POST"]),
            Route("/contest/teams", checked(self.add), methods=["POST"]),
            Route("/rounds", checked(self.open_round), methods=["POST"]),
            Route("/standings", self.standings),
            Route("/schedule", self.schedule),
        ]

    def _contest(self) -> ContestDay:
        if self._day.contest is None:
            raise BadRequest("there is no contest yet: give the arena a match file", 404)
        return self._day.contest

    async def give(self, request: Request) -> Response:
        """Take a match file, which is the body."""
        contest = await self._day.give((await read_body(request)).decode(errors="replace"))
        self._access.log(request, f"gave the match file of {contest.contest.definition.name!r}")
        return JSONResponse({"name": contest.contest.definition.name, "agents": list(contest.names)})

    async def add(self, request: Request) -> Response:
        """Add a late team."""
        team = text_of(await read_params(request), "name")
        at_once = await self._contest().add(team)
        self._access.log(request, f"added team {team!r} to the contest{'' if at_once else ', from the next round on'}")
        return JSONResponse({"name": team, "at_once": at_once})

    async def open_round(self, request: Request) -> Response:
        """Create the games of the next round."""
        stage, games = await self._contest().open_round()
        self._access.log(request, f"opened {stage or 'a round'} with {len(games)} games")
        return JSONResponse({"stage": stage, "games": games})

    async def standings(self, request: Request) -> Response:
        """Send the places; only to the organiser if results are hidden. A browser gets the page."""
        if _is_browser(request):
            return FileResponse(STATIC / "arena.html")
        if self._hall.making.hide_results:
            self._access.organiser(request)
        return JSONResponse(await asyncio.to_thread(self._contest().standings))

    async def schedule(self, request: Request) -> Response:
        """Send the games that wait for their teams or are being played. A browser gets the page."""
        if _is_browser(request):
            return FileResponse(STATIC / "arena.html")
        rows = [game.row for game in self._hall.live.values() if game.row.kind == "official"]
        return JSONResponse(
            [
                {"id": row.id, "stage": row.category, "seats": list(map(seat_name, row.seats)), "status": row.status}
                for row in rows
            ]
        )


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "").lower()
