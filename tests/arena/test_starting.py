"""When games start, with fake games that only note their start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arbiter.arena.lobby_rules import LobbyRules
from arbiter.arena.starting import GameStarter
from arbiter.arena.store import GameRow, Store


class Local:
    """A game between programs on this machine."""

    missing = ()
    protocol = None

    def __init__(self, name: str, *seats: str) -> None:
        self.row = GameRow(name, "official", "heroes", "", seats, {}, 1)
        self.seats_taken: dict[int, object] = {}
        self.status = "waiting"

    def start(self, fill: object) -> None:
        self.status = "playing"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "arena.sqlite")
    yield store
    store.close()


def starting(store: Store, games: list[Any], local_games: int) -> GameStarter:
    live = {game.row.id: game for game in games}
    never_asked: Any = None  # for the loop: nothing here waits
    return GameStarter(live, LobbyRules(local_games=local_games), store, never_asked)


def test_uploaded_programs_play_a_few_games_at_a_time(store: Store) -> None:
    games = [Local(f"game{number}", f"upload:1:Team {number}", "random") for number in range(3)]
    starts = starting(store, games, 2)
    starts.start_ready()
    assert [game.status for game in games] == ["playing", "playing", "waiting"]
    games[0].status = "finished"
    starts.start_ready()
    assert games[2].status == "playing"


def test_an_uploaded_program_plays_one_official_game_at_a_time(store: Store) -> None:
    games = [Local("game1", "upload:1:Alpha", "upload:2:Beta"), Local("game2", "upload:1:Alpha", "upload:1:Gamma"),
             Local("game3", "upload:1:Gamma", "upload:1:Delta")]  # fmt: skip
    starts = starting(store, games, 9)
    starts.start_ready()
    assert [game.status for game in games] == ["playing", "waiting", "playing"]


def test_the_time_to_join_runs_only_while_all_missing_teams_are_free(store: Store) -> None:
    timers: list[tuple[float, object]] = []

    class Loop:
        def call_later(self, seconds: float, *_: object) -> Any:
            timers.append((seconds, self))
            return SimpleNamespace(cancel=timers.pop)

    playing = SimpleNamespace(team="Alpha", remote=SimpleNamespace(final=None))
    there = SimpleNamespace(team="Beta", remote=SimpleNamespace(final=None))
    first, second = Local("game1", "remote:Alpha", "random"), Local("game2", "remote:Alpha", "remote:Beta")
    first.status, first.seats_taken = "playing", {0: playing}
    second.missing, second.seats_taken = (0,), {1: there}  # type: ignore[assignment]
    starts = starting(store, [first, second], 9)
    starts._loop = Loop()  # type: ignore[assignment]
    starts.start_ready()
    assert timers == [], "Alpha plays another game of the round"
    playing.remote.final = "the end"
    starts.start_ready()
    assert [seconds for seconds, _ in timers] == [60]
    playing.remote.final = None
    starts.start_ready()
    assert timers == []


def test_nothing_starts_in_a_pause_which_survives_a_restart(store: Store) -> None:
    game = Local("game1", "upload:1:Alpha", "random")
    starting(store, [game], 9).pause()
    again = starting(store, [game], 9)
    again.start_ready()
    assert (again.paused, game.status) == (True, "waiting")
    again.resume()
    assert game.status == "playing"
