"""The digest is equal for equal games, whatever the times."""

from __future__ import annotations

import copy
from pathlib import Path

from arbiter import play
from arbiter.records.format import GameDigest
from arbiter.records.reader import Record
from tests.nullgame.place import adder
from tests.records.games import counting


def digest(record: Record) -> str:
    assert record.result is not None
    return record.result.digest


def test_equal_games_have_equal_digests_whatever_the_times(counted: Record, tmp_path: Path) -> None:
    later = counting(tmp_path / "game.jsonl", wall_ns=2_000_000_000, started="2031-01-01T00:00:00.000Z")
    assert later.answers != counted.answers
    assert digest(later) == digest(counted)


def test_another_seed_gives_another_digest(counted: Record, tmp_path: Path) -> None:
    assert digest(counting(tmp_path / "game.jsonl", seed=4)) != digest(counted)


def test_a_digest_names_its_hash(counted: Record) -> None:
    name, _, figures = digest(counted).partition(":")
    assert (name, len(figures)) == ("sha256", 64)
    assert int(figures, 16)


def test_agents_that_play_the_same_game_twice_leave_the_same_digest(place: Path) -> None:
    agents = [adder(place, "one", 1), adder(place, "two", 2)]
    first, second = (play("count_up", agents, seed=9, options={"bonus": True}).games[0] for _ in range(2))
    assert first.record != second.record
    assert first.digest == second.digest


def test_a_move_cannot_pass_for_two_and_fields_cannot_run_together(counted: Record) -> None:
    """Different lines give different digests, whatever the texts are."""
    line = copy.copy(counted.answers[1])
    seen = set()
    for move, chance in (('2","', []), ("2", []), ("2\t", []), ("2", [1]), ("2[1]", [])):
        one = GameDigest(counted.header)
        line.move, line.chance = move, chance
        one.add([line])
        seen.add(one.close([1, 2], [0.0, 0.0]))
    assert len(seen) == 5


def test_a_digest_may_be_closed_and_go_on(counted: Record) -> None:
    one = GameDigest(counted.header)
    assert one.close([1], [1.0]) == one.close([1], [1])
