"""Help pages with options under headings, for commands with too many options for one list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

OWN = "Options"
CONDITIONS = "Conditions (games must match all of them)"
SETTINGS = "How games are played"
RUNNING = "How the contest is run"
CLUSTER = "On a cluster"
REMOTE = "With remote agents"
LIMITS = "Limits for every agent (--move 2s is short for --limit move=2s)"
_HEADINGS = (OWN, CONDITIONS, SETTINGS, RUNNING, CLUSTER, REMOTE, LIMITS)
"""In the order of their sections."""


class _HeadedOption(click.Option):
    def __init__(self, *args: Any, heading: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.heading = heading


def headed_option(heading: str, *flags: str, **settings: Any) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return ``click.option`` for an option that a :class:`GroupedCommand` shows under this heading."""
    return click.option(*flags, cls=_HeadedOption, heading=heading, **settings)


class GroupedCommand(click.Command):
    """A command whose help has a section for every heading that its options have."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in _HEADINGS}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (row := parameter.get_help_record(ctx)) is not None:
                rows[parameter.heading if isinstance(parameter, _HeadedOption) else OWN].append(row)
        for heading, records in rows.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
