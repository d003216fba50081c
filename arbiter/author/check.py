"""A conformance run of one agent: does it start, answer legally in unusual positions, play whole games, keep to its limits?

Positions come from the protocol's corpus, and a new process is started in each of them, as the arbiter does after a late
answer. Whole games are played by the agent against itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from arbiter.agents.launch import cores
from arbiter.author.check_report import ChargeStats, CheckReport, CheckResult, Growth
from arbiter.author.check_run import CheckedAgent, CheckRun
from arbiter.author.evidence import Evidence
from arbiter.author.positions import position
from arbiter.author.workbench import plan_agent
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.game import Lifetime
from arbiter.registry import find_protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckSettings:
    """The request for a check."""

    lifetimes: Sequence[Lifetime] = ()
    """Empty: the agent's own, or the protocol's default."""
    positions: int = 60
    games: int = 8
    """The most whole games, one per variant."""
    settings: GameSettings = field(default_factory=GameSettings)
    position: int | None = None
    """Only the position with this number."""
    save: Path | None = None
    """The folder for inputs and games of what goes wrong; by default a new one in the current folder."""


def check_agent(
    protocol_name: str,
    text: str,
    wanted: CheckSettings,
    workspace: Workspace,
    tell: Callable[[str], None] = lambda _: None,
) -> CheckReport:
    """Check an agent; ``tell`` is called with what is being done. Raises UserError if it cannot be prepared."""
    protocol = find_protocol(protocol_name, workspace)
    plan = plan_agent(protocol, text, wanted.settings, workspace, workspace.games)
    name = plan.entrants[0].agent.name
    lifetimes = wanted.lifetimes or (plan.entrants[0].lifetime,)
    evidence = Evidence(wanted.save, name, protocol, [protocol_name, text, *_typed(wanted.settings)])
    checks: list[CheckResult] = []
    times: dict[str, ChargeStats] = {}
    memory: dict[str, int] = {}
    growth: dict[str, Growth] = {}
    with cores.pinned() as on, tempfile.TemporaryDirectory(prefix="arbiter-check-") as folder:
        for lifetime in lifetimes:
            settings = msgspec.structs.replace(wanted.settings, lifetime=lifetime)
            own = plan_agent(protocol, text, settings, workspace, workspace.games)
            subject = CheckedAgent(protocol, text, own, settings, workspace, on, Path(folder) / lifetime)
            run = CheckRun(subject, evidence, tell)
            if wanted.position is not None:
                checks.append(run.only(position(protocol, wanted.position)))
            else:
                checks += run.checks(wanted.positions, wanted.games)
            times[lifetime] = run.times()
            if run.peak_bytes:
                memory[lifetime] = run.peak_bytes
            if run.growth:
                growth[lifetime] = run.growth
    return CheckReport(
        protocol=protocol.name,
        agent=name,
        checks=tuple(checks),
        times=times,
        memory=memory,
        growth=growth,
        folder=str(evidence.folder or ""),
        notes=plan.notes,
    )


def _typed(settings: GameSettings) -> list[str]:
    """Return the options of ``arbiter check`` for the settings that differ from the defaults."""
    words = [word for name, value in settings.limits.items() for word in ("--limit", f"{name}={value}")]
    words += ["--sandbox", settings.sandbox] if settings.sandbox else []
    return words + (["--time-factor", f"{settings.time_factor:g}"] if settings.time_factor != 1 else [])
