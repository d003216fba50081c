"""The clock of remote agents on a real connection, with a server that is busy; what is added for the network; memory."""

from __future__ import annotations

import gc
import json
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.arena import lobby
from arbiter.arena.config import ArenaConfig
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from tests.arena.clients import Wire
from tests.arena.served import KEYS, Served
from tests.arena.test_joining import join_raw, play_raw
from tests.tools import until

pytestmark = pytest.mark.slow

LIMIT_MS = 400
BUSY_S = 0.5


def start(make_arena: Callable[..., Served]) -> tuple[Served, str, Wire]:
    arena = make_arena(settings={"limits": {"move": f"{LIMIT_MS}ms", "first_move": "20s"}})
    game = arena.create(rounds="2", seats="remote:Team 1,random,random,random")
    return arena, game, join_raw(arena, game, "Team 1")


def test_the_servers_own_delay_is_never_charged(make_arena: Callable[..., Served]) -> None:
    arena, game, wire = start(make_arena)
    first = json.loads(wire.response()[2])
    play_raw(wire, first, "North")
    state = json.loads(wire.response()[2])
    # From here on the server does nothing for longer than the limit, with the answer in its socket.
    arena.lobby.loop.call_soon_threadsafe(time.sleep, BUSY_S)
    play_raw(wire, state, "South")
    assert json.loads(wire.response()[2])["game"]["finished"]
    line = [line for line in arena.record(game).answers if line.seat == 0][1]
    assert line.fault is None
    assert line.charged_us < LIMIT_MS * 1000
    assert line.waited_us > 0
    assert line.wall_us >= line.charged_us + line.waited_us - 1
    wire.close()


def test_the_agents_own_delay_is_charged_also_on_a_busy_server(make_arena: Callable[..., Served]) -> None:
    arena, game, wire = start(make_arena)
    play_raw(wire, json.loads(wire.response()[2]), "North")
    state = json.loads(wire.response()[2])
    time.sleep(LIMIT_MS / 1000 + 0.1)  # an agent that thinks for too long
    arena.lobby.loop.call_soon_threadsafe(time.sleep, 0.1)
    play_raw(wire, state, "South")
    assert wire.response()[0] == 400
    line = [line for line in arena.record(game).answers if line.seat == 0][1]
    assert line.fault
    assert line.fault.kind == "late"
    wire.close()


def test_the_round_trip_to_each_team_is_shown(arena: Served) -> None:
    game = arena.create(rounds="2", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    play_raw(wire, json.loads(wire.response()[2]), "North")
    assert wire.response()[0] == 200
    (listed,) = arena.organise("/games/active", "GET")
    assert listed["joined"] == ["Team 1"]
    assert 0 < listed["round_trip_ms"]["Team 1"] < 1000
    assert KEYS["Team 1"] not in json.dumps(listed)
    wire.close()


def test_a_game_that_is_over_keeps_no_states_in_memory(arena: Served) -> None:
    game = arena.create(rounds="1", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    play_raw(wire, json.loads(wire.response()[2]), "North")
    assert wire.response()[0] == 200
    arena.record(game)
    arena.until(lambda: game in arena.lobby._over)
    assert arena.lobby._over[game].plies == []
    assert arena.call(f"/events/{game}")[1].count("data: ") == 4
    wire.close()


def test_distance_and_allowance_of_each_team_are_public_before_its_game(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(by_round_trip=True, allowance_ns=50_000_000)
    game = arena.create(rounds="2", seats="remote:Team 1,,,")
    wire = join_raw(arena, game, "Team 1")
    arena.until(lambda: arena.lobby.live[game].seats_taken)
    network = json.loads(arena.call("/data/arena")[1])["network"]
    assert (network["allowance_ms"], network["by_round_trip"]) == (50, True)
    seen = network["teams"]["Team 1"]
    assert 0 < seen["round_trip_ms"] < 1000
    assert seen["allowance_ms"] == pytest.approx(50 + min(2 * seen["round_trip_ms"], 500))
    (listed,) = arena.organise("/games/active", "GET")
    assert listed["allowance_ms"] == {"Team 1": pytest.approx(seen["allowance_ms"])}
    assert listed["status"] == "waiting"
    wire.close()


@pytest.mark.parametrize(("round_trip_us", "ms"), [(0, 20), (30_000, 80), (10_000_000, 520)])
def test_twice_the_round_trip_is_allowed_within_bounds(tmp_path: Path, round_trip_us: int, ms: int) -> None:
    config = ArenaConfig(Workspace(tmp_path), GameSettings(), tmp_path, 20_000_000, "heroes", by_round_trip=True)
    assert config.allowance_for(round_trip_us) == ms * 1_000_000
    assert replace(config, by_round_trip=False).allowance_for(round_trip_us) == 20_000_000


def test_games_that_are_over_are_forgotten(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby, "_REMEMBERED", 2)
    known = []
    for _ in range(5):
        game = arena.create(rounds="1", seats="remote:Team 1,random,random,random")
        known.append(weakref.ref(arena.lobby.live[game]))
        wire = join_raw(arena, game, "Team 1")
        play_raw(wire, json.loads(wire.response()[2]), "North")
        assert wire.response()[0] == 200
        wire.close()
        until(lambda: game not in arena.lobby.live, "the end of the game")  # noqa: B023
        until(lambda: not arena.server.server_state.connections, "the end of the connections")
    assert sum(thread.name.startswith("game ") for thread in threading.enumerate()) <= 1
    gc.collect()
    assert sum(each() is not None for each in known) <= 3, "two, and the one that the loop has just ended"
