"""From the definition of a contest to a contest that can be run: agents expanded and prepared, everything checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from arbiter import registry
from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent, with_distinct_names
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Contest, Definition
from arbiter.contest.entries import absent_agent, load_agents
from arbiter.contest.schedules import registry as schedules
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.statistics.question import parse_question
from arbiter.errors import FieldError, UserError, in_field, out_of_range, wrong_value
from arbiter.game import Protocol
from arbiter.playing.planning import COMMAND_LINE, plan_games
from arbiter.text import safe


def make_contest(
    definition: Definition,
    schedule: Mapping[str, object],
    save: Path,
    *,
    origin: str = COMMAND_LINE,
    **more: Any,
) -> Contest:
    """Prepare the agents and make the plan of a contest, once. Raises UserError, with the field at fault where known.

    Agents that cannot play, for example because they do not build, are left out with a note. ``origin`` is that of
    :func:`arbiter.playing.planning.plan_games`, and ``more`` are fields of :class:`Contest`.
    """
    with in_field("name"):
        check_contest_name(definition.name)
    workspace = workspace_of(definition)
    protocol = contest_protocol(definition)
    made = make_schedule(schedule, protocol, definition.seats)
    base = Path(definition.base) if definition.base else Path.cwd()
    notes: list[str] = []
    texts: list[str] = []

    def prepare_agents(builder: Builder) -> list[Agent]:
        good, bad = load_agents(definition.agents, protocol, base, workspace, builder)
        absent = [agent.name for _, agent in good if agent.is_absent]
        if made.absent_play:
            notes.extend(f"{safe(text)} loses its moves in all games: {reason}" for text, reason in bad.items())
            good += [(text, absent_agent(text, base)) for text in bad]
        else:
            notes.extend(f"{safe(text)} does not take part: {reason}" for text, reason in bad.items())
        if len(good) < made.seats and notes:
            raise UserError("\n".join(notes))
        notes.extend(f"{name} is absent and loses its moves in all games" for name in absent)
        texts.extend(text for text, _ in good)
        return with_distinct_names([agent for _, agent in good], texts)

    with in_field("agents"):
        plan = plan_games(
            protocol, prepare_agents, definition.settings, workspace, save=save / definition.name, origin=origin
        )
    names = tuple(entrant.agent.name for entrant in plan.entrants)
    with in_field("schedule"):
        made.check(names)
    resolved = msgspec.structs.replace(definition, agents=tuple(texts), seats=made.seats)
    folder = save / definition.name
    return Contest(resolved, names, made, folder, plan, seeded="seed" in schedule, notes=notes, **more)


def workspace_of(definition: Definition) -> Workspace:
    """The workspace whose arbiter.toml applies to a contest."""
    return Workspace(Path(definition.workspace) if definition.workspace else None)


def contest_protocol(definition: Definition) -> Protocol:
    """The protocol of a contest. Raises UserError."""
    with in_field("protocol"):
        return registry.find_protocol(definition.protocol, workspace_of(definition))


def seats_per_table(protocol: Protocol, wanted: int | None) -> int:
    """The seats asked for; by default two, or the fewest the protocol allows if that is more. Raises UserError."""
    fewest, most = protocol.seats
    if wanted is None:
        return max(fewest, min(2, most))
    if not fewest <= wanted <= most:
        raise FieldError(out_of_range("seats", wanted, fewest, most), "seats")
    return wanted


def make_schedule(data: Mapping[str, object], protocol: Protocol, seats: int | None) -> Schedule:
    """The schedule that plain data describes, for tables of ``seats`` agents. Raises UserError."""
    kind = data.get("kind")
    if isinstance(kind, str):
        with in_field("schedule", "kind"):
            schedules.find_kind(kind)
    defaults = {"seats": seats_per_table(protocol, seats), **protocol.season}
    try:
        return schedules.schedule_from_data(data, defaults)
    except UserError as error:
        raise FieldError(error, "schedule", *(error.path if isinstance(error, FieldError) else ())) from None


def stop_when(contest: Contest, question: str) -> Contest:
    """The same contest, ended when this question is settled; empty for none. Raises UserError."""
    return replace(contest, until=parse_question(question, contest.names), question=question) if question else contest


def check_contest_name(name: str) -> None:
    """Raise UserError if a folder cannot be named after a contest of this name."""
    if not name or "/" in name or name.startswith(".") or not name.isprintable():
        raise wrong_value("name", name, "a folder name: printable, without a slash or a leading dot")
