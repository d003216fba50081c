"""Checks which teams and agents the organiser may name for the seats of a game."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.agents.prepare.agent import REMOTE
from arbiter.arena.lobby import Lobby
from arbiter.arena.seats import team_of, upload_of
from arbiter.errors import UserError, unknown


def check_seats_playable(lobby: Lobby, protocol: str, seats: Sequence[str]) -> None:
    """Raise UserError for a seat that cannot be played.

    Local agents must be named in arbiter.toml or be house agents: the organiser's token alone must not allow running arbitrary
    programs on this machine.
    """
    teams = [team for seat in seats if (team := team_of(seat))]
    known = lobby.store.teams()
    for team in teams:
        if team not in known:
            raise UserError(f"unknown team {team!r}; register it first")
        if teams.count(team) > 1:
            raise UserError(f"team {team!r} has two seats; a team plays once in a game")
    named = [*lobby.config.workspace.agents(protocol), *lobby.rules.house.get(protocol, ())]
    for seat in seats:
        if (upload := upload_of(seat)) and upload[1] in [each.version for each in lobby.store.uploads(upload[0])]:
            continue
        if seat and not seat.startswith(f"{REMOTE}:") and seat not in named:
            raise unknown("agent", seat, named, otherwise="remote:TEAM")
