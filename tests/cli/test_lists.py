"""``arbiter protocols`` and ``doctor``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.nullgame.place import adder, arbiter_toml, write

pytestmark = pytest.mark.slow


@pytest.fixture
def named(place: Path) -> Path:
    """A workspace with agents that can run and agents that cannot."""
    adder(place / "bots", "one", 1)
    arbiter_toml(
        place,
        '[protocols.count_up.agents]\none = { agent = "bots/one.sh", about = "adds one" }\ngone = "bots/gone.sh"\n'
        '[languages.Toy]\nextensions = [".toy"]\nrun = ["no-such-toy", "{source}"]\n'
        '[agents]\nwords = "sh bots/one.sh"\ntoy = "bots/bot.toy"\n',
    )
    write(place / "bots" / "bot.toy", "")
    return place


def test_agents_of_a_protocol_are_listed_with_whether_they_can_run(named: Path) -> None:
    ran = arbiter("protocols", "count_up")
    assert (ran.code, ran.err) == (0, "")
    rows = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert {"one Shell adds one", "words command", "toy Toy cannot run: no-such-toy not installed"} <= set(rows)
    assert any(row.startswith("gone cannot run: no such file ") for row in rows)
    agents = arbiter("protocols", "count_up", "--json").document["agents"]
    assert {agent["name"]: not agent["problem"] for agent in agents} == {
        "one": True, "gone": False, "words": True, "toy": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("play cou", ["plain,count_up"]),
        ("play count_up o", ["plain,one"]),
        ("play count_up one hu", ["plain,human"]),
        ("play count_up ./b", ["file,./b"]),
        ("protocols hero", ["plain,heroes"]),
        ("check count_up g", ["plain,gone"]),
    ],
)
def test_the_shell_completes_protocols_agents_and_files(named: Path, words: str, offered: list[str]) -> None:
    environment = {"COMP_WORDS": f"arbiter {words}", "COMP_CWORD": str(len(words.split()))}
    ran = arbiter(environment={"_ARBITER_COMPLETE": "bash_complete", **environment})
    assert ran.out.splitlines() == offered


def test_what_an_agents_author_wrote_is_escaped(place: Path) -> None:
    arbiter_toml(place, '[protocols.count_up.agents]\nbot = "bot"\n')
    write(place / "bot" / "bot.sh", "echo 1\n")
    write(place / "bot" / "agent.yaml", 'run: [sh, bot.sh, "\\e[2J\\n"]\nlanguage: "\\e]0;x\\a"\n')
    for words in (["protocols", "count_up"], ["play", "count_up", "bot", "--explain"]):
        shown = arbiter(*words)
        assert "\x1b" not in shown.out + shown.err
        assert "\x1b" not in arbiter(*words, "--json").out
    write(place / "bot" / "agent.yaml", 'run: [sh, bot.sh]\n"\\e[2J": 1\n')
    assert "\x1b" not in arbiter("protocols", "count_up").out


def test_the_doctor_reports_what_this_machine_supports(place: Path) -> None:
    ran = arbiter("doctor", "--json")
    assert (ran.code, ran.err) == (0, "")
    document = ran.document
    assert {
        "arbiter", "python", "machine", "kernel", "clocks", "limits", "sandbox", "guarantees", "languages",
        "workspace",
    } <= set(document)  # fmt: skip
    assert document["workspace"]["file"] == str(place / "arbiter.toml")
    assert document["languages"]["Shell (.sh)"].endswith("sh")
    assert document["machine"]["cores"] >= 1
    assert set(document["promises"]) == set(document["mechanisms"]) == set(document["guarantees"])
    assert set(document["kernel"]) == {"pidfd", "children", "schedstat", "affinity"}
    assert set(document["clocks"]) == {"resolution", "timer_overshoot", "spawn"}


def test_the_doctor_for_people(place: Path) -> None:
    ran = arbiter("doctor")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert {"machine", "kernel features", "clocks", "sandbox levels", "languages"} <= set(lines)
    assert any(line.startswith("  schedstat: run-queue wait per process, ") for line in lines)
    assert any(line.startswith("what each guarantee means, and what enforces it") for line in lines)
    assert any("memory of each process. Enforced by: RLIMIT_DATA" in line for line in lines)
    start = lines.index("languages")
    tools = lines[start + 1 : lines.index("", start)]
    # A tool that says no version is shown with its path.
    assert [line for line in tools if len(line) > 80 and "a first program fails" not in line and "/" not in line] == []
    assert any(re.fullmatch(r"  Python \(\.py\) +python3 [\d.]+", line) for line in tools), tools


def test_the_doctor_uses_the_whole_width_of_a_terminal(place: Path) -> None:
    wide = at_a_terminal(140, "doctor")
    start = wide.index("what each guarantee means, and what enforces it")
    assert 100 < max(len(line) for line in wide[start : wide.index("", start)]) <= 140
