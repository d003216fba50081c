"""Checks of the settings that both an ``agent.yaml`` and an entry in arbiter.toml may give an agent."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.errors import UserError, out_of_range, unknown
from arbiter.game import Lifetime

LIFETIMES: tuple[Lifetime, ...] = ("move", "game")


def parse_lifetime(text: str, where: str) -> Lifetime | None:
    """Return the lifetime of that name; None for an empty string. Raises UserError."""
    for lifetime in LIFETIMES:
        if text == lifetime:
            return lifetime
    if text:
        raise unknown("lifetime", text, LIFETIMES, where=where)
    return None


def check_threads(count: int, where: str) -> int:
    """Return the number of threads. Raises UserError if it is not at least 1."""
    if count < 1:
        raise out_of_range(f"{where}: threads" if where else "threads", count, 1)
    return count


def check_environment(environment: Mapping[str, str], where: str) -> None:
    """Raise UserError for an environment variable that exec would refuse in the middle of a game."""
    for name, value in environment.items():
        if not name or "=" in name or "\0" in name + value:
            raise UserError(
                f"{where}{': ' if where else ''}environment {name!r}: {value!r} cannot be set: a name must not be empty "
                "or contain '=', and neither may contain a null character"
            )
