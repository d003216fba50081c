"""What a contest is: who plays what under which terms, by which schedule. Plain values, whether typed or from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter import registry
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.statistics import question
from arbiter.contest.statistics.question import Question
from arbiter.errors import UserError
from arbiter.game import OptionValue
from arbiter.plan import Plan, make_plan
from arbiter.workspace import Workspace

SET_ASIDE = 5
"""An agent that gives no good answer in its first so many games is set aside, unless told otherwise."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is played, and how: all that a worker must know to play any game of the contest."""

    name: str
    protocol: str
    agents: tuple[str, ...]
    """As on the command line: files, folders, commands, names, ``name=AGENT``."""
    seats: int
    """Of one table."""
    options: dict[str, OptionValue] = {}
    limits: dict[str, str | int] = {}
    lifetime: str | None = None
    clock: str | None = None
    sandbox: str | None = None
    ponder: bool | None = None
    time_factor: float = 1.0
    base: str = ""
    """Folder that paths of agents are relative to; the current one if empty."""
    workspace: str = ""
    """Folder whose arbiter.toml is in force; the current one if empty."""

    def plan(self, save: Path) -> Plan:
        """Everything checked and every agent ready. Raises UserError."""
        plan = make_plan(
            self.protocol,
            self.agents,
            options=self.options,
            limits=self.limits,
            lifetime=self.lifetime,
            clock=self.clock,
            sandbox=self.sandbox,
            ponder=self.ponder,
            time_factor=self.time_factor,
            save=save,
            workspace=Workspace(Path(self.workspace) if self.workspace else None),
            seats=self.seats,
            base=Path(self.base) if self.base else None,
        )
        if any(entrant.agent.is_human for entrant in plan.entrants):
            raise UserError("'human' cannot play in a contest: nobody would be there to type; see 'arbiter play'")
        return plan


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest ready to be run."""

    terms: Terms
    schedule: Schedule
    folder: Path
    """Where its games are saved; what is in there already has been played."""
    until: Question | None = None
    set_aside: int = SET_ASIDE
    """0: nobody ever."""
    workers: int | None = None
    """None: one for each core."""
    retry_technical: bool = False
    """Play games again that a fault of the machine or the arbiter has spoilt."""
    weaker_sandbox: bool = False
    """Go on although agents are contained less well than in the games played so far."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Title and so on, for those who show it."""


def seats_of(protocol: str, agents: Sequence[str], wanted: int | None, workspace: Workspace | None = None) -> int:
    """Seats of one table: what was asked for, else two, or what the game needs at least. Raises UserError."""
    fewest, most = registry.find(protocol, workspace or Workspace()).seats
    if wanted is None:
        return max(fewest, min(2, most))
    if not fewest <= wanted <= most:
        raise UserError(f"seats {wanted}: {protocol} is for {fewest} to {most}")
    return wanted


def settle_question(text: str | None, names: Sequence[str]) -> Question | None:
    """What ``--until`` asks; None if nothing is."""
    return question.parse(text, names) if text else None
