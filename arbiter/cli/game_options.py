"""The options of commands that say how games are played, derived from the fields of GameSettings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import click
import msgspec
from msgspec.structs import FieldInfo

from arbiter.cli import completing
from arbiter.cli.grouped_help import OWN, SETTINGS, headed_option
from arbiter.cli.values import Number
from arbiter.config.game_settings import GameSettings
from arbiter.config.limits import LIMITS
from arbiter.errors import UserError, wrong_value

_COMPLETED = {
    "options": completing.options,
    "limits": completing.limits,
    "lifetime": completing.lifetimes,
    "clock": completing.clocks,
    "sandbox": completing.sandboxes,
}

Command = Callable[..., None]
_LIMIT_PREFIX = "limit_"
"""How the names of the parameters for single limits begin."""


def game_settings(command: Command) -> Command:
    """Add options for all fields of GameSettings, and for the everyday limits; :func:`take_settings` reads them back."""
    return some_settings(*GameSettings.__struct_fields__)(_everyday_limits(command))


def some_settings(*names: str) -> Callable[[Command], Command]:
    """Add options for these fields of GameSettings; :func:`take_settings` reads them back."""

    def add(command: Command) -> Command:
        for info in reversed(msgspec.structs.fields(GameSettings)):
            if info.name in names:
                command = _option(info)(command)
        return command

    return add


def _everyday_limits(command: Command) -> Command:
    for name, limit in reversed(list(LIMITS.items())):
        if limit.everyday:
            command = click.option(f"--{name}", f"{_LIMIT_PREFIX}{name}", metavar="LIMIT", help=limit.help)(command)
    return command


def _option(info: FieldInfo) -> Callable[[Command], Command]:
    hint, meta = info.type, msgspec.Meta()
    if get_origin(hint) is Annotated:
        hint, meta = get_args(hint)
    extra = meta.extra or {}
    heading = OWN if extra.get("everyday") else SETTINGS
    dashed = f"--{info.name.replace('_', '-')}"
    flags = [info.name, *extra.get("flags", (dashed,))]
    shared: dict[str, Any] = {
        "help": meta.description,
        "metavar": extra.get("metavar"),
        "shell_complete": _COMPLETED.get(info.name),
    }
    if get_origin(hint) is Mapping:
        return headed_option(heading, *flags, multiple=True, **shared)
    if hint is bool:
        return headed_option(heading, *flags, is_flag=True, help=meta.description)
    if bool in get_args(hint):
        return headed_option(heading, info.name, f"{dashed}/--no-{dashed[2:]}", default=None, help=meta.description)
    if hint is float:
        return headed_option(heading, *flags, type=Number(), default=info.default, **shared)
    return headed_option(heading, *flags, **shared)


def take_settings(asked: dict[str, Any]) -> GameSettings:
    """Remove the values of these options from ``asked``, and return them as settings. Raises UserError."""
    given = {name: asked.pop(name) for name in GameSettings.__struct_fields__ if name in asked}
    given["options"] = {name: _contents(value) for name, value in pairs(given.get("options", ()), "option").items()}
    given["limits"] = limits = pairs(given["limits"], "limit")
    for key in [key for key in asked if key.startswith(_LIMIT_PREFIX)]:
        name, value = key.removeprefix(_LIMIT_PREFIX), asked.pop(key)
        if value is not None and limits.setdefault(name, value) != value:
            raise UserError(
                f"--{name} {value} and --limit {name}={limits[name]} contradict each other; give one of them"
            )
    return GameSettings(**given)


def pairs(texts: tuple[str, ...], what: str) -> dict[str, str]:
    """Split ``NAME=VALUE`` words. Raises UserError."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise wrong_value(what, text, "NAME=VALUE")
        found[name] = value
    return found


def _contents(value: str) -> str:
    """``@FILE`` stands for the contents of a file."""
    if not value.startswith("@"):
        return value
    file = value[1:]
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file in UTF-8"
        raise UserError(f"option file {file!r}: {reason}") from None
