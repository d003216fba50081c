"""The definition of a contest as plain values: what the organiser asked for, and the contest that is ready to run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from arbiter.config.game_settings import GameSettings
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.statistics.question import Question
from arbiter.playing.plan import Plan

Changed = Literal["refuse", "replay", "keep"]
CHANGED: tuple[Changed, ...] = ("refuse", "replay", "keep")

SET_ASIDE = 5
"""By default, an agent without a single valid answer in its first games, this many, is set aside."""


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """A contest as the organiser wrote it, by flags or in a match file; nothing is resolved."""

    name: str
    protocol: str
    agents: tuple[str, ...]
    """As on the command line: files, folders, commands, names, ``name=AGENT``."""
    given: tuple[str, ...] = ()
    """The agents as typed on a command line, before folders are expanded; empty for a match file."""
    seats: int | None = None
    """Agents per table; None: two, or the fewest the protocol allows if that is more."""
    settings: GameSettings = GameSettings()
    base: str = ""
    """The folder that paths of agents are relative to; the current one if empty."""
    workspace: str = ""
    """The folder whose arbiter.toml applies; the current one if empty."""


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest ready to be run."""

    definition: Definition
    names: tuple[str, ...]
    """Names of the agents, as in records and tables."""
    schedule: Schedule
    folder: Path
    """Where its games are saved; the games that are already there have been played."""
    plan: Plan | None = None
    """None for a contest that is only shown: its agents may no longer exist."""
    seeded: bool = False
    """Whether the organiser gave a seed, from which the deals follow; otherwise they follow from a secret."""
    until: Question | None = None
    """The contest ends when this question is settled."""
    question: str = ""
    """The same as the organiser wrote it."""
    set_aside: int = SET_ASIDE
    """Games without a single valid answer after which an agent is set aside; 0 for never."""
    workers: int | None = None
    """None: one per core."""
    retry_technical: bool = False
    """Whether to replay games that failed for technical reasons."""
    changed: Changed = "refuse"
    """How to treat the games of an agent whose program has changed since; only ``keep`` continues at a weaker sandbox level."""
    pause: bool = False
    """Whether to stop after every round or stage, until the organiser runs the contest again."""
    notes: Sequence[str] = ()
    """Notes from putting the contest together."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """``title`` and ``about``, for display."""

    @property
    def runnable_plan(self) -> Plan:
        """The plan of a contest that is run and not only shown."""
        if self.plan is None:
            raise AssertionError("a contest that was loaded to look at it cannot be run")
        return self.plan
