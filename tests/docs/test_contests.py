"""The page about contests, and the match files that come with the arbiter, are true."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from arbiter.cli import cli
from arbiter.contest.file import load
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.parameters import names
from arbiter.contest.schedules.registry import kinds

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contests.md").read_text(encoding="utf-8")
FILES = sorted((ROOT / "matches").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_file_describes_a_contest_that_has_games(file: Path, tmp_path: Path) -> None:
    contest = load(file, save=tmp_path)
    assert contest.notes == []
    assert contest.schedule.next_games(contest.names, {})
    assert contest.labels["title"]


def test_there_is_a_match_file_for_every_kind() -> None:
    assert {load(file).schedule.kind for file in FILES} == set(kinds())


def test_the_match_file_of_the_page_is_understood(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.cpp").write_text("int main() {}\n")
    file = tmp_path / "cup.yaml"
    file.write_text(text, encoding="utf-8")
    contest = load(file, save=tmp_path / "games")
    assert contest.names == ("greedy", "mine")
    assert contest.folder == tmp_path / "games" / "cup"


def rows_of(heading: str) -> dict[str, str]:
    """A table of the page, the first column by name."""
    part = PAGE.split(heading, 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("| ").split("|") for line in part.splitlines() if line.startswith("|")]
    return {name.strip(" `"): " ".join(rest) for name, *rest in rows[2:]}


def test_every_kind_is_on_the_page_with_its_parameters() -> None:
    rows = rows_of("## Kinds")
    assert set(rows) == set(kinds())
    common = {*names(Schedule), "seating"}
    for kind, schedule in kinds().items():
        described = set(re.findall(r"`(\w+)`", rows[kind]))
        assert set(names(schedule)) - common <= described, kind


def commands() -> list[str]:
    return [line.strip() for line in PAGE.splitlines() if line.startswith("    arbiter ")]


@pytest.mark.parametrize("command", commands())
def test_commands_on_the_page_can_be_typed(command: str) -> None:
    _, name, *words = shlex.split(command)
    around = click.Context(cli, **cli.context_settings)
    found = cli.get_command(around, name)
    assert found is not None
    found.make_context(name, words, parent=around)  # raises for options that there are not
