"""The current contest of an arena: from the command line, or from a match file that the organiser uploaded on the page.

Every contest has a name and a folder of its own; contests have nothing in common but the teams. The organiser's token alone must
not allow running arbitrary programs on this machine. So the agents of an uploaded match file must be teams, or be named in
arbiter.toml, and the file cannot change the sandbox.
"""

from __future__ import annotations

import asyncio
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import yaml

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.config import CONTESTS, ArenaConfig
from arbiter.arena.contest import OPEN, ArenaContest
from arbiter.arena.lobby import Lobby
from arbiter.arena.params import BadRequest
from arbiter.arena.seats import remote_seat, team_of
from arbiter.arena.store import Store
from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.making import check_contest_name
from arbiter.contest.match_file import load_contest
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.errors import UserError, unknown
from arbiter.game import quoted
from arbiter.records.reader import read_file

ALL_TEAMS = f"{REMOTE}:*"
"""In a match file: all teams that are registered when it is read."""
CURRENT = "contest"
"""The key in the store of the name of the current contest."""
MATCH_FILE = "match.yaml"
"""The match file as the organiser wrote it, in the folder of the contest."""
CHECKED = "checked"
"""The folder of match files that are being checked."""
_KEYS = (
    "name", "title", "about", "protocol", "agents", "schedule", "seats", "options", "limits", "set_aside", "time_factor",
)  # fmt: skip


class MatchFiles:
    """Makes contests of match files, for the teams and with the settings of an arena."""

    def __init__(self, config: ArenaConfig, store: Store) -> None:
        self._config, self._store = config, store

    def given(self, file: Path) -> Contest:
        """Return the contest of a match file on this machine: a new one, or that which was begun with it. Raises UserError."""
        text = read_file(file).decode(errors="replace")
        try:
            folder = self.folder(str(_data(text).get("name", file.stem)))
        except UserError:
            return self.load(file)  # names the line
        known = folder / MATCH_FILE
        if known.is_file() and known.read_text(encoding="utf-8") == text:
            return self.load(folder)
        if folder.exists():
            raise UserError(
                f"{file}: another contest of this name is in {folder}; give this one another with 'name: …'"
            )
        return self.load(file)

    def folder(self, name: str) -> Path:
        """Return the folder of a contest."""
        return self._config.records / CONTESTS / name

    def load(self, path: Path) -> Contest:
        """Return the contest of a match file, or that in a folder. Raises UserError."""
        folder = path if path.is_dir() else path.parent
        try:
            return load_contest(
                path, save=None if path.is_dir() else self._config.records / CONTESTS, adapt=self._adapted
            )
        except UserError as error:
            if not path.is_relative_to(self._config.records):
                raise
            raise UserError(str(error).replace(str(path), "match file").replace(f"{folder}/", "")) from None

    def _adapted(self, definition: Definition) -> Definition:
        """Fill in the teams, and the settings of the command line, which override those of the match file."""
        teams = self._store.teams()
        everyone = [remote_seat(team) for team in teams]
        given = definition.agents
        if ALL_TEAMS in given:
            if not everyone:
                raise UserError(f"{ALL_TEAMS!r} in the match file: no team is registered yet")
            given = (*everyone, *(text for text in given if text not in (ALL_TEAMS, *everyone)))
        for text in given:
            if (team := team_of(text)) and team not in teams:
                raise UserError(f"team {team!r} of the match file is not registered: name it in the file for --teams")
        settings = override(definition.settings, self._config.settings)
        workspace = str(self._config.workspace.folder)
        return msgspec.structs.replace(definition, agents=given, settings=settings, workspace=workspace)


