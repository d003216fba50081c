"""From ``--referee COMMAND`` to the options of the protocol behind it, and a sentence on what such games lack."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import Agent
from arbiter.config.game_settings import GameSettings
from arbiter.config.limits import LIMITS
from arbiter.errors import UserError, wrong_value
from arbiter.game import OptionValue
from arbiter.units import duration_ns

PROTOCOL = "referee"
"""The protocol of these games."""
NOTE = (
    "moves, time limits of moves and pondering are left to the referee, which runs without a sandbox; the rules cannot be "
    "checked afterwards"
)
"""What is not enforced, as shown to the user."""


def with_referee(command: str, folder: Path, settings: GameSettings) -> GameSettings:
    """Return the settings of games with this referee, whose paths are relative to ``folder``. Raises UserError."""
    words = split(command)
    program = words[0]
    if "/" in program:
        if not (folder / program).is_file():
            raise UserError(f"referee {command!r}: no such file {program!r}")
    elif shutil.which(program) is None:
        raise UserError(
            f"referee {command!r}: no program {program!r} on PATH; write ./{program} for one in this folder"
        )
    check_limits(settings)
    options = {**settings.options, "command": command, "folder": str(folder.absolute())}
    return msgspec.structs.replace(settings, options=options)


def check_plan(
    protocol: str, settings: GameSettings, options: Mapping[str, OptionValue], agents: Sequence[Agent]
) -> list[str]:
    """Check what only matters with a referee, and return what to tell the user; nothing for games of another protocol.
    Raises UserError."""
    if protocol != PROTOCOL:
        return []
    check_limits(settings)
    game_ns(str(options["game_time"]))
    for agent in agents:
        if agent.is_outside:
            raise UserError(f"{agent.source!r} cannot play: the referee starts its players as programs")
    return [f"referee: {NOTE}"]


def check_limits(settings: GameSettings) -> None:
    """Raise UserError for settings that only the referee could apply."""
    for name, limit in LIMITS.items():
        if limit.clock and name in settings.limits:
            raise UserError(f"limit {name}={settings.limits[name]}: the referee keeps the time; see its own options")
    if settings.lifetime == "move":
        raise UserError("lifetime 'move': the referee decides when to start an agent")


def split(command: str) -> list[str]:
    """Return the words of a referee's command. Raises UserError."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(f"referee {command!r}: {error}") from None
    if not words:
        raise wrong_value("referee", command, "a command, such as 'java -jar referee.jar'")
    return words


def game_ns(text: str) -> int:
    """Return the time limit of a game. Raises UserError."""
    return duration_ns(text, "option game_time")


def command_line(command: str, relays: Sequence[str], log: str, seed: int, data: str) -> list[str]:
    """Return the whole command line of a referee."""
    players = [word for number, relay in enumerate(relays, 1) for word in (f"-p{number}", relay)]
    return [*split(command), *players, "-l", log, "-d", f"seed={seed}", *shlex.split(data)]
