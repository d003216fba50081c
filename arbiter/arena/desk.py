"""The organiser's page, and the calls behind it that the contest's own server does not have."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import Access, address_of
from arbiter.arena.contest import ContestDay
from arbiter.arena.day import Day
from arbiter.arena.export import write
from arbiter.arena.hall import Hall
from arbiter.arena.params import BadRequest, read_body, read_params, text_of
from arbiter.arena.registration import decoded, names_in, register_all
from arbiter.arena.results import Results
from arbiter.arena.sessions import check_origin
from arbiter.web.drawings import STATIC

_LONGEST_NOTICE = 300
_GAMES_SHOWN = 300
_LOG_SHOWN = 100
HIDE = "hide results"
NOTICE = "notice"


class Desk:
    """The routes of the organiser's page."""

    def __init__(self, hall: Hall, access: Access, day: Day, title: str) -> None:
        self._hall, self._access, self._day, self._title = hall, access, day, title
        self._results = Results(hall)

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        calls: list[tuple[str, Callable[[Request], Awaitable[Response]]]] = [
            ("/teams", self.register), ("/teams/key", self.new_key), ("/teams/upload", self.choose_upload),
            ("/pause", self.pause), ("/resume", self.resume), ("/notice", self.notice), ("/hide", self.hide),
        ]  # fmt: skip
        return [
            Route("/organiser", self.page),
            Route("/organiser/login", self.login, methods=["POST"]),
            Route("/organiser/logout", self.logout, methods=["POST"]),
            Route("/organiser/state", self.state),
            Route("/export", self.export),
            *(Route(path, handler, methods=["POST"]) for path, handler in calls),
        ]

    async def page(self, _: Request) -> Response:
        """Send the page, which has nothing on it before the login."""
        return FileResponse(STATIC / "organiser.html")

    async def login(self, request: Request) -> Response:
        """Open a session for whoever has the token."""
        check_origin(request)
        self._access.check_token(address_of(request), text_of(await read_params(request), "token"))
        response = JSONResponse({})
        self._access.sessions.open(request, response)
        self._hall.store.log(address_of(request), "logged in to the organiser's page")
        return response

    async def logout(self, request: Request) -> Response:
        """End the session."""
        self._access.organiser(request)
        response = JSONResponse({})
        self._access.sessions.close(request, response)
        return response

    async def state(self, request: Request) -> Response:
        """Send everything that the page shows."""
        self._access.organiser(request)
        shown = await asyncio.to_thread(self._state)
        secret = self._access.sessions.secret(request)
        return JSONResponse({**shown, "session": secret, "address": self._access.base(request.scope)})

    def _state(self) -> dict[str, object]:
        hall, day = self._hall, self._day.contest
        live = [game.row for game in list(hall.live.values()) if game.row.kind != "training"]
        over = hall.store.games(["official", "queue"], ["finished", "aborted"], most=_GAMES_SHOWN)
        training = sum(game.row.kind == "training" for game in list(hall.live.values()))
        return {
            "title": self._day.title or self._title,
            "paused": hall.paused,
            "hidden": hall.making.hide_results,
            "notice": hall.store.fact(NOTICE),
            "protocol": hall.rules.queue_protocol,
            "house": list(hall.making.workspace.agents(hall.rules.queue_protocol)),
            "seats": list(hall.protocol(hall.rules.queue_protocol).seats),
            "uploads": hall.rules.uploads,
            "training": training,
            "contest": _contest(day) if day else None,
            "standings": day.standings() if day else None,
            "teams": [self._team(name, at) for name, at in hall.store.registered()],
            "live": [self._results.facts(row, outcome=False) for row in live],
            "over": [self._results.facts(row) for row in over],
            "log": [{"at": at, "who": who, "what": what} for at, who, what in hall.store.log_lines(_LOG_SHOWN)],
        }

    def _team(self, name: str, at: str) -> dict[str, object]:
        day, store = self._day.contest, self._hall.store
        part = "" if day is None else "yes" if name in day.names else "next" if name in day.entering else "no"
        versions = [upload.version for upload in store.uploads(name) if not upload.problem]
        return {"name": name, "at": at, "takes_part": part, "versions": versions, "plays": store.chosen_upload(name)}

    # -- teams

    async def register(self, request: Request) -> Response:
        """Register the teams of a list, which is the body. Their keys are in the response, and nowhere else."""
        who = self._access.organiser(request)
        done = register_all(self._hall.store, names_in(decoded(await read_body(request))))
        for name in done.keys:
            self._hall.store.log(who, f"registered team {name!r}")
        keys = [{"name": name, "key": key} for name, key in done.keys.items()]
        return JSONResponse({"keys": keys, "known": done.known, "refused": done.refused})

    async def new_key(self, request: Request) -> Response:
        """Give a team another key."""
        who = self._access.organiser(request)
        name = text_of(await read_params(request), "name")
        key = self._hall.store.new_key(name)
        self._hall.store.log(who, f"gave team {name!r} a new key")
        return JSONResponse({"name": name, "key": key})

    async def choose_upload(self, request: Request) -> Response:
        """Set which version of a team's program plays."""
        who = self._access.organiser(request)
        params = await read_params(request)
        name, version = text_of(params, "name"), text_of(params, "version")
        if not version.isdecimal() or len(version) > 6:
            raise BadRequest(f"version {version[:40]!r}: must be a whole number")
        self._hall.store.choose_upload(name, int(version))
        self._hall.store.log(who, f"chose version {version} of team {name!r}")
        return JSONResponse({"name": name, "plays": int(version)})

    # -- the day

    async def pause(self, request: Request) -> Response:
        """Start no more official games."""
        who = self._access.organiser(request)
        self._hall.pause()
        self._hall.store.log(who, "paused")
        return JSONResponse({"paused": True})

    async def resume(self, request: Request) -> Response:
        """End the pause."""
        who = self._access.organiser(request)
        self._hall.resume()
        self._hall.store.log(who, "ended the pause")
        return JSONResponse({"paused": False})

    async def notice(self, request: Request) -> Response:
        """Show a line on all public pages; none if it is empty."""
        who = self._access.organiser(request)
        text = " ".join(text_of(await read_params(request), "text").split())[:_LONGEST_NOTICE]
        self._hall.store.set_fact(NOTICE, text)
        self._hall.store.log(who, f"notice: {text}" if text else "took the notice away")
        return JSONResponse({"notice": text})

    async def hide(self, request: Request) -> Response:
        """Hide the results of official games from now on, until they are published."""
        who = self._access.organiser(request)
        self._hall.use(replace(self._hall.making, hide_results=True))
        self._hall.store.set_fact(HIDE, "yes")
        self._hall.store.log(who, "hid results from now on")
        return JSONResponse({"hidden": True})

    async def export(self, request: Request) -> Response:
        """Send everything as one archive."""
        who = self._access.organiser(request)
        path = await asyncio.to_thread(write, self._hall, self._day)
        self._hall.store.log(who, "exported everything")
        name = f"arena-{datetime.now(UTC):%Y-%m-%d-%H%M}.zip"
        return FileResponse(
            path, media_type="application/zip", filename=name, background=BackgroundTask(Path.unlink, path)
        )


def _contest(day: ContestDay) -> dict[str, object]:
    progress = day.progress()
    stages = [
        {"name": stage.name, "games": len(stage.games), "played": sum(game in progress.played for game in stage.games)}
        for stage in progress.stages
    ]
    current = progress.current
    return {
        "name": day.contest.definition.name,
        "kind": day.contest.schedule.kind,
        "stages": stages,
        "over": current is None,
        "current": current.name if current else "",
        "entering": day.entering,
    }
