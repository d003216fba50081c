"""``arbiter play --explain``: the plan, and where each limit comes from."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from arbiter.cli import common, terminal
from arbiter.playing.plan import Plan
from arbiter.text import safe

if TYPE_CHECKING:
    from arbiter.cli.documents import Explanation


def print_plan(plan: Plan, as_json: bool) -> None:
    """Print the plan instead of playing it."""
    if as_json:
        common.print_json(_document(plan))
        return
    title = click.style(plan.protocol.title, bold=True)
    click.echo(terminal.hanging(f"{title}, options: ", _options(plan), len(plan.protocol.title) + 11))
    ponder = "" if plan.ponder else "; agents are frozen while it is not their turn"
    click.echo(f"the clock is {plan.clock}{ponder}; games are saved in {common.display_path(plan.save)}")
    for entrant in plan.entrants:
        agent = entrant.agent
        click.echo(f"\n{click.style(agent.name, bold=True)} ({agent.language}), lifetime {entrant.lifetime}")
        if agent.command:
            click.echo(f"  runs {shlex.join(agent.command)}\n  in   {agent.folder}")
        rows = [(item.name, item.value, item.where, "; ".join(item.overridden)) for item in entrant.explained]
        click.echo(common.fitted_table(rows, ["limit", "value", "from", "overrides"]))
    click.echo(f"\nenforced here, at sandbox level {click.style(plan.sandbox.level, bold=True)}")
    click.echo(common.fitted_table(plan.sandbox.enforced.items(), ["guarantee", "enforced"]))


def _options(plan: Plan) -> str:
    """Return the options as users write them."""
    written = {name: str(value).lower() if isinstance(value, bool) else value for name, value in plan.options.items()}
    return ", ".join(safe(f"{name}={value}", 40) for name, value in written.items()) or "none"


def _document(plan: Plan) -> Explanation:
    from arbiter.cli.documents import ExplainedAgent, ExplainedLimit, Explanation

    return Explanation(
        protocol=plan.protocol_name,
        options=dict(plan.options),
        clock=plan.clock,
        save=str(plan.save),
        agents=[
            ExplainedAgent(
                name=entrant.agent.name,
                command=list(entrant.agent.command),
                folder=str(entrant.agent.folder),
                language=entrant.agent.language,
                lifetime=entrant.lifetime,
                limits={
                    item.name: ExplainedLimit(value=item.value, where=item.where, instead_of=list(item.overridden))
                    for item in entrant.explained
                },
            )
            for entrant in plan.entrants
        ],
        ponder=plan.ponder,
        sandbox=plan.sandbox.level,
        enforced=dict(plan.sandbox.enforced),
    )
