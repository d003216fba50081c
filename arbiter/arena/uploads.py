"""Programs that teams upload: a source file or an archive, stored by version, built and run like any untrusted agent.

A team sends its key with every request. Uploaded code is only ever run in the sandbox.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from arbiter.arena.access import Authentication
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest, json_refusal, read_body, refusing_with
from arbiter.arena.seats import upload_seat
from arbiter.arena.store import Upload
from arbiter.arena.upload_files import keep_upload, program_of, version_folder
from arbiter.errors import UserError
from arbiter.text import safe

MOST_BYTES = 4 << 20
"""The limit on the size of an uploaded file."""
MOST_VERSIONS = 50
"""The limit on versions per team."""
PATIENCE_S = 3
"""How long an upload waits for the one that is being built."""
_BUILDS = 64
_SHOWN_PROBLEM = 4000


class Uploads:
    """The routes for uploads."""

    def __init__(self, lobby: Lobby, access: Authentication) -> None:
        self._lobby, self._access = lobby, access
        self._one = asyncio.Lock()
        self._builds = ThreadPoolExecutor(_BUILDS, "build")
        """Threads of their own: slow builds must not hold up whatever else runs in threads."""
        self._busy: set[str] = set()
        """Teams with an upload in progress."""

    def routes(self) -> list[BaseRoute]:
        """Return the routes."""
        return [
            Route("/uploads", refusing_with(self.list, json_refusal)),
            Route("/uploads", refusing_with(self.upload, json_refusal), methods=["POST"]),
            Route("/uploads/{version:int}/play", refusing_with(self.choose, json_refusal), methods=["POST"]),
            Route("/uploads/{version:int}/try", refusing_with(self.try_out, json_refusal), methods=["POST"]),
        ]

    async def list(self, request: Request) -> Response:
        """List the versions of a team, and which of them plays."""
        return JSONResponse(self._facts(await self._access.team_on_page(request)))

    def _facts(self, team: str) -> dict[str, object]:
        return {
            "team": team,
            "plays": self._lobby.store.chosen_upload(team),
            "versions": [upload_facts(upload) for upload in self._lobby.store.uploads(team)],
            "most_bytes": MOST_BYTES,
            "most_versions": MOST_VERSIONS,
        }

    async def upload(self, request: Request) -> Response:
        """Store a version: the body is the file, ``file`` its name. With ``play=yes`` it plays from the next game on."""
        team = await self._access.team_on_page(request)
        if len(self._lobby.store.uploads(team)) >= MOST_VERSIONS:
            raise BadRequest(f"your team has uploaded {MOST_VERSIONS} versions, which is the limit", 429)
        if team in self._busy:
            raise BadRequest("another upload of your team is in progress; wait until it is done", 429)
        self._busy.add(team)
        try:
            data = await read_body(request, MOST_BYTES)
            if not data:
                raise BadRequest("the file is empty")
            given = request.query_params.get("file", "")[:200]
            async with self._turn_to_build():
                upload = await self._take(team, given, data)
        finally:
            self._busy.discard(team)
        if not upload.problem and request.query_params.get("play") == "yes":
            self._lobby.store.choose_upload(team, upload.version)
        self._access.log(
            request, f"team {team!r} uploaded version {upload.version}: {upload.problem[:80] or upload.language}"
        )
        return JSONResponse({**self._facts(team), "uploaded": upload_facts(upload)})

    @contextlib.asynccontextmanager
    async def _turn_to_build(self) -> AsyncIterator[None]:
        """Wait for the build of another team, since builds take CPU time from running games; but not for one that is slow."""
        try:
            await asyncio.wait_for(self._one.acquire(), PATIENCE_S)
        except TimeoutError:
            yield
            return
        try:
            yield
        finally:
            self._one.release()

    async def _take(self, team: str, given: str, data: bytes) -> Upload:
        version = 1 + max((each.version for each in self._lobby.store.uploads(team)), default=0)
        folder = version_folder(self._lobby.config.records, team, version)
        workspace, in_thread = self._lobby.config.workspace, asyncio.get_running_loop().run_in_executor
        await in_thread(self._builds, keep_upload, given, data, folder, workspace)
        upload = Upload(team, version, safe(given, 80), len(data), "", "")
        try:
            upload = replace(upload, language=await in_thread(self._builds, self._check, team, version))
        except UserError as error:
            problem = _without_paths(str(error), {folder: "the upload", self._lobby.config.records: "the arena"})
            upload = replace(upload, problem=problem[:_SHOWN_PROBLEM])
        self._lobby.store.add_upload(upload)
        return upload

    def _check(self, team: str, version: int) -> str:
        """Build a version and return its language. Raises UserError if it cannot play."""
        config = self._lobby.config
        protocol = self._lobby.protocol(self._lobby.config.queue_protocol)
        program_of(version_folder(config.records, team, version), config.workspace)
        house = self._lobby.config.house.get(protocol.name, ("random",))
        seats = [upload_seat(team, version), *[house[0]] * (protocol.seats[0] - 1)]
        return config.plan(protocol, seats, {}).entrants[0].agent.language

    async def choose(self, request: Request) -> Response:
        """Set which version plays from the next game on; 0: none, the team plays over the network."""
        team, version = await self._access.team_on_page(request), request.path_params["version"]
        self._lobby.store.choose_upload(team, version)
        self._access.log(
            request, f"team {team!r} plays {f'version {version}' if version else 'over the network'} from now on"
        )
        return JSONResponse(self._facts(team))

    async def try_out(self, request: Request) -> Response:
        """Play a training game with a version against house agents."""
        team, version = await self._access.team_on_page(request), request.path_params["version"]
        known = {upload.version: upload for upload in self._lobby.store.uploads(team)}
        if version not in known or known[version].problem:
            raise BadRequest(f"version {version} cannot play", 404)
        game = await self._lobby.try_out(team, version)
        return JSONResponse({"game": game.row.id, "viewUrl": f"{self._access.base(request.scope)}/{game.row.id}"})


def upload_facts(upload: Upload) -> dict[str, object]:
    """Return the JSON object that describes a version."""
    return {name: value for name, value in asdict(upload).items() if name != "team"}


def _without_paths(text: str, known: Mapping[Path, str]) -> str:
    for folder, name in known.items():
        for path in (folder, folder.resolve()):
            text = text.replace(f"{path}/", "").replace(str(path), name)
    return text
