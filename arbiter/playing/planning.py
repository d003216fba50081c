"""Makes plans from what the user asked for.

Everything is checked and every agent is prepared before the first game starts, so that all of the user's mistakes are found
first. This is done once per run: workers get the finished plan.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from arbiter import registry
from arbiter.agents.building.builder import Builder
from arbiter.agents.clock.charge import CLOCKS, Clock
from arbiter.agents.clock.schedstat import kernel_reports_waits
from arbiter.agents.prepare.agent import LIFETIMES, Agent
from arbiter.agents.prepare.fingerprint import fingerprint
from arbiter.agents.prepare.resolve import resolve_all
from arbiter.agents.sandbox.levels import SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.agents.sandbox.visible import notes as notes_on
from arbiter.agents.sandbox.visible import private_folders, visible_files
from arbiter.config.game_settings import GameSettings
from arbiter.config.limits import (
    LIMITS,
    NONE,
    UNLIMITED,
    Explained,
    Limits,
    Source,
    check_names,
    resolve_limits,
    scaled,
)
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError, in_field, unknown, wrong_value
from arbiter.game import Lifetime, Protocol
from arbiter.playing import open_files
from arbiter.playing.file_keeper import make_keep_folder
from arbiter.playing.outside_referee import settings as outside_referee
from arbiter.playing.plan import Entrant, Given, Plan
from arbiter.records.format import Header
from arbiter.records.reader import load_header_or_setup, load_record
from arbiter.records.stderr_log import parse_mode

COMMAND_LINE = "command line"
"""The origin of settings, in messages and in ``--explain``."""


def make_plan(
    protocol_name: str,
    agents: Sequence[str],
    settings: GameSettings | None = None,
    *,
    setup: Path | None = None,
    save: Path | None = None,
    workspace: Workspace | None = None,
    base: Path | None = None,
) -> Plan:
    """Plan games in which all these agents play together. Raises UserError.

    Relative paths of agents are relative to ``base``, which defaults to the current folder.
    """
    where = workspace or Workspace()
    protocol = registry.find_protocol(protocol_name, where)
    registry.check_seats(protocol, len(agents))
    given = _read_setup(setup, protocol, len(agents)) if setup else None
    return plan_games(
        protocol,
        lambda builder: builder.build_all(resolve_all(agents, protocol, where, base)),
        settings or GameSettings(),
        where,
        save=save or where.games,
        given=given,
        given_file=str(setup),
    )


def plan_games(
    protocol: Protocol,
    prepare_agents: Callable[[Builder], Sequence[Agent]],
    settings: GameSettings,
    workspace: Workspace,
    *,
    save: Path,
    origin: str = COMMAND_LINE,
    given: Given | None = None,
    given_file: str = "",
) -> Plan:
    """Check all settings, prepare the agents and resolve the limits of each. Raises UserError.

    Agents are prepared last: a build takes longer than finding a mistake in the settings. ``prepare_agents`` resolves and
    builds them. ``origin`` says in messages where ``settings`` come from; if empty, messages name the setting.
    """
    open_files.allow_enough()
    own = workspace.protocol(protocol.name)
    layers: list[tuple[str, dict[str, object]]] = [("arbiter.toml", dict(own.options))]
    if given:
        layers.append((given_file, dict(given.options)))
    for name, value in own.options.items():
        with workspace.located_errors("protocols", protocol.name, "options", name):
            registry.choose_options(protocol, [("", {name: value})])
    for name, value in settings.options.items():
        with in_field("options", name):
            registry.choose_options(protocol, [(origin or "options", {name: value})])
    options = registry.choose_options(protocol, [*layers, (origin or "options", dict(settings.options))])
    for name, value in settings.limits.items():
        with in_field("limits", name):
            check_names({name: value}, origin or "limits")
    _check_lifetime(settings.lifetime)
    _check_time_factor(settings.time_factor)
    with in_field("clock") if settings.clock else workspace.located_errors("clock"):
        clock, notes = _choose_clock(settings.clock or workspace.settings.clock)
    with in_field("sandbox") if settings.sandbox else workspace.located_errors("sandbox"):
        sandbox = choose_sandbox(settings.sandbox or workspace.settings.sandbox)
    with in_field("log"):
        log = parse_mode(settings.log or "tail")
    with in_field("keep_files"):
        keep_files = make_keep_folder(Path(settings.keep_files)) if settings.keep_files else None
    visible = _visible(workspace)
    sources = [
        Source(f"protocol {protocol.name}", protocol.limits),
        Source("arbiter.toml", workspace.settings.limits),
        Source(f"arbiter.toml, {protocol.name}", own.limits),
        Source(origin or "limits", settings.limits),
    ]
    unlimited = [Source("--no-limits", UNLIMITED)] if settings.no_limits else []
    builder = Builder(
        sandbox,
        [*sources, *unlimited],
        private=(save, workspace.games),
        allow_uncontained=settings.allow_uncontained_build,
    )
    entrants = tuple(_entrant(agent, protocol, sources, settings) for agent in prepare_agents(builder))
    _check_save(save, entrants, sandbox)
    notes += outside_referee.check_plan(protocol.name, settings, options, [entrant.agent for entrant in entrants])
    if note := sandbox.note():
        notes.append(note)
    if sandbox.level != "none":
        agents = [entrant.agent for entrant in entrants if not entrant.agent.is_outside]
        for agent in agents:
            beside = [other for other in agents if other.folder == agent.folder]
            notes += notes_on(agent, visible_files(agent, beside, [], visible))
    folder = registry.protocol_folder(protocol.name, workspace)
    plan = Plan(
        protocol_name=protocol.name,
        protocol_version=protocol.version,
        protocol_folder=str(folder.absolute()) if folder else None,
        options=options,
        entrants=entrants,
        given=given,
        save=save,
        clock=clock,
        sandbox=sandbox,
        ponder=workspace.settings.ponder if settings.ponder is None else settings.ponder,
        visible=visible,
        private=(
            *private_folders(save, workspace.games, [entrant.agent for entrant in entrants]),
            *([keep_files] if keep_files else ()),
        ),
        log=log,
        keep_files=keep_files,
        notes=tuple(notes),
    )
    plan.__dict__["protocol"] = protocol  # loaded already: what the cached property would hold
    return plan


def _check_lifetime(lifetime: str | None) -> None:
    with in_field("lifetime"):
        if lifetime is not None and lifetime not in LIFETIMES:
            raise unknown("lifetime", lifetime, LIFETIMES)


def _check_time_factor(factor: float) -> None:
    with in_field("time_factor"):
        if factor >= 1e6:
            raise wrong_value("time factor", factor, "below 1000000")
        if not factor > 0:
            raise wrong_value("time factor", factor, "a number above 0, such as 3")


def _choose_clock(wanted: str) -> tuple[Clock, list[str]]:
    """Return the clock, and a note if this kernel does not support the one that was chosen and wall time is used."""
    chosen: Clock | None = next((known for known in CLOCKS if known == wanted), None)
    if chosen is None:
        raise unknown("clock", wanted, CLOCKS)
    if chosen == "fair" and not kernel_reports_waits():
        return "wall", ["clock: wall, because this kernel does not report the run-queue wait that 'fair' leaves out"]
    return chosen, []


def _visible(workspace: Workspace) -> tuple[str, ...]:
    for path in workspace.settings.visible:
        if not (workspace.folder / path).exists():
            with workspace.located_errors("visible"):
                raise UserError(f"visible {path!r}: no such file or folder")
    return tuple(str(workspace.folder / path) for path in workspace.settings.visible)


def _check_save(save: Path, entrants: Sequence[Entrant], sandbox: SandboxChoice) -> None:
    """Refuse to save games where an agent could read the record of the game it is playing."""
    for entrant in entrants:
        own = entrant.agent.folder
        same = os.path.realpath(save) == os.path.realpath(own) or (save.exists() and save.samefile(own))
        if same and not entrant.agent.is_outside and sandbox.level != "none":
            raise UserError(
                f"games cannot be saved in {str(save)!r}: {entrant.agent.name} could read them there; "
                "choose another folder with --save"
            )


def _read_setup(file: Path, protocol: Protocol, seats: int) -> Given:
    """Read the setup from a saved game, from a header alone, or from a file that contains just a setup."""
    found = load_header_or_setup(file)
    if not isinstance(found, Header):
        return Given(found, {}, None)
    if found.protocol != protocol.name:
        raise UserError(f"{file} is a game of {found.protocol}, not of {protocol.name}")
    if len(found.seats) != seats:
        raise UserError(f"{file} is a game of {len(found.seats)} seats, but {seats} agents were given")
    return Given(found.setup, found.options, load_record(file).seed if found.commitment else found.seed)


def _entrant(agent: Agent, protocol: Protocol, sources: Sequence[Source], settings: GameSettings) -> Entrant:
    own = [*sources, *agent.limits]
    if settings.no_limits:
        own.append(Source("--no-limits", UNLIMITED))
    limits, explained = resolve_limits(own)
    if settings.time_factor != 1.0:
        limits, explained = _scaled(limits, explained, settings.time_factor)
    wanted = settings.lifetime
    lifetime: Lifetime = next((known for known in LIFETIMES if known == wanted), agent.lifetime or protocol.lifetime)
    return Entrant(agent, lifetime, limits, tuple(explained), fingerprint(agent))


def _scaled(limits: Limits, explained: Sequence[Explained], factor: float) -> tuple[Limits, list[Explained]]:
    """Multiply all time limits by a factor."""
    return scaled(limits, factor), [
        msgspec.structs.replace(item, where=f"{item.where}, before --time-factor {factor:g}")
        if LIMITS[item.name].is_scaled and item.value != NONE
        else item
        for item in explained
    ]
