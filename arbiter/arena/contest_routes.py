"""The contest's endpoints: match file, rounds, teams, standings and schedule."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from arbiter.arena.access import Authentication
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, read_body, read_params, text_of
from arbiter.arena.seats import seat_name
from arbiter.contest.formats.html import html
from arbiter.web.page_files import html_page


class ContestRoutes:
    """The routes of the contest."""

    def __init__(self, current: CurrentContest, lobby: Lobby, access: Authentication) -> None:
        self._current, self._lobby, self._access = current, lobby, access

    def routes(self) -> list[Route]:
        """Return the routes."""
        checked = self._access.organiser_only
        return [
            Route("/contest", checked(self.upload), methods=["POST"]),
            Route("/contest/teams", checked(self.add), methods=["POST"]),
            Route("/rounds", checked(self.open_round), methods=["POST"]),
            Route("/standings", self.standings),
            Route("/schedule", self.schedule),
            Route("/report", self.report),
        ]

    def _contest(self) -> ArenaContest:
        if self._current.contest is None:
            raise BadRequest("there is no contest yet; upload a match file first", 404)
        return self._current.contest

    async def upload(self, request: Request) -> Response:
        """Begin the contest of a match file, which is the body."""
        contest = await self._current.upload((await read_body(request)).decode(errors="replace"))
        self._access.log(request, f"uploaded the match file of {contest.name!r}")
        return JSONResponse({"name": contest.name, "agents": list(contest.contest.names)})

    async def add(self, request: Request) -> Response:
        """Add a late team."""
        team = text_of(await read_params(request), "name")
        at_once = await asyncio.to_thread(self._contest().add, team)
        self._access.log(request, f"added team {team!r} to the contest{'' if at_once else ', from the next round on'}")
        return JSONResponse({"name": team, "at_once": at_once})

    async def open_round(self, request: Request) -> Response:
        """Create the games of the next round."""
        stage, games = await self._contest().open_round()
        self._access.log(request, f"opened {stage or 'a round'} with {len(games)} games")
        return JSONResponse({"stage": stage, "games": games})

    async def standings(self, request: Request) -> Response:
        """Send the standings; only to the organiser while results are hidden. A browser gets the page."""
        if _is_browser(request):
            return html_page("arena.html")
        if self._lobby.config.hide_results:
            self._access.organiser(request)
        return JSONResponse(msgspec.to_builtins(await asyncio.to_thread(self._contest().standings)))

    async def report(self, request: Request) -> Response:
        """Send the report of the contest; only to the organiser while results are hidden."""
        if self._lobby.config.hide_results:
            self._access.organiser(request)
        page = await asyncio.to_thread(self._report)
        return HTMLResponse(page, headers={"content-security-policy": "sandbox allow-scripts"})

    def _report(self) -> str:
        contest = self._contest()
        rows = self._lobby.store.games(["official"], ["finished"], most=100_000)
        pages = {row.number: f"/{row.id}" for row in rows if row.contest == contest.name}
        report = contest.report()
        games = [msgspec.structs.replace(game, page=pages.get(game.number, "/")) for game in report.games]
        return html(msgspec.structs.replace(report, games=games))

    async def schedule(self, request: Request) -> Response:
        """Send the games that are waiting for teams or being played. A browser gets the page."""
        if _is_browser(request):
            return html_page("arena.html")
        rows = [game.row for game in self._lobby.live.values() if game.row.kind == "official"]
        return JSONResponse(
            [
                {"id": row.id, "stage": row.category, "seats": list(map(seat_name, row.seats)), "status": row.status}
                for row in rows
            ]
        )


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "").lower()
