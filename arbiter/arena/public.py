"""The public pages of a contest day: what is played, what comes next, places, results and teams. Hidden results are not in them."""

from __future__ import annotations

import asyncio
import json
from time import monotonic

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.contest import ContestDay, as_scheduled
from arbiter.arena.day import Day
from arbiter.arena.desk import NOTICE
from arbiter.arena.hall import Hall
from arbiter.arena.results import GameFacts
from arbiter.arena.store import Status
from arbiter.web.drawings import STATIC

_FRESH_S = 1.0
"""Many spectators share one look at the games."""
_RESULTS = 1000
_STATES: tuple[Status, ...] = ("waiting", "playing", "finished", "aborted")


class Public:
    """The routes of the public pages."""

    def __init__(self, hall: Hall, day: Day, results: GameFacts, title: str) -> None:
        self._hall, self._day, self._results, self._title = hall, day, results, title
        self._made_s, self._made = 0.0, b""
        self._lock = asyncio.Lock()

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/", self.page),
            Route("/team", self.page),
            Route("/wall", self.wall),
            Route("/data/arena", self.data),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page of the day, or that of a team: the address says which."""
        return FileResponse(STATIC / "arena.html")

    async def wall(self, _: Request) -> Response:
        """Send the screen for the hall: that of the viewer, which also shows what comes next and the notice."""
        page = (STATIC / "wall.html").read_text(encoding="utf-8")
        return HTMLResponse(page.replace('<body class="wall">', '<body class="wall" data-arena="yes">'))

    async def data(self, _: Request) -> Response:
        """Send what the pages show."""
        async with self._lock:
            if not self._made or monotonic() - self._made_s > _FRESH_S:
                found = await run_in_threadpool(self._data)
                self._made, self._made_s = json.dumps(found).encode(), monotonic()
        return Response(self._made, media_type="application/json")

    def _data(self) -> dict[str, object]:
        hall, day = self._hall, self._day.contest
        rows = hall.store.games(["official", "queue"], _STATES, most=_RESULTS)
        hidden = hall.making.hide_results
        games = []
        for row in rows:
            shown = not hall.making.hides(row)
            games.append({**self._results.facts(row, outcome=shown), "shown": shown})
        return {
            "title": self._day.title or self._title,
            "game": hall.protocol(hall.rules.queue_protocol).title,
            "notice": hall.store.fact(NOTICE),
            "paused": hall.starting.paused,
            "hidden": hidden,
            "uploads": hall.rules.uploads,
            "games": games,
            "standings": day.standings() if day and not hidden else None,
            "contest": self._rounds(day, hidden=hidden) if day else None,
            "teams": hall.store.teams(),
            "network": self._network(),
        }

    def _network(self) -> dict[str, object]:
        """Return what is added to time limits for the network, and how far away each team was when it joined last."""
        making, trips = self._hall.making, dict(self._hall.round_trips_us)
        return {
            "allowance_ms": making.allowance_ns / 1e6,
            "by_round_trip": making.by_round_trip,
            "teams": {
                team: {"round_trip_ms": trip_us / 1000, "allowance_ms": making.allowance_for(trip_us) / 1e6}
                for team, trip_us in trips.items()
            },
        }

    def _rounds(self, day: ContestDay, *, hidden: bool) -> dict[str, object]:
        """Return the rounds known so far. Who plays in the next one follows from results, so a hidden draw is left out."""
        progress = day.progress()
        rows = self._hall.store.games(["official"], _STATES, most=100_000)
        ids = {as_scheduled(row): row.id for row in reversed(rows) if row.status != "aborted"}
        stages = [
            {
                "name": stage.name,
                "games": [
                    {"seats": list(game.seats), "id": ids.get(game, ""), "played": game in progress.played}
                    for game in stage.games
                    if game in ids or not hidden
                ],
            }
            for stage in progress.stages
        ]
        return {"stages": stages, "over": progress.current is None}
