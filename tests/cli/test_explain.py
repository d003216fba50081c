"""``arbiter play --explain``: every limit with its value and where that comes from; nothing is played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.nullgame.command import arbiter
from tests.nullgame.place import HERE, write


@pytest.fixture
def layered(place: Path) -> Path:
    """Limits from every layer there is."""
    write(place / "bot" / "agent.yaml", "run: sh bot.sh\nlimits: {stderr: 1KB, output: 1GB}\n")
    write(place / "bot" / "bot.sh", "echo ran > ran; echo 1\n")
    write(
        place / "arbiter.toml",
        f'[limits]\nmove = "4s"\nprocesses = 9\n[protocols.count_up]\nfolder = "{HERE / "count_up"}"\n'
        'limits = { memory = "3GB" }\n[agents.strong]\nagent = "bot"\nlimits = { processes = 99 }\n',
    )
    return place


def limits(*words: str) -> Any:
    ran = arbiter("play", "count_up", *words, "--explain", "--json")
    assert ran.err == ""
    return ran.document["agents"][0]["limits"]


def test_every_layer_is_named(layered: Path) -> None:
    found = limits("strong", "--limit", "first_move=7s")
    assert {name: (limit["value"], limit["from"]) for name, limit in found.items()} == {
        "move": ("4s", "arbiter.toml"),
        "first_move": ("7s", "command line"),
        "output": ("64KB", "default"),
        "stderr": ("1KB", "agent.yaml"),
        "memory": ("3GB", "arbiter.toml, count_up"),
        "processes": ("99", "agent 'strong' in arbiter.toml"),
        "disk": ("64MB", "default"),
        "files": ("2000", "default"),
        "record": ("3MB", "default"),
        "total": ("none", "default"),
        "increment": ("none", "default"),
        "grace": ("none", "default"),
        "margin": ("none", "default"),
        "build": ("300s", "default"),
    }
    assert found["move"]["instead_of"] == ["default 10s", "protocol count_up 5s"]
    assert found["output"]["instead_of"] == ["agent.yaml asks for 1GB: an agent may not raise a limit"]


def test_a_person_can_read_it(layered: Path) -> None:
    ran = arbiter("play", "count_up", "strong", "--explain", "-o", "turns=3")
    assert (ran.code, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0] == "Count up, options: turns=3, bonus=false, pace=slow"
    assert "strong (Shell), lifetime move" in lines
    assert "move 4s arbiter.toml default 10s; protocol count_up 5s" in lines
    assert "processes 99 agent 'strong' in arbiter.toml default 64; arbiter.toml 9" in lines


def test_nothing_is_played(layered: Path) -> None:
    arbiter("play", "count_up", "strong", "--explain")
    assert not (layered / "bot" / "ran").exists()
    assert not (layered / "matches").exists()


def test_no_limits_and_a_time_factor_are_named_too(layered: Path) -> None:
    assert limits("strong", "--no-limits")["move"]["from"] == "--no-limits"
    assert limits("strong", "--time-factor", "3")["move"]["from"] == "arbiter.toml, before --time-factor 3"
    assert limits("strong", "--time-factor", "3")["memory"]["from"] == "arbiter.toml, count_up"
