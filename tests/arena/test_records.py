"""A game over HTTP is a game like any other: the same record, and the same digest for the same moves."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.records.exports.document import GameDocument
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from tests.arena.clients import client
from tests.arena.served import Served

pytestmark = pytest.mark.slow

DIRECTIONS = ("North", "East", "South", "West", "Stay", "nonsense")
BOT = f"""
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    if state["game"]["finished"]:
        break
    print({DIRECTIONS!r}[(state["game"]["turn"] // 4 * 2 + state["hero"]["id"]) % {len(DIRECTIONS)}], flush=True)
"""


def choose(state: dict[str, Any]) -> str:
    return DIRECTIONS[(state["game"]["turn"] // 4 * 2 + state["hero"]["id"]) % len(DIRECTIONS)]


def play(arena: Served) -> Path:
    """Play an official game of four families over HTTP and return its record."""
    names = ("alpha", "beta", "gamma", "delta")
    keys = [arena.organise("/register", name=name)["key"] for name in names]
    game = arena.create(rounds="10", map="generated", seats=",".join(f"remote:{name}" for name in names))

    def one(seat: int) -> None:
        with client(("1", "3", "19", "rust")[seat], arena.port, keys[seat]) as player:
            player.play_out(player.join(game), choose)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, range(4)))
    return arena.record(game).path


def test_the_record_verifies_and_can_be_shown(arena: Served) -> None:
    record = load_record(play(arena))
    heroes = find_protocol("heroes", Workspace())
    assert not list(differences(record, heroes))
    assert GameDocument(record, heroes).start
    assert all(line.wall_us >= line.charged_us for line in record.answers)
    assert all(line.wall_us - line.charged_us <= line.waited_us + 1 for line in record.answers)
    assert record.answers[0].started


def test_local_and_remote_agents_share_a_table(arena: Served) -> None:
    game = arena.create(seats="random,remote:Team 1,steady,remote:Team 2")

    def one(seat: int) -> None:
        with client("1", arena.port, f"teamkey{seat}") as player:
            player.play_out(player.join(game), lambda state: "Stay")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(one, (1, 2)))
    record = arena.record(game)
    assert [seat.name for seat in record.header.seats] == ["random", "Team 1", "steady", "Team 2"]
    assert not any(line.fault for line in record.answers)
