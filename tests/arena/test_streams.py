"""Event streams for spectators: states of a game, and the ids of games."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from arbiter.arena import streams
from tests.arena.clients import client
from tests.arena.served import KEYS, Served


def first(arena: Served, path: str) -> Any:
    """Return the first event of a stream."""
    with urllib.request.urlopen(arena.url + path, timeout=60) as lines:
        return next(json.loads(line[6:]) for line in lines if line.startswith(b"data: "))


def test_ids_of_games_that_wait_and_of_those_being_played(arena: Served) -> None:
    waiting = arena.create()
    game = arena.create(seats="remote:Team 1,random,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.join(game)
        assert first(arena, "/now-playing") == [game]
        assert sorted(first(arena, "/now-available")) == sorted([waiting, game])
        assert first(arena, "/ai/Team%201/now-playing") == [game]
        assert first(arena, "/ai/Team%202/now-playing") == []


def test_the_stream_of_a_game_that_has_not_started_is_kept_alive(
    arena: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "KEEPALIVE_S", 0.01)
    with urllib.request.urlopen(f"{arena.url}/events/{arena.create()}", timeout=60) as lines:
        assert b": quiet\n" in (next(lines) for _ in range(6))


def test_all_spectators_get_every_ply_once_and_in_order(arena: Served) -> None:
    game = arena.create(seats="remote:Team 1,random,random,random")
    watching = [urllib.request.urlopen(f"{arena.url}/events/{game}", timeout=60) for _ in range(3)]
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda _: "Stay")
    for lines in watching:
        with lines:
            turns = [json.loads(line[6:])["turn"] for line in lines if line.startswith(b"data: ")]
        assert turns == list(range(1, 13))
