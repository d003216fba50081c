"""What the shell offers after Tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.sandbox.levels import AUTO, LEVELS
from arbiter.config.limits import LIMITS
from arbiter.contest.schedules.registry import kinds
from tests.nullgame.command import arbiter
from tests.nullgame.place import bidder, write

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
    for option in ("--agent", "-a", "--won", "--lost"):
        assert offered(f"games {option} g") == ["giraffe", "gopher"]


def test_nothing_is_offered_where_arbiter_toml_is_wrong(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", "nonsense = 1\n")
    for words in ("play spl", "play splendor gre", "games --agent g", "play splendor -o m"):
        assert offered(words, tmp_path) == []
