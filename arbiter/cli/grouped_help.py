"""Help pages: options under headings, the everyday ones with ``--help`` and all with ``--help-all``.

Where an option is shown is said where it is declared: by the heading of :func:`headed_option`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import click


class Heading(NamedTuple):
    """A section of a help page."""

    title: str
    everyday: bool = False
    """Whether ``--help`` shows it; the others are behind ``--help-all``."""


OWN = Heading("Options", everyday=True)
CONDITIONS = Heading("Conditions (games must match all of them)", everyday=True)
SETTINGS = Heading("How games are played")
RUNNING = Heading("How the contest is run")
REMOTE = Heading("With remote agents")
_SHOWS_ALL = "arbiter.help_all"


class _HeadedOption(click.Option):
    def __init__(self, *args: Any, heading: Heading, **more: Any) -> None:
        super().__init__(*args, **more)
        self.heading = heading


def headed_option(
    heading: Heading, *flags: str, **settings: Any
) -> Callable[[click.decorators.FC], click.decorators.FC]:
    """Return ``click.option`` for an option that a :class:`GroupedCommand` shows under this heading."""
    return click.option(*flags, cls=_HeadedOption, heading=heading, **settings)


def help_all(*, hidden: bool = False) -> click.Option:
    """Return the option ``--help-all``; hidden where it shows no more than ``--help``."""
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_print_all,
        help="Show the whole of this page and exit.",
        hidden=hidden,
    )


def _print_all(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        ctx.meta[_SHOWS_ALL] = True
        click.echo(ctx.get_help())
        ctx.exit()


def shows_all(ctx: click.Context) -> bool:
    """Return whether the help page is that of ``--help-all``."""
    return bool(ctx.meta.get(_SHOWS_ALL))


def heading_of(parameter: click.Parameter) -> Heading:
    """Return the heading under which an option is shown."""
    return parameter.heading if isinstance(parameter, _HeadedOption) else OWN


class GroupedCommand(click.Command):
    """A command whose help has a section for every heading that its options have."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters, with ``--help-all`` if there are options that ``--help`` does not show."""
        found = super().get_params(ctx)
        more = not all(heading_of(each).everyday for each in found)
        return [*found, help_all()] if more else found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the sections."""
        rows: dict[Heading, list[tuple[str, str]]] = {OWN: []}
        for parameter in self.get_params(ctx):
            if isinstance(parameter, click.Option) and (row := parameter.get_help_record(ctx)) is not None:
                rows.setdefault(heading_of(parameter), []).append(row)
        for heading, records in rows.items():
            if heading.everyday or shows_all(ctx):
                with formatter.section(heading.title):
                    formatter.write_dl(records)
