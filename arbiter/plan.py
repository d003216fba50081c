"""What is going to be played: protocol, options, agents ready to run, the limits of each. Made before any game
starts, so that every mistake of the user is found first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from arbiter import registry
from arbiter.agents.clock.charge import CLOCKS, Clock
from arbiter.agents.clock.schedstat import kernel_reports_waits
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.agent_settings import LIFETIMES
from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.agents.prepare.resolve import prepare
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.agents.sandbox.trial import choose as choose_sandbox
from arbiter.errors import UserError, unknown, wrong_value
from arbiter.game import Json, Lifetime, OptionValue, Protocol
from arbiter.limits import NONE, Explained, Limits, Source, resolve
from arbiter.records.format import Header
from arbiter.records.reader import load_header_or_setup
from arbiter.units import duration_ns
from arbiter.workspace import Workspace

_TIMES = ("move", "first_move", "total", "increment", "margin")
_UNLIMITED = {
    "move": "24h",
    "first_move": "24h",
    "output": "1GB",
    "stderr": "1GB",
    "memory": "1TB",
    "processes": "100000",
    "disk": "1TB",
    "files": "100000000",
    "total": "none",
}


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent with the terms it plays under."""

    agent: Agent
    lifetime: Lifetime
    limits: Limits
    explained: Sequence[Explained]
    fingerprint: str
    """Of its program."""


@dataclass(frozen=True, slots=True)
class Given:
    """A setup that games are to start from."""

    setup: Json
    options: Mapping[str, object]
    seed: int | None
    """Of the game it was taken from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A series of games about to be played."""

    protocol: Protocol
    options: Mapping[str, OptionValue]
    entrants: Sequence[Entrant]
    given: Given | None
    """What every game starts from, unless that is to be dealt."""
    save: Path
    clock: Clock
    sandbox: SandboxChoice
    ponder: bool
    workspace: Workspace
    notes: Sequence[str] = ()
    """What the user should know before the games begin."""

    @property
    def setup(self) -> Json:
        """A given setup, or None."""
        return self.given.setup if self.given else None


def make_plan(
    protocol_name: str,
    agents: Sequence[str],
    *,
    options: Mapping[str, object] | None = None,
    limits: Mapping[str, object] | None = None,
    lifetime: str | None = None,
    clock: str | None = None,
    sandbox: str | None = None,
    ponder: bool | None = None,
    time_factor: float = 1.0,
    no_limits: bool = False,
    setup: Path | None = None,
    save: Path | None = None,
    workspace: Workspace | None = None,
    seats: int | None = None,
    base: Path | None = None,
) -> Plan:
    """Check everything and get every agent ready. Raises UserError.

    ``seats`` are those of one table, where not all agents sit at the same; ``base`` is the folder that paths of agents
    are relative to, the current one unless told otherwise.
    """
    where = workspace or Workspace()
    protocol = registry.find(protocol_name, where)
    registry.check_seats(protocol, seats or len(agents))
    given = _given(setup, protocol, len(agents)) if setup else None
    layers: list[tuple[str, dict[str, object]]] = [("arbiter.toml", dict(where.protocol(protocol.name).options))]
    if given:
        layers.append((str(setup), dict(given.options)))
    layers.append(("command line", dict(options or {})))
    chosen = registry.choose_options(protocol, layers)
    sources = [Source(f"protocol {protocol.name}", protocol.limits), Source("arbiter.toml", where.settings.limits)]
    sources += [Source(f"arbiter.toml, {protocol.name}", where.protocol(protocol.name).limits)]
    sources += [Source("command line", limits or {})]
    if lifetime is not None and lifetime not in LIFETIMES:
        raise unknown("lifetime", lifetime, LIFETIMES)
    entrants = [
        _entrant(agent, protocol, sources, lifetime=lifetime, factor=time_factor, no_limits=no_limits)
        for agent in prepare(agents, protocol, where, base)
    ]
    kept, notes = _clock(clock or where.settings.clock)
    contained = choose_sandbox(sandbox or where.settings.sandbox)
    for path in where.settings.visible:
        if not (where.folder / path).exists():
            raise UserError(f"arbiter.toml: visible {path!r}: no such file or folder")
    saved = save or where.games
    _check_save(saved, entrants, contained)
    if note := contained.note():
        notes.append(note)
    return Plan(
        protocol=protocol,
        options=chosen,
        entrants=entrants,
        given=given,
        save=saved,
        clock=kept,
        sandbox=contained,
        ponder=where.settings.ponder if ponder is None else ponder,
        workspace=where,
        notes=notes,
    )


def _check_save(save: Path, entrants: Sequence[Entrant], sandbox: SandboxChoice) -> None:
    """An agent sees the folder of its program, and must not see the game that is being played."""
    for entrant in entrants:
        if not entrant.agent.is_human and sandbox.level != "none" and save.resolve() == entrant.agent.folder.resolve():
            raise UserError(
                f"games cannot be saved in {str(save)!r}: {entrant.agent.name} would see them there; name another folder"
            )


def _given(file: Path, protocol: Protocol, seats: int) -> Given:
    """From a saved game, its header alone, or a file with nothing but a setup."""
    found = load_header_or_setup(file)
    if not isinstance(found, Header):
        return Given(found, {}, None)
    if found.protocol != protocol.name:
        raise UserError(f"{file} is a game of {found.protocol}, not of {protocol.name}")
    if len(found.seats) != seats:
        raise UserError(f"{file} is a game of {len(found.seats)} seats; {seats} agents were given")
    return Given(found.setup, found.options, found.seed)


def _clock(wanted: str) -> tuple[Clock, list[str]]:
    """The clock asked for; wall time where the kernel does not tell what the fair one needs."""
    chosen: Clock | None = next((known for known in CLOCKS if known == wanted), None)
    if chosen is None:
        raise unknown("clock", wanted, CLOCKS)
    if chosen == "fair" and not kernel_reports_waits():
        return "wall", ["the clock is wall time: this kernel does not tell how long a process had to wait for a core"]
    return chosen, []


def _entrant(
    agent: Agent, protocol: Protocol, sources: Sequence[Source], *, lifetime: str | None, factor: float, no_limits: bool
) -> Entrant:
    own = [*sources, *agent.limits]
    if no_limits:
        own.append(Source("--no-limits", _UNLIMITED))
    limits, explained = resolve(own)
    if factor != 1.0:
        if not 0 < factor < 1e6:
            raise wrong_value("time factor", factor, "a number above 0, such as 3")
        longest = duration_ns("24h")
        limits = replace(
            limits,
            move_ns=min(longest, max(1, round(limits.move_ns * factor))),
            first_move_ns=min(longest, max(1, round(limits.first_move_ns * factor))),
            total_ns=round(limits.total_ns * factor),
            increment_ns=round(limits.increment_ns * factor),
            margin_ns=round(limits.margin_ns * factor),
        )
        explained = [
            replace(item, where=f"{item.where}, before --time-factor {factor:g}")
            if item.name in _TIMES and item.value != NONE
            else item
            for item in explained
        ]
    chosen: Lifetime = next((known for known in LIFETIMES if known == lifetime), agent.lifetime or protocol.lifetime)
    return Entrant(agent, chosen, limits, explained, fingerprint(agent))
