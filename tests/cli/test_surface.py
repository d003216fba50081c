"""What users see of the command line fits in one head."""

from __future__ import annotations

import click

from arbiter.cli import COMMANDS, GROUPS, cli
from arbiter.cli.grouped_help import heading_of
from tests.cli.walking import group, help_page, with_subcommands
from tests.nullgame.command import arbiter

MOST_COMMANDS, MOST_OPTIONS, SCREEN = 22, 250, 40


def option_lines(command: click.Command) -> int:
    """Count the options of a page with --help-all; every page has --help itself."""
    context = click.Context(command, info_name=command.name, parent=group())
    return sum(isinstance(each, click.Option) and not each.hidden for each in command.get_params(context))


def test_there_are_few_commands_and_the_first_page_shows_the_everyday_ones() -> None:
    assert len(COMMANDS) <= MOST_COMMANDS
    everyday = next(iter(GROUPS.values()))
    assert len(everyday) == 10
    lines = help_page("").splitlines()
    assert [line.split()[0] for line in lines[lines.index("Commands:") + 1 :][:10]] == list(everyday)
    assert "--help-all" in " ".join(lines[-2:])
    assert len(lines) <= SCREEN


def test_all_pages_together_have_few_options() -> None:
    assert option_lines(cli) + sum(map(option_lines, with_subcommands().values())) < MOST_OPTIONS


def test_the_help_of_play_fits_one_screen() -> None:
    assert len(help_page("play").splitlines()) <= SCREEN


def test_an_option_is_shown_where_its_declaration_says() -> None:
    for name, command in with_subcommands().items():
        lines = help_page(name).splitlines()
        shown = {word.strip(",") for line in lines if line.startswith("  -") for word in line.split()[:3]}
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                assert (option.opts[-1] in shown) == heading_of(option).everyday, (name, option.opts)


def test_every_command_has_a_whole_page() -> None:
    for name in COMMANDS:
        assert arbiter(name, "--help-all").out.startswith(f"Usage: arbiter {name} "), name
