"""``--referee``: games with an external referee. There is no PROTOCOL argument then; all arguments are agents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from arbiter.cli.grouped_help import SETTINGS, headed_option
from arbiter.config.game_settings import GameSettings

Command = TypeVar("Command", bound=Callable[..., None])


def referee_option(command: Command) -> Command:
    """Add the option."""
    return headed_option(
        SETTINGS,
        "--referee",
        metavar="COMMAND",
        help="Let this program referee the games; all arguments are then AGENTS. See docs/referees.md.",
    )(command)


def with_referee(
    referee: str | None, protocol: str, agents: tuple[str, ...], settings: GameSettings
) -> tuple[str, tuple[str, ...], GameSettings]:
    """Return the protocol, the agents and the settings that the arguments mean. Raises UserError."""
    if referee is None:
        return protocol, agents, settings
    from arbiter.playing.outside_referee import settings as outside

    return outside.PROTOCOL, (protocol, *agents), outside.with_referee(referee, Path.cwd(), settings)
