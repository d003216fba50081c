"""The builder: from agents that have to be built to agents that can run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import finished
from arbiter.agents.sandbox.levels import Level, SandboxChoice
from arbiter.config.limits import Source

WEAK: tuple[Level, ...] = ("none", "rlimits")
"""Levels at which a program can read and write everything that its user can."""


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds agents under the settings of one run."""

    sandbox: SandboxChoice
    limits: Sequence[Source] = ()
    """The layers of limits below those of the agents."""
    private: Collection[Path] = field(default=(), kw_only=True)
    """Folders that no build may read."""
    allow_uncontained: bool = field(default=False, kw_only=True)

    @property
    def uncontained(self) -> bool:
        """Whether builds run uncontained: the level is weak, and the user allows that."""
        return self.allow_uncontained and self.sandbox.level in WEAK

    def build(self, agent: Agent, others: Sequence[Agent] = ()) -> Agent:
        """Return the agent with the command that runs it, built now unless its result is in the cache.

        ``others`` are agents whose files it must not read. Raises UserError; that of a failed build quotes the compiler.
        """
        if agent.build is None:
            return agent
        from arbiter.agents.building.order import result_of  # imports archives and boxes, which scripts do not need

        return finished(agent, result_of(agent, agent.build, others, self))

    def build_all(self, agents: Sequence[Agent]) -> list[Agent]:
        """Build several agents, none of which may read the files of another. Raises UserError for the first that fails."""
        return [self.build(agent, [other for other in agents if other is not agent]) for agent in agents]
