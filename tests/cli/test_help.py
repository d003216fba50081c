"""Help: one page per command, with examples that parse, in 80 columns."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import arbiter.cli
from arbiter.cli import COMMANDS
from tests.cli.walking import examples, help_page, with_subcommands
from tests.docs.parsing import check_options
from tests.nullgame.command import arbiter as run

EVERY = ["", *with_subcommands()]


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
