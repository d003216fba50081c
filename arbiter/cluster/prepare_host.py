"""On a host: from the description of a run and its archives to a plan that can be played here."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import msgspec

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.levels import ONLY, SandboxChoice
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.cluster.archive_store import ArchiveStore
from arbiter.cluster.payload import PackedAgent, RunSpec
from arbiter.config.limits import Source, as_written
from arbiter.config.workspace import FILE, Workspace
from arbiter.errors import UserError
from arbiter.playing.one_game import sandbox_for
from arbiter.playing.plan import Entrant, Plan


def prepare_host(spec: RunSpec, folder: Path) -> Plan:
    """Unpack and build everything in an empty folder; return the plan for this machine. Raises UserError with the reason
    why it cannot play here."""
    store, plan = ArchiveStore(), spec.plan
    sandbox = _sandbox(plan)
    protocol_folder = str(store.unpack(spec.protocol, folder / "protocol")) if spec.protocol else None
    _write_settings(spec, folder)
    games = folder / "games"
    games.mkdir(mode=0o700)
    here = msgspec.structs.replace(
        plan,
        protocol_folder=protocol_folder,
        save=games,
        private=(str(games), str(store.folder)),
        sandbox=sandbox,
    )
    _ = here.protocol
    if missing := [path for path in plan.visible if not os.path.exists(path)]:  # noqa: PTH110 - given as text
        raise UserError(f"it has no {missing[0]!r}, which arbiter.toml makes visible to all agents")
    agents = [
        _resolved(entrant, packed, here, store, folder / str(number))
        for number, (entrant, packed) in enumerate(zip(plan.entrants, spec.agents, strict=True))
    ]
    entrants = tuple(
        msgspec.structs.replace(entrant, agent=_built(agent, agents, entrant, here, spec))
        for entrant, agent in zip(plan.entrants, agents, strict=True)
    )
    here = msgspec.structs.replace(here, entrants=entrants)
    for entrant in entrants:
        _try_to_run(here, entrant)
    return here


def _sandbox(plan: Plan) -> SandboxChoice:
    """Return the sandbox of the plan's level on this machine. Raises UserError."""
    level = plan.sandbox.level
    try:
        return choose_sandbox("none" if level == "none" else f"{ONLY}{level}")
    except UserError as error:
        raise UserError(f"it lacks sandbox level {level!r}, which the head has chosen ({error})") from None


def _write_settings(spec: RunSpec, folder: Path) -> None:
    """Write an arbiter.toml with the head's own languages."""
    lines: list[str] = []
    for name, entry in spec.languages.items():
        lines.append(f"[languages.{_toml(name)}]")
        lines += [f"{key} = {_toml(value)}" for key, value in msgspec.to_builtins(entry).items()]
    (folder / FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _toml(value: object) -> str:
    """Return a string or a list of strings. JSON is TOML, but for escaped surrogates and a raw DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _resolved(entrant: Entrant, packed: PackedAgent, plan: Plan, store: ArchiveStore, folder: Path) -> Agent:
    """Return an agent with the tools of this machine and everything else as the head has it."""
    top, agent = store.unpack(packed.archive, folder), entrant.agent
    if agent.is_absent:
        return agent
    text = shlex.join(packed.words) if packed.words else str(top / packed.inside)
    found = resolve_agent(text, plan.protocol, Workspace(folder.parent), top)
    return msgspec.structs.replace(
        found,
        name=agent.name,
        source=agent.source,
        language=agent.language,
        lifetime=agent.lifetime,
        environment=agent.environment,
        limits=agent.limits,
        threads=agent.threads,
    )


def _built(agent: Agent, agents: list[Agent], entrant: Entrant, plan: Plan, spec: RunSpec) -> Agent:
    limits = [Source("plan", as_written(entrant.limits))]
    builder = Builder(plan.sandbox, limits, private=(plan.save,), allow_uncontained=spec.allow_uncontained)
    return builder.build(agent, [other for other in agents if other is not agent])


def _try_to_run(plan: Plan, entrant: Entrant) -> None:
    """Make the sandbox that an agent will play in. Raises UserError."""
    try:
        if sandbox := sandbox_for(plan, entrant):
            with sandbox:
                sandbox.prepare()
    except (OSError, RuntimeError) as error:
        raise UserError(f"{entrant.agent.name} cannot be started in a sandbox there: {error}") from None
