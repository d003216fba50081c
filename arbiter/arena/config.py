"""The configuration of an arena: how its games are planned, who fills empty seats, and where records go."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from arbiter import registry
from arbiter.agents.prepare.agent import ABSENT, REMOTE, Agent, clean_name, with_distinct_names
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.arena.seats import upload_of
from arbiter.arena.store import GameRow
from arbiter.arena.upload_files import program_of, version_folder
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, unknown
from arbiter.game import Chance, Protocol
from arbiter.playing.plan import Plan
from arbiter.playing.planning import plan_games
from arbiter.records.writer import SUFFIX

SHOWN = "games"
"""The folder of public records."""
TRAINING = "training"
HIDDEN = "hidden"
"""The folder of records that are not public yet."""
ENDED = "ended"
"""The folder of records of games that were ended before their result."""
CONTESTS = "contests"
"""The folder that has a folder for each contest, none of which is public."""
MOST_ALLOWANCE_NS = 500_000_000
"""The most time that a team gets for its own round trip, which it could fake."""
DEFAULT_HOUSE = "random"
"""The named agent that every bundled protocol has."""
_CONTAINING = ("landlock", "namespace", "cgroup")
"""Sandbox levels at which an untrusted program cannot read or change our files."""


@dataclass(frozen=True, slots=True)
class ArenaConfig:
    """The settings that all games of an arena share."""

    workspace: Workspace
    settings: GameSettings
    records: Path
    """The folder that contains a folder for each kind of record."""
    allowance_ns: int
    """Added to the time limits of all remote agents for network latency."""
    queue_protocol: str
    """The protocol for clients that do not name one."""
    house: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By protocol: the agents that fill seats in training games and in the queue."""
    join_s: float = 60
    """How long a game waits for the other teams after the first one has joined."""
    training_games: int = 5
    """How many training games a team may play at the same time."""
    test_turns: int = 40
    """After how many turns a self-test ends."""
    uploads: bool = False
    """Whether teams may upload programs that are run on this machine."""
    local_games: int = field(default_factory=lambda: max(1, (os.cpu_count() or 2) // 2))
    """How many official games without remote agents are played at the same time."""
    hide_results: bool = False
    """Whether official games are hidden until the organiser publishes them."""
    by_round_trip: bool = False
    """Whether every team also gets twice its own round trip, measured when it joins."""
    preparing: threading.Lock = field(default_factory=threading.Lock, compare=False)
    """Held while a game is being prepared, so that only one is: with fifty busy threads, the server's thread would wait up to
    fifty time slices for the interpreter lock."""

    def plan(self, protocol: Protocol, seats: Sequence[str], options: dict[str, object]) -> Plan:
        """Plan a game for seats in the notation of :class:`GameRow`. Raises UserError."""
        known = {option.name for option in protocol.options}
        own = {name: value for name, value in self.settings.options.items() if name in known}
        settings = msgspec.structs.replace(self.settings, options={**own, **options})
        plan = plan_games(
            protocol,
            lambda builder: builder.build_all(
                with_distinct_names([self._agent(seat, protocol) for seat in seats], seats)
            ),
            settings,
            self.workspace,
            save=self.records,
        )
        if plan.sandbox.level not in _CONTAINING and any(map(upload_of, seats)):
            raise UserError(f"uploaded programs cannot be run at sandbox level {plan.sandbox.level!r}")
        return plan

    def allowance_for(self, round_trip_us: int) -> int:
        """Return the network allowance in nanoseconds of a team with this round trip.

        A move on a new connection takes two round trips: one to connect, one for the state and the answer.
        """
        own_ns = min(2 * round_trip_us * 1000, MOST_ALLOWANCE_NS) if self.by_round_trip else 0
        return self.allowance_ns + own_ns

    def checked_plan(self, protocol: Protocol, row: GameRow) -> Plan:
        """Plan a game and set it up once, so that mistakes are found before anybody joins. Raises UserError or BadSetup."""
        plan = self.plan(protocol, row.seats, dict(row.options))
        setup = protocol.setup(len(plan.entrants), plan.options, Chance(row.seed, "setup"))
        protocol.start(len(plan.entrants), plan.options, setup, Chance(row.seed))
        return plan

    def local_agents(self, protocol: str) -> list[str]:
        """Return the agents that the organiser may name: those of arbiter.toml and house agents. The organiser's token alone must
        not allow running arbitrary programs on this machine."""
        return [*self.workspace.agents(protocol), *self.house.get(protocol, ())]

    # -- records

    def is_open(self, protocol: Protocol) -> bool:
        """Return whether spectators may follow the official games of a protocol that start now. A record contains what players
        may not know, such as the order of a deck, unless the protocol lets spectators see everything."""
        return protocol.rest is not None and not self.hide_results

    def new_record(self, row: GameRow, protocol: Protocol) -> Path:
        """Return the path for the record of a game that belongs to no contest. Training games are not listed with the others."""
        folder = TRAINING if row.kind == "training" else SHOWN if self.is_open(protocol) else HIDDEN
        when = re.sub(r"\D", "", row.at)[:14]
        return self.records / folder / f"{when[:8]}-{when[8:]}-{protocol.name}-{row.id}{SUFFIX}"

    @property
    def shown(self) -> Path:
        """The folder of public records."""
        return self.records / SHOWN

    def hides(self, row: GameRow) -> bool:
        """Return whether a game is hidden from the public. A game that was public when it started stays public."""
        if row.record:
            return row.record.startswith(f"{HIDDEN}/")
        return self.hide_results and row.kind == "official"

    def linked(self, record: Path, row: GameRow, protocol: Protocol) -> Path:
        """Link the record of a contest's game, which stays in the ledger, to a folder of games; return its path there."""
        folder = self.records / (SHOWN if self.is_open(protocol) else HIDDEN) / row.contest
        folder.mkdir(parents=True, exist_ok=True)
        link = folder / f"{record.stem}-{row.id}{record.suffix}"
        link.unlink(missing_ok=True)
        link.hardlink_to(record)
        return link

    def moved(self, row: GameRow, folder: str) -> GameRow:
        """Move the record of a game to another folder of games. In that of public games, a game that was ended before its result
        would count as one that is being played."""
        first, _, inside = row.record.partition("/")
        old, new = self.records / row.record, self.records / folder / inside
        if first not in (SHOWN, HIDDEN) or first == folder or not old.exists():
            return row
        new.parent.mkdir(parents=True, exist_ok=True)
        return replace(row, record=str(old.rename(new).relative_to(self.records)))

    def _agent(self, seat: str, protocol: Protocol) -> Agent:
        if upload := upload_of(seat):
            found = resolve_agent(
                str(program_of(version_folder(self.records, *upload), self.workspace)), protocol, self.workspace
            )
            return msgspec.structs.replace(found, name=clean_name(upload[0]), source=seat)
        # A team's name is never taken for a path or a command.
        kind, colon, team = seat.partition(":")
        if not seat or (kind == REMOTE and colon):
            return Agent(clean_name(team or ABSENT), f"{REMOTE}:{team or ABSENT}", (), self.workspace.folder, REMOTE)
        return resolve_agent(seat, protocol, self.workspace, self.workspace.folder)


def house_agents(workspace: Workspace, protocol: str, chosen: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Return the house agents by protocol: those chosen for ``protocol``, and ``random`` wherever there is one.

    Raises UserError if a chosen agent cannot play.
    """
    found = registry.find_protocol(protocol, workspace)
    for agent in chosen:
        if resolve_agent(agent, found, workspace).is_outside:
            raise UserError(f"house agent {agent!r}: must be a program on this machine")
    names = registry.protocol_names(workspace)
    house: dict[str, Sequence[str]] = {
        name: [DEFAULT_HOUSE] for name in names if DEFAULT_HOUSE in workspace.agents(name)
    }
    # Games are planned in the workspace's folder, not in the one where the command was typed.
    own = [str(Path(agent).absolute()) if Path(agent).exists() else agent for agent in chosen]
    return {**house, protocol: own} if own else house


def default_queue(workspace: Workspace) -> str:
    """Return the protocol for clients that do not name one: the first with an API of its own, if any has."""
    names = registry.protocol_names(workspace)
    own = (name for name in names if registry.find_protocol(name, workspace).rest)
    return next(own, next(iter(names)))


def check_settings(config: ArenaConfig) -> None:
    """Raise UserError if no game of the protocol of the queue can be played with these settings, or if this machine cannot
    contain the programs that teams upload."""
    protocols = [registry.find_protocol(each, config.workspace) for each in registry.protocol_names(config.workspace)]
    options = {option.name for protocol in protocols for option in protocol.options}
    for option in config.settings.options:
        if option not in options:
            raise unknown("option", option, sorted(options))
    protocol = registry.find_protocol(config.queue_protocol, config.workspace)
    config.plan(protocol, [""] * protocol.seats[0], {})

    if not config.uploads:
        return
    level = choose_sandbox(config.settings.sandbox or config.workspace.settings.sandbox).level
    if level not in _CONTAINING:
        raise UserError(f"--uploads needs a sandbox that can contain untrusted programs; level {level!r} cannot")
