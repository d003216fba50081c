"""The public pages of a contest: current and next games, standings, results and teams. Hidden results are left out."""

from __future__ import annotations

import asyncio
import json
from time import monotonic

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import Authentication
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.organiser_page import NOTICE
from arbiter.arena.params import BadRequest
from arbiter.arena.results import GameFacts
from arbiter.arena.seats import seat_name
from arbiter.arena.store import Status
from arbiter.contest.formats.html import html
from arbiter.contest.statistics.standing import page_table
from arbiter.web.drawings import STATIC
from arbiter.web.page_files import html_page

_FRESH_S = 1.0
"""How long the data is cached for all spectators."""
_RESULTS = 1000
_STATES: tuple[Status, ...] = ("waiting", "playing", "finished", "aborted")


class PublicPages:
    """The routes of the public pages."""

    def __init__(
        self, lobby: Lobby, access: Authentication, current: CurrentContest, results: GameFacts, title: str
    ) -> None:
        self._lobby, self._access, self._current, self._results, self._title = lobby, access, current, results, title
        self._made_s, self._made = 0.0, b""
        self._lock = asyncio.Lock()

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/", self.page),
            Route("/team", self.page),
            Route("/wall", self.wall),
            Route("/newest", self.newest),
            Route("/data/arena", self.data),
            Route("/standings", self.standings),
            Route("/schedule", self.schedule),
            Route("/report", self.report),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page of the contest or of a team, depending on the path."""
        return html_page("arena.html")

    async def wall(self, _: Request) -> Response:
        """Send the page for a projector: that of the viewer, which here also shows the next games and the notice."""
        page = (STATIC / "wall.html").read_text(encoding="utf-8")
        return HTMLResponse(page.replace('<body class="wall">', '<body class="wall" data-arena="yes">'))

    async def newest(self, _: Request) -> Response:
        """Redirect to the newest game that has started, or else the newest waiting one; not to training. Raises BadRequest."""
        rows = self._lobby.store.games(["official", "queue"], ["playing", "finished"], most=1)
        rows = rows or self._lobby.store.games(["official", "queue"], ["waiting"], most=1)
        if not rows:
            raise BadRequest("No game has been created yet", 404)
        return RedirectResponse(f"/{rows[0].id}", 303)

    async def standings(self, request: Request) -> Response:
        """Send the standings; only to the organiser while results are hidden. A browser gets the page."""
        if _is_browser(request):
            return html_page("arena.html")
        if self._lobby.config.hide_results:
            self._access.organiser(request)
        return JSONResponse(msgspec.to_builtins(await run_in_threadpool(self._current.existing.standings)))

    async def schedule(self, request: Request) -> Response:
        """Send the games that are waiting for teams or being played. A browser gets the page."""
        if _is_browser(request):
            return html_page("arena.html")
        rows = [game.row for game in self._lobby.live.values() if game.row.kind == "official"]
        found = [
            {"id": row.id, "stage": row.category, "seats": list(map(seat_name, row.seats)), "status": row.status}
            for row in rows
        ]
        return JSONResponse(found)

    async def report(self, request: Request) -> Response:
        """Send the report of the contest; only to the organiser while results are hidden."""
        if self._lobby.config.hide_results:
            self._access.organiser(request)
        page = await run_in_threadpool(self._report)
        return HTMLResponse(page, headers={"content-security-policy": "sandbox allow-scripts"})

    def _report(self) -> str:
        contest = self._current.existing
        rows = self._lobby.store.games(["official"], ["finished"], most=100_000)
        pages = {row.number: f"/{row.id}" for row in rows if row.contest == contest.name}
        report = contest.report()
        games = [msgspec.structs.replace(game, page=pages.get(game.number, "/")) for game in report.games]
        return html(msgspec.structs.replace(report, games=games))

    async def data(self, _: Request) -> Response:
        """Send what the pages show."""
        async with self._lock:
            if not self._made or monotonic() - self._made_s > _FRESH_S:
                found = await run_in_threadpool(self._data)
                self._made, self._made_s = json.dumps(found).encode(), monotonic()
        return Response(self._made, media_type="application/json")

    def _data(self) -> dict[str, object]:
        lobby, contest = self._lobby, self._current.contest
        rows = lobby.store.games(["official", "queue"], _STATES, most=_RESULTS)
        hidden = lobby.config.hide_results
        games = []
        for row in rows:
            shown = not lobby.config.hides(row)
            games.append({**self._results.facts(row, outcome=shown), "shown": shown})
        return {
            "title": self._current.title or self._title,
            "game": lobby.protocol(lobby.config.queue_protocol).title,
            "notice": lobby.store.setting(NOTICE),
            "paused": lobby.starter.paused,
            "hidden": hidden,
            "games": games,
            "standings": page_table(contest.standings(), "arena") if contest and not hidden else None,
            "wall": page_table(contest.standings(), "wall") if contest and not hidden else None,
            "bracket": msgspec.to_builtins(contest.report().bracket) if contest and not hidden else [],
            "contest": self._rounds(contest, hidden=hidden) if contest else None,
            "teams": lobby.store.teams(),
            "network": self._network(),
        }

    def _network(self) -> dict[str, object]:
        """Return the network allowance, and the round trip of each team when it last joined."""
        config, trips = self._lobby.config, dict(self._lobby.round_trips_us)
        return {
            "allowance_ms": config.allowance_ns / 1e6,
            "by_round_trip": config.by_round_trip,
            "teams": {
                team: {"round_trip_ms": trip_us / 1000, "allowance_ms": config.allowance_for(trip_us) / 1e6}
                for team, trip_us in trips.items()
            },
        }

    def _rounds(self, contest: ArenaContest, *, hidden: bool) -> dict[str, object]:
        """Return the rounds known so far. While results are hidden, games not created yet are left out: they reveal results."""
        rows = self._lobby.store.games(["official"], _STATES, most=100_000)
        own = [row for row in reversed(rows) if row.contest == contest.name and row.status != "aborted"]
        ids = {row.number: row.id for row in own}
        stages = [
            {
                "name": stage.name,
                "games": [
                    {
                        "seats": list(game.seats),
                        "id": ids.get(contest.number(game), ""),
                        "played": contest.is_played(game),
                    }
                    for game in stage.games
                    if contest.number(game) in ids or not hidden
                ],
            }
            for stage in contest.stages()
        ]
        return {"stages": stages, "over": contest.over}


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "").lower()
