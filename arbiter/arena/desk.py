"""The organiser's page, and the calls behind it that the contest's own server does not have."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import Authentication, OrganisersHandler, address_of
from arbiter.arena.contest import ContestDay
from arbiter.arena.day import Day
from arbiter.arena.export import write_export
from arbiter.arena.hall import Hall
from arbiter.arena.hiding import hide, publish, stop_hiding
from arbiter.arena.params import BadRequest, read_body, read_params, text_of
from arbiter.arena.registration import names_in, register_all, spreadsheet_text
from arbiter.arena.results import GameFacts
from arbiter.arena.sessions import check_origin
from arbiter.web.drawings import STATIC

_LONGEST_NOTICE = 300
_GAMES_SHOWN = 300
_LOG_SHOWN = 100
NOTICE = "notice"
"""A fact of the store: the line on all public pages."""


class Desk:
    """The routes of the organiser's page."""

    def __init__(self, hall: Hall, access: Authentication, day: Day, results: GameFacts, title: str) -> None:
        self._hall, self._access, self._day, self._results, self._title = hall, access, day, results, title

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        calls: list[tuple[str, OrganisersHandler]] = [
            ("/teams", self.register), ("/teams/key", self.new_key), ("/teams/upload", self.choose_upload),
            ("/pause", self.pause), ("/resume", self.resume), ("/notice", self.notice),
            ("/hide", self.hide), ("/publish", self.publish), ("/organiser/logout", self.logout),
        ]  # fmt: skip
        checked = self._access.organised
        return [
            Route("/organiser", self.page),
            Route("/organiser/login", self.login, methods=["POST"]),
            Route("/organiser/state", checked(self.state)),
            Route("/export", checked(self.export)),
            *(Route(path, checked(handler), methods=["POST"]) for path, handler in calls),
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
        hall, day = self._hall, self._day.contest
        live = [game.row for game in list(hall.live.values()) if game.row.kind != "training"]
        over = hall.store.games(["official", "queue"], ["finished", "aborted"], most=_GAMES_SHOWN)
        training = sum(game.row.kind == "training" for game in list(hall.live.values()))
        return {
            "title": self._day.title or self._title,
            "paused": hall.starting.paused,
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
        done = register_all(self._hall.store, names_in(spreadsheet_text(await read_body(request))))
        for name in done.keys:
            self._access.log(request, f"registered team {name!r}")
        keys = [{"name": name, "key": key} for name, key in done.keys.items()]
        return JSONResponse({"keys": keys, "known": done.known, "refused": done.refused})

    async def new_key(self, request: Request) -> Response:
        """Give a team another key."""
        name = text_of(await read_params(request), "name")
        key = self._hall.store.new_key(name)
        self._access.log(request, f"gave team {name!r} a new key")
        return JSONResponse({"name": name, "key": key})

    async def choose_upload(self, request: Request) -> Response:
        """Set which version of a team's program plays."""
        params = await read_params(request)
        name, version = text_of(params, "name"), text_of(params, "version")
        if not version.isdecimal() or len(version) > 6:
            raise BadRequest(f"version {version[:40]!r}: must be a whole number")
        self._hall.store.choose_upload(name, int(version))
        self._access.log(request, f"chose version {version} of team {name!r}")
        return JSONResponse({"name": name, "plays": int(version)})

    # -- the day

    async def pause(self, request: Request) -> Response:
        """Start no more official games."""
        self._hall.starting.pause()
        self._access.log(request, "paused")
        return JSONResponse({"paused": True})

    async def resume(self, request: Request) -> Response:
        """End the pause."""
        self._hall.starting.resume()
        self._access.log(request, "ended the pause")
        return JSONResponse({"paused": False})

    async def notice(self, request: Request) -> Response:
        """Show a line on all public pages; none if it is empty."""
        text = " ".join(text_of(await read_params(request), "text").split())[:_LONGEST_NOTICE]
        self._hall.store.set_fact(NOTICE, text)
        self._access.log(request, f"notice: {text}" if text else "took the notice away")
        return JSONResponse({"notice": text})

    async def hide(self, request: Request) -> Response:
        """Hide the official games that start from now on, until they are published."""
        hide(self._hall)
        self._access.log(request, "hid results from now on")
        return JSONResponse({"hidden": True})

    async def publish(self, request: Request) -> Response:
        """Show the games that are over and have been hidden so far; with ``stop=yes``, those to come as well."""
        if text_of(await read_params(request), "stop") == "yes":
            stop_hiding(self._hall)
        shown = publish(self._hall)
        self._access.log(request, f"published {len(shown)} games")
        return JSONResponse(shown)

    async def export(self, request: Request) -> Response:
        """Send everything as one archive."""
        path = await asyncio.to_thread(write_export, self._hall, self._day, self._results)
        self._access.log(request, "exported everything")
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
