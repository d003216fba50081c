"""``arbiter agents``, ``protocols`` and ``doctor``."""

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


def test_agents_are_listed_with_whether_they_can_run(named: Path) -> None:
    ran = arbiter("agents")
    assert (ran.code, ran.err) == (0, "")
    below = {part.splitlines()[0]: part.splitlines()[1:] for part in ran.out.split("\n\n")}
    rows = {name: [" ".join(line.split()) for line in lines] for name, lines in below.items()}
    assert rows["count_up"][0] == "one Shell adds one"
    assert rows["count_up"][1].startswith("gone cannot run: no such file ")
    assert {"words command", "toy Toy cannot run: no-such-toy not installed"} <= set(rows["any protocol"])
    assert any(row.startswith("greedy Python ") for row in rows["splendor"])


def test_agents_of_one_protocol(named: Path) -> None:
    rows = arbiter("agents", "--protocol", "count_up", "--json").document["agents"]
    assert {row["agent"]: row["ready"] for row in rows} == {"one": True, "gone": False, "words": True, "toy": False}
    assert {row["protocol"] for row in rows} == {"count_up"}


def test_given_agents_are_built_and_checked(named: Path) -> None:
    ran = arbiter("agents", "bots/one.sh", "human", "one", "-p", "count_up")
    assert ran.code == 0
    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["bots/one.sh", "human", "one"]
    assert ran.out.count(": ready  ") == 3


def test_people_and_remote_agents_have_no_program(named: Path) -> None:
    ran = arbiter("agents", "human", "remote:Alpha")
    assert ran.out == "human: ready  moves are typed at the terminal\nremote:Alpha: ready  plays over the network\n"


def test_a_given_agent_that_cannot_run_is_exit_status_1(named: Path) -> None:
    ran = arbiter("agents", "bots/one.sh", "bots", "--json")
    assert (ran.code, ran.err) == (1, "")
    good, bad = ran.document["agents"]
    assert (good["ready"], bad["ready"]) == (True, False)
    assert bad["why"].startswith("bots is a folder without agent.yaml")


def test_a_protocol_or_an_agent_of_some_protocol_says_what_to_type(named: Path) -> None:
    ran = arbiter("agents", "count_up", "one")
    assert ran.code == 1
    assert ran.out.splitlines() == [
        "count_up: cannot run  'count_up' is a protocol; to list its agents, use: arbiter agents -p count_up",
        "one: cannot run  'one' is an agent of count_up; choose the protocol with -p",
    ]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("play cou", ["plain,count_up"]),
        ("play count_up o", ["plain,one"]),
        ("play count_up one hu", ["plain,human"]),
        ("play count_up ./b", ["file,./b"]),
        ("protocols hero", ["plain,heroes"]),
        ("agents -p count_up g", ["plain,gone"]),
    ],
)
def test_the_shell_completes_protocols_agents_and_files(named: Path, words: str, offered: list[str]) -> None:
    environment = {"COMP_WORDS": f"arbiter {words}", "COMP_CWORD": str(len(words.split()))}
    ran = arbiter(environment={"_ARBITER_COMPLETE": "bash_complete", **environment})
    assert ran.out.splitlines() == offered


def test_an_unknown_agent_without_a_protocol_is_told_what_to_give(place: Path) -> None:
    assert arbiter("agents", "nosuch").out == (
        "nosuch: cannot run  unknown agent 'nosuch'; give a file, a folder or a command, "
        "or with -p the protocol whose named agents to use\n"
    )


def test_agents_of_an_unknown_protocol(named: Path) -> None:
    ran = arbiter("agents", "-p", "cuont_up")
    assert (ran.code, ran.err) == (2, "arbiter: unknown protocol 'cuont_up'; did you mean 'count_up'?\n")


def test_what_an_agents_author_wrote_is_escaped(place: Path) -> None:
    write(place / "bot" / "bot.sh", "echo 1\n")
    write(place / "bot" / "agent.yaml", 'run: [sh, bot.sh, "\\e[2J\\n"]\nlanguage: "\\e]0;x\\a"\n')
    shown = arbiter("agents", "bot").out
    assert "\x1b" not in shown
    assert "\\x1b[2J\\n" in shown
    assert "\x1b" not in arbiter("agents", "bot", "--json").out
    write(place / "bot" / "agent.yaml", 'run: [sh, bot.sh]\n"\\e[2J": 1\n')
    assert "\x1b" not in arbiter("agents", "bot").out


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
    assert [line for line in tools if len(line) > 80 and "a first program fails" not in line] == []
    assert any(re.fullmatch(r"  C \(\.c\) +\w+ [\d.]+", line) for line in tools), tools


def test_the_doctor_uses_the_whole_width_of_a_terminal(place: Path) -> None:
    wide = at_a_terminal(140, "doctor")
    start = wide.index("what each guarantee means, and what enforces it")
    assert 100 < max(len(line) for line in wide[start : wide.index("", start)]) <= 140
