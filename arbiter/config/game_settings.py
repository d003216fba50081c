"""The settings with which games are played: every setting that users can choose is declared here, once.

The options of the command line, the keys and types in match files, and the keyword arguments of ``arbiter.play`` all follow
from the fields of :class:`GameSettings`. A new setting is one more field here and the line in :mod:`arbiter.playing.plan` that applies
it; a test checks that all three inputs offer it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta


class GameSettings(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the user asked for. None, and empty mappings, stand for the defaults of arbiter.toml, protocol and agent."""

    options: Annotated[
        Mapping[str, Any],
        Meta(
            description="Set an option of the protocol; =@FILE reads a file.",
            extra={"flags": ("--option", "-o"), "metavar": "NAME=VALUE", "everyday": True},
        ),
    ] = {}
    limits: Annotated[
        Mapping[str, Any],
        Meta(
            description="Set a limit, such as first_move=5s; see protocols.",
            extra={"flags": ("--limit", "-l"), "metavar": "NAME=VALUE", "everyday": True},
        ),
    ] = {}
    lifetime: Annotated[
        str | None,
        Meta(description="Start an agent's process for each move, or once per game.", extra={"metavar": "move|game"}),
    ] = None
    clock: Annotated[
        str | None,
        Meta(
            description="The time agents are charged: fair is wall time without the time spent waiting for a busy core.",
            extra={"metavar": "fair|wall|cpu"},
        ),
    ] = None
    sandbox: Annotated[
        str | None,
        Meta(
            description="The minimum sandbox level: none, rlimits, landlock, namespace, cgroup; auto is the strongest here.",
            extra={"metavar": "LEVEL"},
        ),
    ] = None
    ponder: Annotated[bool | None, Meta(description="Let agents think while it is not their turn, or freeze them.")] = (
        None
    )
    allow_uncontained_build: Annotated[
        bool,
        Meta(
            description="At sandbox levels none and rlimits, build agents without a sandbox, with access to your files and "
            "the network."
        ),
    ] = False
    time_factor: Annotated[
        float,
        Meta(description="Multiply all time limits, for slow machines and debuggers.", extra={"metavar": "X"}),
    ] = 1.0
    log: Annotated[
        str | None,
        Meta(
            description="What to keep of standard error, beside each saved game: the last 64 KB of each agent (tail), the "
            "same for games with faults only (faults), everything (all) or nothing (none).  [default: tail]",
            extra={"metavar": "tail|all|faults|none"},
        ),
    ] = None
    keep_files: Annotated[
        str | None,
        Meta(
            description="Keep what agents write to their own folders: after each game, copy it to a folder of that game in FOLDER.",
            extra={"metavar": "FOLDER"},
        ),
    ] = None
    no_limits: Annotated[bool, Meta(description="Raise all limits out of reach, for debugging.")] = False


def settings_in(file: GameSettings) -> GameSettings:
    """Return the settings among the keys of a file, whose struct extends this one."""
    given = {name: getattr(file, name) for name in GameSettings.__struct_fields__}
    # YAML reads some of the limits as numbers.
    return GameSettings(**{**given, "limits": {name: str(value) for name, value in file.limits.items()}})
