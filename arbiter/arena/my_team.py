"""A team's own page: registration by invitation, the connection of its program, its games with faults and times, and a self-test.

A team sends its key with every request. Uploads, which are on the same page, are in :mod:`arbiter.arena.uploads`.
"""

from __future__ import annotations

import asyncio
import hmac

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import INVITATION, Authentication, address_of
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, json_refusal, read_params, refusing_with, text_of
from arbiter.arena.registration import MOST_TEAMS
from arbiter.arena.results import GameFacts
from arbiter.arena.seats import seat_name, team_of
from arbiter.arena.store import GameRow
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.web.page_files import html_page

_GAMES = 100


class MyTeam:
    """The routes of the page."""

    def __init__(self, lobby: Lobby, access: Authentication, results: GameFacts) -> None:
        self._lobby, self._access, self._results = lobby, access, results

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/my", self.page),
            Route("/my/register", refusing_with(self.register, json_refusal), methods=["POST"]),
            Route("/my/team", refusing_with(self.team, json_refusal)),
            Route("/my/games/{game}", refusing_with(self.answers, json_refusal)),
            Route("/my/test", refusing_with(self.test, json_refusal), methods=["POST"]),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page, which is empty until a key is given."""
        return html_page("my.html")

    async def register(self, request: Request) -> Response:
        """Register a team with the code of the organiser's invitation; its key is sent once."""
        params, store = await read_params(request), self._lobby.store
        code, name = store.setting(INVITATION), text_of(params, "name")
        if not code or not hmac.compare_digest(text_of(params, "invitation").encode(), code.encode()):
            self._access.spend_failure(address_of(request))
            raise BadRequest("this invitation is not valid any more; ask the organiser for a new one", 403)
        if len(store.teams()) >= MOST_TEAMS:
            raise BadRequest(f"there are {MOST_TEAMS} teams, which is the limit", 429)
        key = store.register(name)
        self._access.log(request, f"team {name!r} registered itself")
        return JSONResponse({"name": name, "key": key})

    async def team(self, request: Request) -> Response:
        """Send what the page shows."""
        team = await self._access.team_on_page(request)
        return JSONResponse(await asyncio.to_thread(self._facts, team))

    def _facts(self, team: str) -> dict[str, object]:
        rows = self._lobby.store.games_of(team, _GAMES)
        return {
            "team": team,
            "connection": self._lobby.connection_of(team),
            "uploads": self._lobby.config.uploads,
            "games": [self._game(row, team) for row in rows],
        }

    def _game(self, row: GameRow, team: str) -> dict[str, object]:
        shown = not self._lobby.config.hides(row)
        facts = {**self._results.facts(row, outcome=shown), "shown": shown, "category": row.category}
        game, seat = self._results.summary(row) if shown else None, _seat_of(row, team)
        if game and game.answers[seat]:
            facts["times_ms"] = [game.think_us[seat] / game.answers[seat] / 1000, game.slowest_us[seat] / 1000]
        return {**facts, "seat": seat}

    async def answers(self, request: Request) -> Response:
        """Send the answers of the team in one game, with faults and what was seen of their causes; of a training game also while
        it is played."""
        team = await self._access.team_on_page(request)
        row = self._lobby.store.game(request.path_params["game"])
        if row is None or team not in map(team_of, row.seats):
            raise BadRequest("your team has not played this game", 404)
        if not row.record or self._lobby.config.hides(row) or (row.status == "playing" and row.kind != "training"):
            raise BadRequest("this game is not over, or not shown yet", 409)
        return JSONResponse(await asyncio.to_thread(self._answers, row, _seat_of(row, team)))

    def _answers(self, row: GameRow, seat: int) -> list[dict[str, object]]:
        try:
            record = load_record(self._lobby.config.records / row.record)
        except UserError:
            raise BadRequest("the record of this game cannot be read", 404) from None
        return [
            {
                "turn": line.turn,
                "move": line.move,
                "charged_ms": line.charged_us / 1000,
                "fault": f"{line.fault.kind}: {line.fault.detail}" if line.fault else "",
                "said": line.fault.said if line.fault else "",
                "notes": line.notes,
            }
            for line in record.answers
            if line.seat == seat
        ]

    async def test(self, request: Request) -> Response:
        """Create a training game that the team's program gets when it joins next, by whatever call."""
        team = await self._access.team_on_page(request)
        game = await self._lobby.create_test(team)
        return JSONResponse({"game": game.row.id})


def _seat_of(row: GameRow, team: str) -> int:
    return list(map(seat_name, row.seats)).index(team)
