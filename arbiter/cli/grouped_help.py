"""Help pages with options under headings, for commands with too many options for one list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from arbiter.game_settings import GameSettings

LIMIT_PREFIX = "limit_"
"""How the names of the parameters for single limits begin."""
CONDITIONS = "Conditions (games must match all of them)"
SETTINGS = "How games are played"
RUNNING = "How the contest is run"
CLUSTER = "On a cluster"
REMOTE = "With remote agents"
_OWN = "Options"
_LIMITS = "Limits for every agent (--move 2s is short for --limit move=2s)"
_PARAMETERS: dict[str, tuple[str, ...]] = {
    CONDITIONS: (
        *(
            "agents",
            "won",
            "drew",
            "lost",
            "protocol",
            "faults",
            "since",
            "before",
            "seed",
            "kibitz",
            "contest",
            "stage",
        ),
        *("finished", "duplicates"),
    ),
    SETTINGS: GameSettings.__struct_fields__,
    RUNNING: ("until", "workers", "pause", "changed", "retry_technical", "weaker_sandbox"),
    CLUSTER: ("cluster", "tls_ca", "tls_cert", "tls_key"),
    REMOTE: ("host", "port", "join_time", "allowance"),
}
"""Names of parameters by heading."""


class GroupedCommand(click.Command):
    """A command whose help has the options of these groups, and the limits of agents, under headings of their own."""

    def __init__(self, *args: Any, groups: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*args, **more)
        self._groups = groups

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the other options first, then a section for every group."""
        rows: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (_OWN, *self._groups, _LIMITS)}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (row := parameter.get_help_record(ctx)) is not None:
                rows[self._heading(str(parameter.name))].append(row)
        for heading, records in rows.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)

    def _heading(self, name: str) -> str:
        if name.startswith(LIMIT_PREFIX):
            return _LIMITS
        return next((heading for heading in self._groups if name in _PARAMETERS[heading]), _OWN)
