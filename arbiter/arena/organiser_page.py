"""The organiser's page, and the endpoints behind it that the contest's original server does not have."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import Authentication, Handler, address_of
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.export import write_export
from arbiter.arena.hiding import hide, publish, stop_hiding
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, read_body, read_params, text_of
from arbiter.arena.registration import names_in, register_all, spreadsheet_text
from arbiter.arena.results import GameFacts
from arbiter.arena.sessions import check_origin
from arbiter.contest.statistics.standing import page_table
from arbiter.web.page_files import html_page

_LONGEST_NOTICE = 300
_GAMES_SHOWN = 300
_LOG_SHOWN = 100
NOTICE = "notice"
"""The key in the store of the line that is shown on all public pages."""


class OrganiserPage:
    """The routes of the organiser's page."""

    def __init__(
        self, lobby: Lobby, access: Authentication, current: CurrentContest, results: GameFacts, title: str
    ) -> None:
        self._lobby, self._access, self._current, self._results, self._title = lobby, access, current, results, title

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        calls: list[tuple[str, Handler]] = [
            ("/teams", self.register), ("/teams/key", self.new_key), ("/teams/upload", self.choose_upload),
            ("/pause", self.pause), ("/resume", self.resume), ("/notice", self.notice),
            ("/hide", self.hide), ("/publish", self.publish), ("/organiser/logout", self.logout),
        ]  # fmt: skip
        checked = self._access.organiser_only
        return [
            Route("/organiser", self.page),
            Route("/organiser/login", self.login, methods=["POST"]),
            Route("/organiser/state", checked(self.state)),
            Route("/export", checked(self.export)),
            *(Route(path, checked(handler), methods=["POST"]) for path, handler in calls),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page, which is empty until the organiser logs in."""
        return html_page("organiser.html")

    async def login(self, request: Request) -> Response:
        """Open a session, given the organiser's token."""
        check_origin(request)
        self._access.check_token(address_of(request), text_of(await read_params(request), "token"))
        response = JSONResponse({})
        self._access.sessions.open(request, response)
        self._access.log(request, "logged in to the organiser's page")
        return response

    async def logout(self, request: Request) -> Response:
        """End the session."""
        response = JSONResponse({})
        self._access.sessions.close(request, response)
        return response

    async def state(self, request: Request) -> Response:
        """Send everything that the page shows."""
        shown = await asyncio.to_thread(self._state)
        secret = self._access.sessions.secret(request)
        return JSONResponse({**shown, "session": secret, "address": self._access.base(request.scope)})

    def _state(self) -> dict[str, object]:
        lobby, contest = self._lobby, self._current.contest
        live = [game.row for game in list(lobby.live.values()) if game.row.kind != "training"]
        over = lobby.store.games(["official", "queue"], ["finished", "aborted"], most=_GAMES_SHOWN)
        training = sum(game.row.kind == "training" for game in list(lobby.live.values()))
        return {
            "title": self._current.title or self._title,
            "paused": lobby.starter.paused,
            "hidden": lobby.config.hide_results,
            "notice": lobby.store.setting(NOTICE),
            "protocol": lobby.rules.queue_protocol,
            "house": list(lobby.config.workspace.agents(lobby.rules.queue_protocol)),
            "seats": list(lobby.protocol(lobby.rules.queue_protocol).seats),
            "uploads": lobby.rules.uploads,
            "training": training,
            "contest": _contest(contest) if contest else None,
            "standings": page_table(contest.standings(), "arena") if contest else None,
            "teams": [self._team(name, at) for name, at in lobby.store.registered()],
            "live": [self._results.facts(row, outcome=False) for row in live],
            "over": [self._results.facts(row) for row in over],
            "log": [{"at": at, "who": who, "what": what} for at, who, what in lobby.store.log_lines(_LOG_SHOWN)],
        }

    def _team(self, name: str, at: str) -> dict[str, object]:
        contest, store = self._current.contest, self._lobby.store
        part = (
            "" if contest is None else "yes" if name in contest.teams else "next" if name in contest.entering else "no"
        )
        versions = [upload.version for upload in store.uploads(name) if not upload.problem]
        return {"name": name, "at": at, "takes_part": part, "versions": versions, "plays": store.chosen_upload(name)}

    # -- teams

    async def register(self, request: Request) -> Response:
        """Register the teams listed in the body. Their keys are sent in the response and are not stored."""
        done = register_all(self._lobby.store, names_in(spreadsheet_text(await read_body(request))))
        for name in done.keys:
            self._access.log(request, f"registered team {name!r}")
        keys = [{"name": name, "key": key} for name, key in done.keys.items()]
        return JSONResponse({"keys": keys, "known": done.known, "refused": done.refused})

    async def new_key(self, request: Request) -> Response:
        """Give a team a new key."""
        name = text_of(await read_params(request), "name")
        key = self._lobby.store.new_key(name)
        self._access.log(request, f"gave team {name!r} a new key")
        return JSONResponse({"name": name, "key": key})

    async def choose_upload(self, request: Request) -> Response:
        """Set which version of a team's program plays."""
        params = await read_params(request)
        name, version = text_of(params, "name"), text_of(params, "version")
        if not version.isdecimal() or len(version) > 6:
            raise BadRequest(f"version {version[:40]!r}: must be a whole number")
        self._lobby.store.choose_upload(name, int(version))
        self._access.log(request, f"chose version {version} of team {name!r}")
        return JSONResponse({"name": name, "plays": int(version)})

    # -- running the contest

    async def pause(self, request: Request) -> Response:
        """Start no more official games."""
        self._lobby.starter.pause()
        self._access.log(request, "paused")
        return JSONResponse({"paused": True})

    async def resume(self, request: Request) -> Response:
        """End the pause."""
        self._lobby.starter.resume()
        self._access.log(request, "ended the pause")
        return JSONResponse({"paused": False})

    async def notice(self, request: Request) -> Response:
        """Set the line that is shown on all public pages; an empty one removes it."""
        text = " ".join(text_of(await read_params(request), "text").split())[:_LONGEST_NOTICE]
        self._lobby.store.set_setting(NOTICE, text)
        self._access.log(request, f"notice: {text}" if text else "removed the notice")
        return JSONResponse({"notice": text})

    async def hide(self, request: Request) -> Response:
        """Hide the official games that start from now on, until they are published."""
        hide(self._lobby)
        self._access.log(request, "hid results from now on")
        return JSONResponse({"hidden": True})

    async def publish(self, request: Request) -> Response:
        """Publish the finished games that are hidden; with ``stop=yes``, hide no more games."""
        if text_of(await read_params(request), "stop") == "yes":
            stop_hiding(self._lobby)
        shown = publish(self._lobby)
        self._access.log(request, f"published {len(shown)} games")
        return JSONResponse(shown)

    async def export(self, request: Request) -> Response:
        """Send everything as one archive."""
        path = await asyncio.to_thread(write_export, self._lobby, self._current, self._results)
        self._access.log(request, "exported everything")
        name = f"arena-{datetime.now(UTC):%Y-%m-%d-%H%M}.zip"
        return FileResponse(
            path, media_type="application/zip", filename=name, background=BackgroundTask(Path.unlink, path)
        )


def _contest(contest: ArenaContest) -> dict[str, object]:
    stages = [
        {"name": stage.name, "games": len(stage.games), "played": sum(map(contest.is_played, stage.games))}
        for stage in contest.stages()
    ]
    return {
        "name": contest.name,
        "kind": contest.contest.schedule.kind,
        "stages": stages,
        "over": contest.over,
        "running": contest.running,
        "problem": contest.problem,
        "entering": contest.entering,
    }
