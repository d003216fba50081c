"""The page about contests is correct, and so are the match files that come with the arbiter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
import yaml

from arbiter.agents.building.builder import Builder
from arbiter.agents.prepare.agent import Agent
from arbiter.contest.match_file import MatchFile, load_contest
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.registry import kinds
from tests.nullgame.place import adder
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PAGE = (ROOT / "docs" / "contests.md").read_text(encoding="utf-8")
FILES = sorted((ROOT / "matches").glob("*.yaml"))
SNIPPETS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def _nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """tests/sample_agents builds them; here, a compiler would take longer than everything else."""

    def build(_: Builder, agent: Agent, __: Sequence[Agent] = ()) -> Agent:
        return msgspec.structs.replace(agent, command=("/bin/true",), build=None) if agent.build else agent

    monkeypatch.setattr(Builder, "build", build)


@pytest.mark.usefixtures("_nothing_is_built")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_match_file_is_a_contest_with_games(file: Path, tmp_path: Path) -> None:
    contest = load_contest(file, save=tmp_path)
    assert contest.notes == []
    assert contest.schedule.next_games(contest.names, {})
    assert contest.labels["title"]
    assert "on two cores" in file.read_text(encoding="utf-8"), "how long does it take?"


@pytest.mark.usefixtures("_nothing_is_built")
def test_there_is_a_match_file_for_every_kind() -> None:
    assert {load_contest(file).schedule.kind for file in FILES} == set(kinds())


def test_the_match_file_on_the_page_is_valid(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "mine.cpp").write_text("int main() {}\n")
    file = tmp_path / "cup.yaml"
    file.write_text(SNIPPETS[0], encoding="utf-8")
    contest = load_contest(file, save=tmp_path / "games")
    assert contest.names == ("greedy", "mine")
    assert contest.folder == tmp_path / "games" / "cup"


@pytest.mark.parametrize("snippet", SNIPPETS[1:], ids=lambda snippet: yaml.safe_load(snippet)["schedule"]["kind"])
def test_every_example_of_a_kind_is_valid(place: Path, snippet: str) -> None:
    agents = [adder(place, name, 1) for name in ("new", "old", "bronze", "silver", "a", "b", "c", "d")]
    file = place / "cup.yaml"
    file.write_text(yaml.safe_dump({"protocol": "count_up", "agents": agents}) + snippet, encoding="utf-8")
    contest = load_contest(file)
    assert contest.schedule.next_games(contest.names, {})


def test_every_kind_has_an_example() -> None:
    assert [yaml.safe_load(snippet)["schedule"]["kind"] for snippet in SNIPPETS[1:]] == list(rows_of("## Kinds"))


def rows_of(heading: str) -> dict[str, str]:
    """Return a table of the page by its first column."""
    part = PAGE.split(heading, 1)[1].split("\n## ", 1)[0]
    rows = [line.strip("| ").split("|") for line in part.splitlines() if line.startswith("|")]
    return {name.strip(" `"): " ".join(rest) for name, *rest in rows[2:]}


def test_every_kind_is_on_the_page_with_its_parameters() -> None:
    rows = rows_of("## Kinds")
    assert set(rows) == set(kinds())
    common = {*Schedule.__struct_fields__, "seating"}
    for kind, schedule in kinds().items():
        described = set(re.findall(r"`(\w+)`", rows[kind]))
        assert set(schedule.__struct_fields__) - common <= described, kind


def test_every_key_of_a_match_file_is_on_the_page() -> None:
    keys = {word for row in rows_of("## A match file") for word in re.findall(r"\w+", row)}
    assert keys == set(MatchFile.__struct_fields__)
