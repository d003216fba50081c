"""Every family of the contest's clients can play, with exactly the requests that it sends."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from tests.arena.clients import FAMILIES, client
from tests.arena.served import KEYS, Served

pytestmark = pytest.mark.slow

TEAMS = list(KEYS)
DIRECTIONS = ("North", "East", "South", "West", "Stay")


def choices(start: int) -> Any:
    """Choose directions in turn."""
    turn = itertools.count(start)
    return lambda state: DIRECTIONS[next(turn) % len(DIRECTIONS)]


def verified(arena: Served, game: str) -> Any:
    record = arena.record(game)
    assert record.result, "the record has a result"
    assert not list(differences(record, find_protocol("heroes", Workspace())))
    return record


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_finishes_a_training_game(arena: Served, name: str) -> None:
    with client(name, arena.port, KEYS["Team 1"]) as player:
        state = player.join(turns=2)
        rounds = state["game"]["maxTurns"] // 4
        if FAMILIES[name].turns:
            assert rounds == 2
            last = player.play_out(state, choices(0))
        else:  # a game of the full length: a few moves will do
            assert rounds == 300
            last = [player.play(direction) for direction in DIRECTIONS][-1]
            assert last["game"]["turn"] == 20
            arena.lobby.find(state["game"]["id"]).abort("enough")  # type: ignore[union-attr]
            return
    assert last["game"]["turn"] == 8
    record = verified(arena, last["game"]["id"])
    assert [line.move for line in record.answers if line.seat == 0] == ["North", "East"]
    assert not any(line.fault for line in record.answers if line.seat == 0)


@pytest.mark.parametrize("names", [("1", "2", "3", "4"),
                                   ("11", "13", "17", "18"), ("19", "20", "21", "22"), ("rust", "kotlin", "scala", "erlang")],
                         ids=",".join)  # fmt: skip
def test_four_clients_fill_an_official_game(arena: Served, names: tuple[str, ...]) -> None:
    game = arena.create()

    def play(seat: int) -> tuple[int, dict[str, Any]]:
        with client(names[seat], arena.port, KEYS[TEAMS[seat]]) as player:
            state = player.join(game)
            return state["hero"]["id"], player.play_out(state, choices(seat))

    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(play, range(4)))
    assert sorted(hero for hero, _ in played) == [1, 2, 3, 4]
    assert all(last["game"]["turn"] == 12 and last["game"]["id"] == game for _, last in played)
    record = verified(arena, game)
    assert not any(line.fault for line in record.answers)
    assert sorted(seat.name for seat in record.header.seats) == TEAMS[:4]
    assert {seat.language for seat in record.header.seats} == {"remote"}


@pytest.mark.parametrize("name", ["11", "19"])
def test_the_queue_is_filled_with_house_agents(make_arena: Any, name: str) -> None:
    arena = make_arena(join_s=0.05, settings={"options": {"rounds": 2}})
    with client(name, arena.port, KEYS["Team 2"]) as player:
        state = player.join(arena=True)
        assert "^^" not in state["game"]["board"]["tiles"]
        last = player.play_out(state, choices(1))
    record = verified(arena, last["game"]["id"])
    assert [seat.language for seat in record.header.seats] == ["remote", "Shell", "Shell", "Shell"]


def test_a_client_that_leaves_its_connections_open_plays_300_rounds(arena: Served) -> None:
    with client("19", arena.port, KEYS["Team 1"]) as player:
        last = player.play_out(player.join(turns=300), choices(2))
        assert last["game"]["turn"] == 1200
        assert len(player._left) == 300
    assert verified(arena, last["game"]["id"]).result.turns == 1200
