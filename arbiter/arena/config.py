"""The configuration of an arena: how its games are planned, and where their records go."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter import registry
from arbiter.agents.prepare.agent import ABSENT, REMOTE, Agent, clean_name
from arbiter.agents.prepare.distinct_names import with_distinct_names
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.arena.seats import upload_of
from arbiter.arena.store import GameRow, Kind
from arbiter.arena.upload_files import program_of, version_folder
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, unknown
from arbiter.game import Chance, Protocol
from arbiter.playing.plan import Plan
from arbiter.playing.planning import plan_games
from arbiter.records.writer import SUFFIX

TRAINING = "training"
HIDDEN = "hidden"
"""The folder of records that are not public yet."""
ENDED = "ended"
"""The folder of records of games that were ended before their result."""
CONTESTS = "contests"
"""The folder that has a folder for each contest, none of which is public."""
MOST_ALLOWANCE_NS = 500_000_000
"""The most time that a team gets for its own round trip, which it could fake."""
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

    def folder(self, kind: Kind, protocol: Protocol) -> Path:
        """Return the folder for the record of a game that is being played.

        Training games are not listed with the others. A record contains what players may not know, such as the order of a deck,
        so it is hidden until the game is over, unless the protocol lets spectators see everything.
        """
        if kind == "training":
            return self.records / TRAINING
        return self.shown if self.is_open(protocol) else self.records / HIDDEN

    def is_open(self, protocol: Protocol) -> bool:
        """Return whether spectators may follow the official games of a protocol that start now."""
        return protocol.rest is not None and not self.hide_results

    def new_record(self, row: GameRow, protocol: Protocol) -> Path:
        """Return the path for the record of a game that belongs to no contest."""
        when = re.sub(r"\D", "", row.at)[:14]
        return self.folder(row.kind, protocol) / f"{when[:8]}-{when[8:]}-{protocol.name}-{row.id}{SUFFIX}"

    @property
    def shown(self) -> Path:
        """The folder of public records."""
        return self.records / "games"

    def hides(self, row: GameRow) -> bool:
        """Return whether a game is hidden from the public. A game that was public when it started stays public."""
        if row.record:
            return row.record.startswith((f"{HIDDEN}/", f"{CONTESTS}/"))
        return self.hide_results and row.kind == "official"

    def publish(self, record: Path) -> Path:
        """Show a record in the public folder, and return its path there. That of a contest stays in its ledger, too."""
        inside = record.relative_to(self.records)
        if inside.parts[0] not in (HIDDEN, CONTESTS):
            return record
        folder = self.shown.joinpath(*inside.parts[1:-1])
        folder.mkdir(parents=True, exist_ok=True)
        target, number = folder / record.name, 1
        while target.exists():
            number += 1
            target = folder / f"{record.stem}-{number}{record.suffix}"
        target.hardlink_to(record)
        if inside.parts[0] == HIDDEN:
            record.unlink()
        return target

    def put_away(self, record: Path) -> Path:
        """Move the record of a game that was ended before its result out of the public folder, where it would count as a game
        that is being played; return its path."""
        if not record.is_relative_to(self.shown) or not record.exists():
            return record
        target = self.records / ENDED / record.name
        target.parent.mkdir(parents=True, exist_ok=True)
        return record.rename(target)

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


def check_settings(config: ArenaConfig, name: str) -> None:
    """Raise UserError if no game of a protocol, the one of the queue, can be played with these settings."""
    protocols = [registry.find_protocol(each, config.workspace) for each in registry.protocol_names(config.workspace)]
    options = {option.name for protocol in protocols for option in protocol.options}
    for option in config.settings.options:
        if option not in options:
            raise unknown("option", option, sorted(options))
    protocol = registry.find_protocol(name, config.workspace)
    config.plan(protocol, [""] * protocol.seats[0], {})


def check_sandbox(config: ArenaConfig) -> None:
    """Raise UserError if this machine cannot contain programs that teams upload."""
    level = choose_sandbox(config.settings.sandbox or config.workspace.settings.sandbox).level
    if level not in _CONTAINING:
        raise UserError(f"--uploads needs a sandbox that can contain untrusted programs; level {level!r} cannot")
