"""Distinct names for the agents of a game or contest: results and records tell agents apart by their names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import Agent, clean_name


def with_distinct_names(found: Sequence[Agent], texts: Sequence[str]) -> list[Agent]:
    """Rename agents that share a name: ``bot.py`` and ``bot.js``, ``greedy`` and ``greedy-2``.

    ``texts`` are what the user typed for them, in the same order.
    """
    agents = [_with_extension(agent, texts) for agent in found]
    taken: set[str] = set()
    for index, agent in enumerate(agents):
        name, count = agent.name, 1
        while name in taken:
            count += 1
            name = f"{agent.name}-{count}"
        taken.add(name)
        agents[index] = msgspec.structs.replace(agent, name=name)
    return agents


def _with_extension(agent: Agent, texts: Sequence[str]) -> Agent:
    """Name an agent after its file with the extension, if another file differs from it in the extension only."""
    file = Path(agent.source)
    if agent.name != file.stem or not any(
        Path(text).stem == file.stem and Path(text).suffix != file.suffix for text in texts
    ):
        return agent
    return msgspec.structs.replace(agent, name=clean_name(file.name))
