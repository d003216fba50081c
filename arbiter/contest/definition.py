"""What a contest is: who plays what under which terms, by which schedule. Plain values, whether typed or from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import msgspec

from arbiter import registry
from arbiter.contest.entries import sift, unpack
from arbiter.contest.scheduled import Played
from arbiter.contest.schedules import registry as schedules
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.ladder import Ladder
from arbiter.contest.statistics import online
from arbiter.contest.statistics.question import Question
from arbiter.contest.statistics.question import parse as parse_question
from arbiter.errors import UserError, wrong_value
from arbiter.game import OptionValue
from arbiter.plan import Plan, make_plan
from arbiter.workspace import Workspace

Changed = Literal["refuse", "replay", "keep"]
CHANGED: tuple[Changed, ...] = ("refuse", "replay", "keep")

SET_ASIDE = 5
"""An agent that gives no good answer in its first so many games is set aside, unless told otherwise."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What is played, and how: all that a worker must know to play any game of the contest."""

    name: str
    protocol: str
    agents: tuple[str, ...]
    """As on the command line: files, folders, commands, names, ``name=AGENT``."""
    seats: int | None = None
    """Of one table; None: two, or what the game needs at least."""
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
        return make_plan(
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


@dataclass(frozen=True, slots=True)
class Contest:
    """A contest ready to be run."""

    terms: Terms
    names: tuple[str, ...]
    """Of the agents, as games and tables have them."""
    schedule: Schedule
    folder: Path
    """Where its games are saved; what is in there already has been played."""
    until: Question | None = None
    question: str = ""
    """The same as it was written."""
    set_aside: int = SET_ASIDE
    """0: nobody ever."""
    workers: int | None = None
    """None: one for each core."""
    retry_technical: bool = False
    """Play games again that a fault of the machine or the arbiter has spoilt."""
    changed: Changed = "refuse"
    """What becomes of games of an agent whose program is not what it was."""
    weaker_sandbox: bool = False
    """Go on although agents are contained less well than in the games played so far."""
    notes: Sequence[str] = ()
    """What came up while it was put together."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Title and so on, for those who show it."""


class Unfit(UserError):
    """There can be no contest of this kind of these agents."""


def make_contest(
    terms: Terms,
    schedule: Mapping[str, object],
    save: Path,
    **more: object,
) -> Contest:
    """Put a contest together: folders of programs unpacked, agents that cannot play left out with a note, everything else
    checked. Raises UserError."""
    check_name(terms.name)
    workspace = Workspace(Path(terms.workspace) if terms.workspace else None)
    base = Path(terms.base) if terms.base else Path.cwd()
    good, bad = sift(unpack(terms.agents, base, workspace), terms.protocol, base, workspace)
    notes = [f"{text} does not take part: {reason}" for text, reason in bad.items()]
    made = schedules.make(schedule, {"seats": seats_of(terms.protocol, terms.seats, workspace)})
    if isinstance(made, Ladder) and online.available():
        made = msgspec.structs.replace(made, rate=_online)
    if len(good) < made.seats and notes:
        raise UserError("\n".join(notes))
    terms = msgspec.structs.replace(terms, agents=tuple(good), seats=made.seats)
    folder = save / terms.name
    names = tuple(entrant.agent.name for entrant in terms.plan(folder).entrants)
    try:
        made.check(names)
    except UserError as error:
        raise Unfit(str(error)) from None
    return Contest(terms, names, made, folder, notes=notes, **more)  # type: ignore[arg-type]


def _online(names: Sequence[str], played: Played) -> Mapping[str, tuple[float, float]]:
    """Ratings of a ladder, from its games in their order."""
    return online.rate(names, played.values())


def ask(contest: Contest, question: str) -> Contest:
    """The contest, to be ended when this question is settled. Raises UserError."""
    return replace(contest, until=parse_question(question, contest.names), question=question) if question else contest


def check_name(name: str) -> None:
    """Raise UserError if a contest cannot be called so."""
    if not name or "/" in name or name.startswith(".") or not name.isprintable():
        raise wrong_value("name", name, "a folder name: printable, without a slash or a leading dot")


def seats_of(protocol: str, wanted: int | None, workspace: Workspace) -> int:
    """Seats of one table: what was asked for, else two, or what the game needs at least. Raises UserError."""
    fewest, most = registry.find(protocol, workspace).seats
    if wanted is None:
        return max(fewest, min(2, most))
    if not fewest <= wanted <= most:
        raise UserError(f"seats {wanted}: {protocol} is for {fewest} to {most}")
    return wanted
