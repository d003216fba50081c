"""The keys of a match file, from which its reader and its reference are made."""

from __future__ import annotations

from typing import Any

from arbiter.config.game_settings import GameSettings
from arbiter.contest.definition import SET_ASIDE


class MatchFile(GameSettings, frozen=True, kw_only=True):
    """What is played, and with which settings. ``agents`` and ``protocol`` or ``referee`` are required."""

    name: str | None = None
    """Name of the folder that the games are saved in; by default, the name of the file."""
    title: str = ""
    """Shown above the standings."""
    about: str = ""
    """A description for readers."""
    protocol: str = ""
    """The game to play, by the name of its protocol."""
    referee: str = ""
    """The command of a referee program, in place of ``protocol``; see ``docs/referees.md``."""
    agents: list[Any]
    """The agents, as on the command line: a name, a file, a folder or a command; ``name: agent`` sets its name in the
    standings."""
    base: str = "."
    """The folder that paths of agents are relative to; by default, the folder of the file."""
    names: tuple[str, ...] = ()
    """Names of the agents in tables. The arbiter writes it into the ``contest.yaml`` of a folder."""
    given: tuple[str, ...] = ()
    """Agents as typed on the command line. The arbiter writes it, to recognise the contest when the command is repeated."""
    schedule: str | dict[str, Any] = "round_robin"
    """The kind of contest and its parameters, or the kind alone."""
    scoring: str = "places"
    """How a game is scored: ``places`` (the share of opponents ranked behind) or ``winner`` (the winner takes the
    point)."""
    commitments: tuple[str, ...] = ()
    """SHA-256 of each secret of the contest. The arbiter writes it, and ignores it when it reads the file."""
    seats: int | None = None
    """Agents per table; by default, two or as many as the protocol needs."""
    until: str = ""
    """The stopping rule: a question that ends the contest when it is settled, such as ``better(new,old)``."""
    workers: int | None = None
    """Games played at the same time; by default, one per core."""
    set_aside: int = SET_ASIDE
    """The number of games without a single valid answer after which an agent is set aside; 0 for never."""
    retry_technical: bool = False
    """Whether to play games again that failed for technical reasons."""
    pause: bool = False
    """Whether to stop after every round or stage, until the contest is run again."""
