"""The keys of a match file, as typed fields, from which the reader of match files and their reference are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import msgspec

from arbiter.config import game_settings


class MatchFile(msgspec.Struct, frozen=True, kw_only=True):
    """What is played. ``protocol`` and ``agents`` are required."""

    name: str | None = None
    """Name of the folder that the games are saved in; by default, the name of the file."""
    title: str = ""
    """Shown above the standings."""
    about: str = ""
    """A description for readers."""
    protocol: str
    """The game to play, by the name of its protocol."""
    referee: str = ""
    """The command of a referee program, in place of ``protocol``; see ``docs/referees.md``."""
    agents: list[str | dict[str, str]]
    """The agents, as on the command line: a name, a file, a folder or a command; ``name: agent`` sets its name in the
    standings."""
    base: str = "."
    """The folder that paths of agents are relative to; by default, the folder of the file."""
    names: list[str] = []
    """Names of the agents in tables. The arbiter writes it into the ``contest.yaml`` of a folder."""
    given: list[str] = []
    """Agents as typed on the command line. The arbiter writes it, to recognise the contest when the command is repeated."""
    schedule: str | dict[str, Any] = "round_robin"
    """The kind of contest and its parameters, or the kind alone."""
    scoring: str = "places"
    """How a game is scored: ``places`` (the share of opponents ranked behind) or ``winner`` (the winner takes the
    point)."""
    commitments: list[str] = []
    """SHA-256 of each secret of the contest. The arbiter writes it, and ignores it when it reads the file."""
    seats: int | None = None
    """Agents per table; by default, two or as many as the protocol needs."""
    until: str = ""
    """The stopping rule: a question that ends the contest when it is settled, such as ``better(new,old)``."""
    workers: int | None = None
    """Games played at the same time; by default, one per core."""
    set_aside: int = 5
    """The number of games without a single valid answer after which an agent is set aside; 0 for never."""
    retry_technical: bool = False
    """Whether to play games again that failed for technical reasons."""
    pause: bool = False
    """Whether to stop after every round or stage, until the contest is run again."""


def _types() -> dict[str, tuple[type, ...]]:
    own = {name: game_settings.plain_types(hint) for name, hint in get_type_hints(MatchFile).items()}
    settings = game_settings.types_in_files()
    before = list(own)[: list(own).index("until")]
    return {**{name: own[name] for name in before}, **settings, **own}


KEYS: Mapping[str, tuple[type, ...]] = _types()
"""The keys of a match file, each with the types its value may have."""
