"""Colour: --color before or after the command, then NO_COLOR and TERM, then whether the output is a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.cli import colour
from tests.cli.terminal import printed_at_a_terminal
from tests.nullgame.command import arbiter

BOLD, RED = "\x1b[1m", "\x1b[31m"


@pytest.mark.parametrize(
    ("words", "environment", "decided"),
    [
        ("", {}, None),
        ("show x", {}, None),
        ("show x", {"TERM": "xterm"}, None),
        ("show x", {"NO_COLOR": "1"}, False),
        ("show x", {"NO_COLOR": ""}, None),
        ("show x", {"TERM": "dumb"}, False),
        ("show x --color always", {}, True),
        ("--color always show x", {}, True),
        ("show --color=always x", {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("show x --color never", {"TERM": "xterm"}, False),
        ("show x --color auto", {"NO_COLOR": "1"}, False),
        ("--color always show x --color never", {}, False),
        ("show x --color", {}, None),
        ("show x --color pink", {"NO_COLOR": "1"}, False),
        ("agents -- --color always", {}, None),
    ],
)
def test_the_decision(words: str, environment: dict[str, str], decided: bool | None) -> None:
    assert colour.decide(words.split(), environment) is decided


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("--color always show x", "show x"),
        ("show x --color=never --all", "show x --all"),
        ("annul 1 --because -- --color always", "annul 1 --because -- --color always"),
        ("show x --color blue", "--color blue"),
        ("show x --color", "--color"),
    ],
)
def test_every_command_takes_the_option(words: str, left: str) -> None:
    assert colour.without_flag(words.split()) == left.split()


@pytest.mark.parametrize("words", ["show counted.jsonl --all --color always", "--color always show counted.jsonl"])
def test_always_keeps_colours_in_a_pipe(shelf: Path, words: str) -> None:
    assert BOLD in arbiter(*words.split(), folder=shelf, environment={"NO_COLOR": "1"}).out


def test_a_pipe_gets_no_colours_by_default(shelf: Path) -> None:
    assert "\x1b" not in arbiter("show", "counted.jsonl", folder=shelf).out


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        ("verify counted.jsonl", {"NO_COLOR": "1"}),
        ("verify counted.jsonl", {"TERM": "dumb"}),
        ("verify counted.jsonl --color never", {}),
        ("--color never verify counted.jsonl", {}),
    ],
)
def test_a_terminal_without_colours(shelf: Path, words: str, environment: dict[str, str]) -> None:
    assert "\x1b" in printed_at_a_terminal(80, "verify", "counted.jsonl", folder=shelf)
    assert "\x1b" not in printed_at_a_terminal(80, *words.split(), folder=shelf, environment=environment)


@pytest.mark.parametrize("words", ["protocols nonsense", "nonsense", "show --nonsense"])
def test_errors_follow_it_too(place: Path, words: str) -> None:
    assert "\x1b" not in arbiter(*words.split()).err
    assert "\x1b[31m" in arbiter(*words.split(), "--color", "always").err


def test_a_word_that_is_no_choice_is_one_line(place: Path) -> None:
    ran = arbiter("protocols", "--color", "pink")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("arbiter: Invalid value for '--color': 'pink'; choose from auto, always, never")
