"""The notation for the seats of a game: ``remote:TEAM``, ``upload:VERSION:TEAM``, a house agent, or empty for any team."""

from __future__ import annotations

from arbiter.agents.prepare.agent import REMOTE

UPLOAD = "upload"


def seat_name(seat: str) -> str:
    """Return the name of the team or agent in a seat, as in records and tables."""
    kind, _, rest = seat.partition(":")
    if not kind_of(seat):
        return seat
    return rest if kind == REMOTE else rest.partition(":")[2]


def kind_of(seat: str) -> str:
    """Return ``remote`` or ``upload`` for the seat of a team; empty for a house agent or an open seat."""
    kind, colon, _ = seat.partition(":")
    return kind if colon and kind in (REMOTE, UPLOAD) else ""


def team_of(seat: str) -> str:
    """Return the team that a seat is for; empty for a house agent or an open seat."""
    return seat_name(seat) if kind_of(seat) else ""


def remote_seat(team: str) -> str:
    """Return the seat of a team that plays over the network."""
    return f"{REMOTE}:{team}"


def upload_seat(team: str, version: int) -> str:
    """Return the seat of a version of a team's uploaded program."""
    return f"{UPLOAD}:{version}:{team}"


def upload_of(seat: str) -> tuple[str, int] | None:
    """Return the team and the version of an uploaded program; None for any other seat."""
    kind, _, rest = seat.partition(":")
    version, colon, team = rest.partition(":")
    return (team, int(version)) if kind == UPLOAD and colon and version.isdecimal() else None
