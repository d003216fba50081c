"""A flag means one thing in every command."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import click
import pytest

from arbiter.cli.options import TABLE
from tests.cli.walking import with_subcommands
from tests.nullgame.command import arbiter
from tests.nullgame.place import bidder

MEANINGS = {flag: row.meaning for row in TABLE.values() for flag in row.flags if flag.startswith("-")}


def meaning(option: click.Option) -> str:
    """Return what must be the same wherever a flag is used; what follows the meaning in the table may differ."""
    help_text = (option.help or "").split("  [default: ")[0]
    known = MEANINGS.get(option.opts[0], "")
    shown = known if known and help_text.startswith(known) else help_text
    kind = type(option.type).__name__, option.is_flag, option.multiple, option.metavar
    return f"{option.name} {sorted(option.opts + option.secondary_opts)} {kind}: {shown}"


def contradictions(commands: dict[str, click.Command]) -> dict[str, dict[str, list[str]]]:
    """Return the flags with more than one meaning; each meaning with the commands that have it."""
    by_flag: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, command in commands.items():
        for option in command.params:
            if isinstance(option, click.Option):
                for flag in (*option.opts, *option.secondary_opts):
                    by_flag[flag][meaning(option)].append(name)
    return {flag: dict(found) for flag, found in by_flag.items() if len(found) > 1}


def test_no_flag_means_two_things() -> None:
    assert contradictions(with_subcommands()) == {}


def test_every_row_of_the_table_is_used_by_more_than_one_command() -> None:
    used = [flag for command in with_subcommands().values() for option in command.params for flag in option.opts]
    assert [row.flags[0] for row in TABLE.values() if used.count(row.flags[0]) < 2] == []


@pytest.mark.parametrize(
    ("words", "where"),
    [("--move 700ms", "700ms"), ("-l move=700ms", "700ms"), ("--move 700ms --limit move=700ms", "700ms")],
)
def test_the_flag_and_the_limit_are_the_same(place: Path, words: str, where: str) -> None:
    bots = [bidder(place, "five", 5), bidder(place, "six", 6)]
    ran = arbiter("play", "auction", *bots, "--explain", "--json", *words.split())
    assert ran.document["agents"][0]["limits"]["move"]["value"] == where


def test_a_match_takes_the_flags_of_limits(place: Path) -> None:
    bots = [bidder(place, "five", 5), bidder(place, "six", 6)]
    ran = arbiter("match", "auction", *bots, "-n", "2", "--move", "soon")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "arbiter: command line: limit move 'soon': must be a duration such as 10s, 50ms or 2m\n"
    assert arbiter("match", "auction", *bots, "-n", "2", "--move", "9s", "--name", "x").code == 0
    assert "move: 9s" in (place / "matches" / "games" / "x" / "contest.yaml").read_text()