class CurrentContest:
    """The current contest, if there is one."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby, self._config = lobby, lobby.config
        self._files = MatchFiles(lobby.config, lobby.store)
        self.contest: ArenaContest | None = None

    @property
    def title(self) -> str:
        """The title of the contest; empty if there is none."""
        return self.contest.contest.labels.get("title", "") if self.contest else ""

    @property
    def existing(self) -> ArenaContest:
        """The contest. Raises BadRequest if there is none."""
        if self.contest is None:
            raise BadRequest("there is no contest yet; upload a match file first", 404)
        return self.contest

    async def begin(self, file: Path | None) -> None:
        """Begin or continue the contest of a match file on this machine, or else the last one, with the round that was open.
        Raises UserError."""
        name = self._lobby.store.setting(CURRENT)
        if file:
            await asyncio.to_thread(self._begin_file, file)
        elif name and (self._files.folder(name) / CONTEST_FILE).is_file():
            self._begin(await asyncio.to_thread(self._files.load, self._files.folder(name)))
        if self.contest and self._lobby.store.setting(OPEN) == self.contest.name and not self.contest.over:
            await self.contest.open_round()

    async def upload(self, text: str) -> ArenaContest:
        """Begin the contest that a match file describes. Raises UserError or BadRequest."""
        if self.contest and self.contest.running:
            raise BadRequest(f"a round of {self.contest.name!r} is being played: end its games first", 409)
        return self._begin(await asyncio.to_thread(self._new, text))

    def _begin_file(self, file: Path) -> None:
        contest = self._files.given(file)
        self._begin(contest)
        (contest.folder / MATCH_FILE).write_bytes(read_file(file))

    def _new(self, text: str) -> Contest:
        """Return the contest of an uploaded match file, with a folder of its own. Raises UserError."""
        data = _data(text)
        self._check(data)
        name = str(data.get("name") or "")
        if not name:
            name, number = "contest", 1
            while self._files.folder(name).exists():
                number += 1
                name = f"contest-{number}"
        check_contest_name(name)
        if any(self._files.folder(name).rglob("*.jsonl")):
            raise UserError(f"games of a contest called {quoted(name)} have been played: give this one another name")
        if self._files.folder(name).exists():  # the organiser corrects the match file
            shutil.rmtree(self._files.folder(name))
        file = self._config.records / CHECKED / f"{name}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        contest = self._files.load(file)
        contest.folder.mkdir(0o700, parents=True)
        file.replace(contest.folder / MATCH_FILE)
        return contest

    def _begin(self, contest: Contest) -> ArenaContest:
        lobby = self._lobby
        self.contest = ArenaContest(contest, lobby)
        lobby.store.set_setting(CURRENT, self.contest.name)
        settings, protocol = contest.definition.settings, contest.definition.protocol
        hidden = lobby.config.hide_results
        lobby.use(replace(self._config, settings=settings, hide_results=hidden, queue_protocol=protocol))
        return self.contest

    def _check(self, data: dict[Any, Any]) -> None:
        """Raise UserError if an uploaded match file has keys or agents that are not allowed."""
        for key in data:
            if key not in _KEYS:
                raise unknown("key", str(key), _KEYS, where="an uploaded match file")
        protocol = str(data.get("protocol", ""))
        self._lobby.protocol(protocol)
        named = self._config.local_agents(protocol)
        agents = data.get("agents")
        for agent in agents if isinstance(agents, list) else []:
            if not isinstance(agent, str) or not (agent.startswith(f"{REMOTE}:") or agent in named):
                raise UserError(
                    f"agent {quoted(str(agent))}: must be a team (remote:NAME), all teams ({ALL_TEAMS}), or a name in "
                    f"arbiter.toml: {', '.join(named)}"
                )


def override(own: GameSettings, given: GameSettings) -> GameSettings:
    """Return settings in which those that were given replace a contest's own."""
    defaults = GameSettings()
    chosen = {
        name: getattr(given, name) for name in own.__struct_fields__ if getattr(given, name) != getattr(defaults, name)
    }
    for name in ("options", "limits"):
        chosen[name] = {**getattr(own, name), **getattr(given, name)}
    return msgspec.structs.replace(own, **chosen)


def _data(text: str) -> dict[Any, Any]:
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"the match file is not valid YAML: {' '.join(str(error).split())[:300]}") from None
    if not isinstance(data, dict):
        raise UserError("a match file consists of 'name: value' lines, with at least 'protocol' and 'agents'")
    return data
