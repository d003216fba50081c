"""What the shell offers after Tab."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.agents.sandbox.levels import AUTO, LEVELS
from arbiter.cli.bash_completion import join_values
from arbiter.config.limits import LIMITS
from arbiter.contest.schedules.registry import kinds
from tests.nullgame.command import arbiter
from tests.nullgame.place import arbiter_toml, bidder, write
from tests.tools import need_tool

pytestmark = pytest.mark.slow


def offered(words: str, folder: Path | None = None) -> list[str]:
    """Return what bash is offered at the end of ``arbiter WORDS``; a trailing space begins a new word."""
    count = len(words.split()) + words.endswith(" ")
    environment = {"_ARBITER_COMPLETE": "bash_complete", "COMP_WORDS": f"arbiter {words}", "COMP_CWORD": str(count)}
    ran = arbiter(folder=folder, environment=environment)
    assert (ran.code, ran.err) == (0, "")
    return [line.split(",", 1)[1] for line in ran.out.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("play auction --clock ", ["fair", "wall", "cpu"]),
        ("match auction --clock=w", ["wall"]),
        ("match auction --sandbox ", [AUTO, *LEVELS]),
        ("tournament auction --sandbox only:n", ["only:none", "only:namespace"]),
        ("match auction --lifetime ", ["move", "game"]),
        ("match auction -o ", ["rounds="]),
        ("tournament auction --option ro", ["rounds="]),
        ("tournament auction -l ", [f"{name}=" for name in LIMITS]),
        ("match auction --limit me", ["memory="]),
        ("tournament auction --color ", ["auto", "always", "never"]),
    ],
)
def test_values_of_options(place: Path, words: str, expected: list[str]) -> None:
    assert offered(words) == expected


def test_kinds_of_contests_and_their_parameters(place: Path) -> None:
    assert offered("tournament auction --kind ") == list(kinds())
    assert offered("tournament auction --kind sw") == ["swiss"]
    assert "rounds=" in offered("tournament auction --kind swiss --set ")
    assert "rounds=" not in offered("tournament auction --set ")
    assert "games=" in offered("tournament auction --set ga")
    assert offered("tournament auction --kind nonsense --set ") == []


def test_games_are_searched_for_agents_that_have_played(place: Path) -> None:
    assert "greedy" in offered("games --agent g")
    assert offered("games -p auction --agent g") == []
    bots = [bidder(place, "gopher", 5), bidder(place, "giraffe", 6)]
    assert arbiter("play", "auction", *bots).code == 0
    for option in ("--agent", "-a", "--won", "--lost", "--drew"):
        assert offered(f"games {option} g") == ["giraffe", "gopher"]


def test_nothing_is_offered_where_arbiter_toml_is_wrong(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", "nonsense = 1\n")
    for words in ("play spl", "play splendor gre", "games --agent g", "play splendor -o m"):
        assert offered(words, tmp_path) == []


@pytest.mark.parametrize(
    ("before", "last", "joined"),
    [
        (["-o"], "tur", (["-o"], "tur")),
        (["-o", "turns"], "=", (["-o"], "turns=")),
        (["-o", "turns", "="], "6", (["-o"], "turns=6")),
        (["-o", "turns", "=", "6"], "-l", (["-o", "turns=6"], "-l")),
        (["-o", "turns=6"], "", (["-o", "turns=6"], "")),
        (["--clock", "="], "w", ([], "--clock=w")),
        ([], "=", ([], "=")),
    ],
)
def test_words_that_bash_splits_are_joined(before: list[str], last: str, joined: tuple[list[str], str]) -> None:
    assert join_values(before, last) == joined


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["play", "toggle", "-o", "fas"], ["fast="]),
        (["play", "toggle", "-o", "fast", "="], ["true", "false"]),
        (["play", "toggle", "-o", "fast", "=", "f"], ["false"]),
        (["play", "toggle", "--clock", "=", "w"], ["wall"]),
        (["play", "toggle", "-o", "fast", "=", "true", "-l", "mov"], ["move="]),
    ],
)
def test_bash_completes_values_behind_an_equals_sign(place: Path, words: list[str], expected: list[str]) -> None:
    bash = need_tool("bash")
    protocol = (
        "from arbiter.game import Option\nfrom dataclasses import replace\n"
        "from tests.nullgame.auction import protocol as auction\n"
    )
    write(
        place / "toggle" / "__init__.py",
        protocol + "auction.name, auction.options = 'toggle', (Option('fast', False, 'faster'),)\nprotocol = auction\n",
    )
    arbiter_toml(place, '[protocols.toggle]\nfolder = "toggle"\n')
    write(place / "arbiter", f'#!/bin/sh\nexec "{sys.executable}" -m arbiter "$@"\n', executable=True)
    script = arbiter("completion", "bash").out
    assert "compopt -o nospace" in script
    listed = " ".join(f"'{word}'" for word in ["./arbiter", *words])
    code = f"COMP_WORDS=({listed}); COMP_CWORD={len(words)}; _arbiter_completion ./arbiter"
    ran = subprocess.run(
        [bash, "-c", f"compopt() {{ :; }}\n{script}\n{code}; printf '%s\\n' \"${{COMPREPLY[@]}}\""],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    assert ran.stdout.split() == expected
