"""Help: one page per command, with examples that parse, in 80 columns."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

import arbiter.cli
from arbiter.cli import COMMANDS, GROUPS
from tests.cli.walking import examples, help_page, with_subcommands
from tests.docs.parsing import check_options
from tests.nullgame.command import arbiter as run

EVERY = ["", *with_subcommands()]


def test_commands_are_listed_under_four_headings() -> None:
    page = run("--help").out
    assert re.findall(r"^(\w+):$", page, re.MULTILINE) == ["Options", "Play", "Contests", "Records", "Machine"]
    for heading, commands in GROUPS.items():
        part = page.split(f"\n{heading}:\n")[1].split("\n\n")[0]
        assert [line.split()[0] for line in part.splitlines()] == list(commands)


@pytest.mark.parametrize(("words", "same_as"), [("help", "--help"), ("help show", "show --help")])
def test_help_is_a_command_too(words: str, same_as: str) -> None:
    assert run(*words.split()) == run(*same_as.split())
    assert run("help", "shwo").err.startswith("arbiter: unknown command 'shwo'; did you mean 'show'?")


def test_every_module_with_a_command_is_listed() -> None:
    files = Path(arbiter.cli.__file__).parent.glob("[!_]*.py")
    modules = {file.stem: importlib.import_module(f"arbiter.cli.{file.stem}") for file in files}
    assert {name.replace("_", "-") for name, module in modules.items() if hasattr(module, "command")} == set(COMMANDS)


@pytest.mark.parametrize("name", EVERY)
def test_a_page_has_two_examples_that_parse(name: str) -> None:
    shown = examples(help_page(name))
    assert len(shown) >= 2
    for line in shown:
        assert line.startswith(f"arbiter {name}".strip() + " ") or line == f"arbiter {name}"
        check_options(line)


@pytest.mark.parametrize("name", EVERY)
def test_a_page_fits_80_columns(name: str) -> None:
    assert [line for line in help_page(name).splitlines() if len(line) > 80] == []


def test_the_limits_of_agents_have_a_heading_of_their_own() -> None:
    for name in ("play", "match", "tournament", "check", "rerun", "arena"):
        options, limits = help_page(name).split("\nLimits for every agent ")
        assert "--move LIMIT" in limits
        assert "--help" in options
        assert "--move LIMIT" not in options


def test_long_pages_have_their_options_under_headings() -> None:
    headings = {name: re.findall(r"^([A-Z].*[^:]):$", help_page(name), re.MULTILINE) for name in EVERY}
    limits = "Limits for every agent (--move 2s is short for --limit move=2s)"
    contest = ["How games are played", "How the contest is run", "On a cluster"]
    assert headings["play"] == ["Options", "How games are played", "With remote agents", limits]
    assert headings["match"] == headings["tournament"] == ["Options", *contest, limits]
    assert headings["games"] == headings["stats"] == ["Options", "Conditions (games must match all of them)"]
