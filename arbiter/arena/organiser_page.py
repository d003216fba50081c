"""The organiser's page, and the calls behind it: teams, rounds, pauses, notices, hidden results, export."""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import INVITATION, Authentication, Told, address_of
from arbiter.arena.config import ENDED, SHOWN
from arbiter.arena.contest import ArenaContest
from arbiter.arena.current_contest import CurrentContest
from arbiter.arena.export import write_export
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, Params, read_body, read_params, text_of
from arbiter.arena.registration import names_in, register_all, spreadsheet_text
from arbiter.arena.results import GameFacts
from arbiter.arena.sessions import check_origin
from arbiter.arena.upload_files import version_folder
from arbiter.contest.statistics.standing import page_table
from arbiter.web.page_files import html_page

_LONGEST_NOTICE = 300
_GAMES_SHOWN = 300
_LOG_SHOWN = 100
NOTICE = "notice"
"""The key in the store of the line that is shown on all public pages."""
HIDE = "hide results"
"""The key in the store of whether official games are hidden when they start."""


class OrganiserPage:
    """The routes of the organiser's page."""

    def __init__(
        self, lobby: Lobby, access: Authentication, current: CurrentContest, results: GameFacts, title: str
    ) -> None:
        self._lobby, self._access, self._current, self._results, self._title = lobby, access, current, results, title

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        calls: dict[str, Callable[[Params], Awaitable[Told]]] = {
            "/register": self.register, "/teams/key": self.new_key, "/teams/rename": self.rename,
            "/teams/withdraw": self.withdraw, "/teams/delete": self.delete, "/teams/upload": self.choose_upload,
            "/invitation": self.invite, "/contest/teams": self.add, "/rounds": self.open_round, "/pause": self.pause,
            "/resume": self.resume, "/notice": self.notice, "/hide": self.hide, "/publish": self.publish,
        }  # fmt: skip
        checked, call = self._access.organiser_only, self._access.organiser_call
        return [
            Route("/organiser", self.page),
            Route("/organiser/login", self.login, methods=["POST"]),
            Route("/organiser/logout", checked(self.logout), methods=["POST"]),
            Route("/organiser/state", checked(self.state)),
            Route("/teams", checked(self.teams)),
            Route("/log", checked(self.log)),
            Route("/export", checked(self.export)),
            Route("/teams", checked(self.register_all), methods=["POST"]),
            Route("/contest", checked(self.upload_contest), methods=["POST"]),
            *(Route(path, call(work), methods=["POST"]) for path, work in calls.items()),
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
        """End all sessions."""
        response = JSONResponse({})
        self._access.sessions.close(response)
        return response

    async def state(self, request: Request) -> Response:
        """Send everything that the page shows."""
        address = self._access.base(request.scope)
        shown = await asyncio.to_thread(self._state, address)
        return JSONResponse({**shown, "session": self._access.sessions.secret(request), "address": address})

    def _state(self, address: str) -> dict[str, object]:
        lobby, contest, store = self._lobby, self._current.contest, self._lobby.store
        live = [game.row for game in list(lobby.live.values()) if game.row.kind != "training"]
        over = store.games(["official", "queue"], ["finished", "aborted"], most=_GAMES_SHOWN)
        training = sum(game.row.kind == "training" for game in list(lobby.live.values()))
        protocol, invitation = lobby.config.queue_protocol, store.setting(INVITATION)
        return {
            "title": self._current.title or self._title,
            "paused": lobby.starter.paused,
            "hidden": lobby.config.hide_results,
            "notice": store.setting(NOTICE),
            "invitation": f"{address}/my#{invitation}" if invitation else "",
            "protocol": protocol,
            "house": list(lobby.config.workspace.agents(protocol)),
            "seats": list(lobby.protocol(protocol).seats),
            "uploads": lobby.config.uploads,
            "training": training,
            "contest": _contest(contest) if contest else None,
            "standings": page_table(contest.standings(), "arena") if contest else None,
            "teams": [self._team(name, at) for name, at in store.registered()],
            "live": [self._results.facts(row, outcome=False) for row in live],
            "over": [self._results.facts(row) for row in over],
            "log": [{"at": at, "who": who, "what": what} for at, who, what in store.log_lines(_LOG_SHOWN)],
        }

    def _team(self, name: str, at: str) -> dict[str, object]:
        contest, store = self._current.contest, self._lobby.store
        return {
            "name": name,
            "at": at,
            "connection": self._lobby.connection_of(name),
            "takes_part": contest is not None and name in contest.teams,
            "withdrawn": name in self._lobby.starter.withdrawn,
            "versions": [upload.version for upload in store.uploads(name) if not upload.problem],
            "plays": store.chosen_upload(name),
        }

    # -- teams

    async def teams(self, _: Request) -> Response:
        """List the teams."""
        return JSONResponse(self._lobby.store.teams())

    async def register_all(self, request: Request) -> Response:
        """Register the teams listed in the body. Their keys are sent in the response and are not stored."""
        done = register_all(self._lobby.store, names_in(spreadsheet_text(await read_body(request))))
        for name in done.keys:
            self._access.log(request, f"registered team {name!r}")
        keys = [{"name": name, "key": key} for name, key in done.keys.items()]
        return JSONResponse({"keys": keys, "known": done.known, "refused": done.refused})

    async def register(self, params: Params) -> Told:
        """Register one team."""
        name = text_of(params, "name")
        return f"registered team {name!r}", {"name": name, "key": self._lobby.store.register(name)}

    async def new_key(self, params: Params) -> Told:
        """Give a team a new key."""
        name = text_of(params, "name")
        return f"gave team {name!r} a new key", {"name": name, "key": self._lobby.store.new_key(name)}

    async def invite(self, params: Params) -> Told:
        """Make a link with which teams register themselves, in place of the one before; with ``stop=yes``, only end that."""
        stop = text_of(params, "stop") == "yes"
        self._lobby.store.set_setting(INVITATION, "" if stop else secrets.token_urlsafe(9))
        return "ended the invitation" if stop else "made an invitation link", {}

    async def rename(self, params: Params) -> Told:
        """Rename a team."""
        name, new, records = self._unbound(params), text_of(params, "new"), self._lobby.config.records
        new = self._lobby.store.rename(name, new)
        old_uploads = version_folder(records, name, 0).parent
        if old_uploads.exists():
            old_uploads.rename(version_folder(records, new, 0).parent)
        return f"renamed team {name!r} to {new!r}", {"name": new}

    async def delete(self, params: Params) -> Told:
        """Delete a team with its key and its uploads. Its games stay."""
        name = self._unbound(params)
        self._lobby.store.delete(name)
        shutil.rmtree(version_folder(self._lobby.config.records, name, 0).parent, ignore_errors=True)
        return f"deleted team {name!r}", {"name": name}

    def _unbound(self, params: Params) -> str:
        """Return a team whose name nothing depends on. Raises BadRequest."""
        name, contest = text_of(params, "name"), self._current.contest
        if contest and name in contest.teams:
            raise BadRequest(f"team {name!r} takes part in {contest.name!r}, whose records have its name", 409)
        if any(name in game.teams for game in self._lobby.live.values()):
            raise BadRequest(f"team {name!r} has a game that is not over", 409)
        return name

    async def withdraw(self, params: Params) -> Told:
        """Withdraw a team, so that no game waits for it; with ``stop=yes``, let it play again."""
        name, out = text_of(params, "name"), text_of(params, "stop") != "yes"
        self._lobby.starter.withdraw(name, out=out)
        return f"{'withdrew team' if out else 'let play again team'} {name!r}", {"name": name, "withdrawn": out}

    async def choose_upload(self, params: Params) -> Told:
        """Set which version of a team's program plays."""
        name, version = text_of(params, "name"), text_of(params, "version")
        if not version.isdecimal() or len(version) > 6:
            raise BadRequest(f"version {version[:40]!r}: must be a whole number")
        self._lobby.store.choose_upload(name, int(version))
        return f"chose version {version} of team {name!r}", {"name": name, "plays": int(version)}

    # -- running the contest

    async def upload_contest(self, request: Request) -> Response:
        """Begin the contest of a match file, which is the body."""
        contest = await self._current.upload((await read_body(request)).decode(errors="replace"))
        self._access.log(request, f"uploaded the match file of {contest.name!r}")
        return JSONResponse({"name": contest.name, "agents": list(contest.contest.names)})

    async def add(self, params: Params) -> Told:
        """Add a late team."""
        team = text_of(params, "name")
        await asyncio.to_thread(self._current.existing.add, team)
        return f"added team {team!r} to the contest", {"name": team}

    async def open_round(self, _: Params) -> Told:
        """Create the games of the next round."""
        stage, games = await self._current.existing.open_round()
        return f"opened {stage or 'a round'} with {len(games)} games", {"stage": stage, "games": games}

    async def pause(self, _: Params) -> Told:
        """Start no more official games."""
        self._lobby.starter.pause()
        return "paused", {"paused": True}

    async def resume(self, _: Params) -> Told:
        """End the pause."""
        self._lobby.starter.resume()
        return "ended the pause", {"paused": False}

    async def notice(self, params: Params) -> Told:
        """Set the line that is shown on all public pages; an empty one removes it."""
        text = " ".join(text_of(params, "text").split())[:_LONGEST_NOTICE]
        self._lobby.store.set_setting(NOTICE, text)
        return f"notice: {text}" if text else "removed the notice", {"notice": text}

    async def hide(self, _: Params) -> Told:
        """Hide the official games that start from now on, even after a restart, until they are published."""
        self._hide("yes")
        return "hid results from now on", {"hidden": True}

    def _hide(self, setting: str) -> None:
        self._lobby.use(replace(self._lobby.config, hide_results=bool(setting)))
        self._lobby.store.set_setting(HIDE, setting)

    async def publish(self, params: Params) -> Told:
        """Publish the finished games that are hidden; with ``stop=yes``, hide no more games."""
        if text_of(params, "stop") == "yes":
            self._hide("")
        lobby, shown = self._lobby, []
        for row in lobby.store.games(["official", "queue"], ["finished", "aborted"], most=100_000):
            if row.record and lobby.config.hides(row):
                public = lobby.config.moved(row, ENDED if row.status == "aborted" else SHOWN)
                lobby.store.save(public)
                if game := lobby.find(row.id):
                    game.row = public
                shown.append(row.id)
        return f"published {len(shown)} games", shown

    async def log(self, _: Request) -> Response:
        """List the logged actions."""
        lines = self._lobby.store.log_lines()
        return JSONResponse([{"at": at, "who": who, "what": what} for at, who, what in lines])

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
        "closed": contest.why_closed(),
        "problem": contest.problem,
    }
