"""The current contest of an arena: from the command line, or from a match file that the organiser uploaded on the page.

The organiser's token alone must not allow running arbitrary programs on this machine. So the agents of an uploaded match file
must be teams, or be named in arbiter.toml, and the file cannot change the sandbox.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.contest import ENTERED, ENTERING, ArenaContest, check_teams, with_match_settings
from arbiter.arena.lobby import Lobby
from arbiter.arena.seats import remote_seat
from arbiter.contest.definition import Contest
from arbiter.contest.match_file import load_contest
from arbiter.errors import UserError, unknown
from arbiter.game import quoted
from arbiter.text import count

ALL_TEAMS = f"{REMOTE}:*"
"""In a match file: all teams that are registered when it is uploaded."""
MATCH_FILE = "day.yaml"
CHECKED = "checked"
"""The folder of match files that are being checked, or in which ``remote:*`` was replaced with the names of the teams."""
_KEYS = (
    "name", "title", "about", "protocol", "agents", "schedule", "seats", "options", "limits", "set_aside", "time_factor",
)  # fmt: skip


class CurrentContest:
    """The current contest, if there is one."""

    def __init__(self, lobby: Lobby, given: Contest | None) -> None:
        """``given`` is the contest of the command line; without it, the last uploaded contest continues."""
        self._lobby = lobby
        self._config = lobby.config
        self.contest: ArenaContest | None = None
        file = lobby.config.records / MATCH_FILE
        if given:
            check_teams(given, lobby.store.teams())
            self._begin(given)
        elif file.is_file():
            self._begin(self._load(file))

    @property
    def title(self) -> str:
        """The title of the contest; empty if there is none."""
        return self.contest.contest.labels.get("title", "") if self.contest else ""

    async def upload(self, text: str) -> ArenaContest:
        """Begin the contest that a match file describes. Raises UserError."""
        if live := sum(game.row.kind == "official" for game in self._lobby.live.values()):
            raise UserError(
                f"{count(live, 'official game')} still waiting or being played: end them before another contest"
            )
        contest = await asyncio.to_thread(self._checked, text)
        records = self._lobby.config.records
        (records / CHECKED / MATCH_FILE).replace(records / MATCH_FILE)
        for key in (ENTERED, ENTERING):
            self._lobby.store.set_setting(key, "")
        return self._begin(contest)

    def _begin(self, contest: Contest) -> ArenaContest:
        lobby = self._lobby
        lobby.use(replace(with_match_settings(contest, self._config), hide_results=lobby.config.hide_results))
        lobby.rules = replace(lobby.rules, queue_protocol=contest.definition.protocol)
        self.contest = ArenaContest(contest, lobby, lobby.store.schedule_seed)
        return self.contest

    def _checked(self, text: str) -> Contest:
        teams = self._lobby.store.teams()
        expanded = _with_teams(text, teams, self._lobby)
        file = self._lobby.config.records / CHECKED / MATCH_FILE
        file.parent.mkdir(exist_ok=True)
        file.write_text(expanded, encoding="utf-8")
        contest = self._load(file)
        check_teams(contest, teams)
        return contest

    def _load(self, file: Path) -> Contest:
        try:
            return load_contest(file, save=self._lobby.config.records)
        except UserError as error:
            folder = file.parent
            raise UserError(str(error).replace(str(file), "match file").replace(f"{folder}/", "")) from None


def with_all_teams(text: str, teams: list[str]) -> str:
    """Return a match file with the names of all teams in place of ``remote:*``; unchanged if that does not occur."""
    data = _data(text)
    agents = data.get("agents")
    if not isinstance(agents, list) or ALL_TEAMS not in agents:
        return text
    everyone = [remote_seat(team) for team in teams]
    if not everyone:
        raise UserError(f"{ALL_TEAMS!r} in the match file: no team is registered yet")
    others = [agent for agent in agents if agent not in (ALL_TEAMS, *everyone)]
    return yaml.safe_dump({**data, "agents": [*everyone, *others]}, allow_unicode=True, sort_keys=False)


def _with_teams(text: str, teams: list[str], lobby: Lobby) -> str:
    """Check that an uploaded match file has only allowed keys and agents, and fill in the teams. Raises UserError."""
    data = _data(text)
    for key in data:
        if key not in _KEYS:
            raise unknown("key", str(key), _KEYS, where="an uploaded match file")
    protocol = str(data.get("protocol", ""))
    lobby.protocol(protocol)
    named = [*lobby.config.workspace.agents(protocol), *lobby.rules.house.get(protocol, ())]
    agents = data.get("agents")
    for agent in agents if isinstance(agents, list) else []:
        if not isinstance(agent, str) or not (agent.startswith(f"{REMOTE}:") or agent in named):
            raise UserError(
                f"agent {quoted(str(agent))}: must be a team (remote:NAME), all teams ({ALL_TEAMS}), or a name in "
                f"arbiter.toml: {', '.join(named)}"
            )
    return with_all_teams(text, teams)


def _data(text: str) -> dict[Any, Any]:
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UserError(f"the match file is not valid YAML: {' '.join(str(error).split())[:300]}") from None
    if not isinstance(data, dict):
        raise UserError("a match file consists of 'name: value' lines, with at least 'protocol' and 'agents'")
    return data
