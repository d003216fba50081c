"""When games start, with fake games that only note their start."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from arbiter.arena.config import ArenaConfig
from arbiter.arena.starting import GameStarter
from arbiter.arena.store import GameRow, Store
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace


class Local:
    """A game between programs on this machine."""

    missing = ()
    protocol = SimpleNamespace(name="auction")

    def __init__(self, name: str, *seats: str) -> None:
        self.row = GameRow(name, "official", "heroes", "", seats, {}, 1)
        self.seats_taken: dict[int, object] = {}
        self.status = "waiting"

    def start(self, fill: object) -> None:
        self.status = "playing"


class Table(Local):
    """A game for remote teams, which lasts for a while once it has started."""

    def __init__(self, name: str, teams: list[str], hall: Hall) -> None:
        super().__init__(name, *(f"remote:{team}" for team in teams))
        self._hall, self.teams = hall, teams
        self.absent: list[str] = []

    @property
    def missing(self) -> list[int]:  # type: ignore[override]
        return [index for index in range(len(self.teams)) if index not in self.seats_taken]

    def take(self, team: str, index: int, _: int) -> Any:
        self.seats_taken[index] = SimpleNamespace(team=team, remote=SimpleNamespace(final=None))
        return self.seats_taken[index]

    def start(self, fill: object) -> None:
        self.absent, self.status = [self.teams[index] for index in self.missing], "playing"
        self._hall.now_playing(self)


class Hall:
    """A hall of bots that join without naming a game, play it, and join again, in simulated time."""

    def __init__(self, store: Store, tables: list[list[str]], luck: random.Random) -> None:
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._order, self._luck, self.now = itertools.count(), luck, 0.0
        self.games = [Table(f"game{number}", teams, self) for number, teams in enumerate(tables)]
        self.starter = starting(store, self.games, 9)
        self.starter._loop = self  # type: ignore[assignment]

    def call_later(self, seconds: float, work: Callable[..., None], *given: object) -> Any:
        timer = SimpleNamespace(cancelled=False)
        timer.cancel = lambda: setattr(timer, "cancelled", True)
        run = lambda: None if timer.cancelled else work(*given)  # noqa: E731
        heapq.heappush(self._events, (self.now + seconds, next(self._order), run))
        return timer

    def join(self, team: str) -> None:
        if self.starter.waits_for(team, "auction"):
            self.starter.hall[team] = Seat(self.starter, team)  # type: ignore[assignment]
            self.starter.start_ready()

    def now_playing(self, game: Table) -> None:
        self.call_later(self._luck.choice([1, 30, 300]), self._over, game)

    def _over(self, game: Table) -> None:
        for seat in game.seats_taken.values():
            seat.remote.final = "the end"  # type: ignore[attr-defined]
            self.call_later(self._luck.uniform(0, 20), self.join, seat.team)  # type: ignore[attr-defined]
        game.status = "finished"
        self.starter.start_ready()

    def play(self, teams: list[str]) -> None:
        for team in teams:
            self.call_later(self._luck.uniform(0, 20), self.join, team)
        while self._events:
            self.now, _, work = heapq.heappop(self._events)
            work()


class Seat:
    """What a team in the hall waits for."""

    def __init__(self, starter: GameStarter, team: str) -> None:
        self._starter, self._team = starter, team

    def done(self) -> bool:
        return False

    def set_result(self, _: object) -> None:
        del self._starter.hall[self._team]


@pytest.mark.parametrize("luck", range(30))
def test_no_table_of_a_round_starts_without_a_team_that_plays_elsewhere(store: Store, luck: int) -> None:
    """Overlapping tables of four: every team has four games, which take from a second to five times the time to join."""
    chosen = random.Random(luck)
    teams = [f"Team {number}" for number in range(12)]
    tables = [chosen.sample(teams, 12)[start : start + 4] for _ in range(4) for start in (0, 4, 8)]
    hall = Hall(store, tables, chosen)
    hall.play(teams)
    assert [game.status for game in hall.games] == ["finished"] * 12
    assert [game.absent for game in hall.games] == [[]] * 12


def test_only_games_of_a_team_that_never_comes_start_without_it(store: Store) -> None:
    chosen = random.Random(1)
    teams = [f"Team {number}" for number in range(12)]
    tables = [chosen.sample(teams, 12)[start : start + 4] for _ in range(4) for start in (0, 4, 8)]
    hall = Hall(store, tables, chosen)
    hall.play(teams[1:])
    assert [game.status for game in hall.games] == ["finished"] * 12
    assert [game.absent for game in hall.games] == [["Team 0"] if "Team 0" in game.teams else [] for game in hall.games]


def test_teams_that_wait_for_each_other_in_different_games_do_not_wait_for_ever(store: Store) -> None:
    hall = Hall(store, [["Alpha", "Beta"], ["Alpha", "Beta"]], random.Random(1))
    for game, team in zip(hall.games, (0, 1), strict=True):
        game.take(game.teams[team], team, 0)
        hall.starter.joined(game)  # type: ignore[arg-type]
    hall.play([])
    assert [(game.status, game.absent) for game in hall.games] == [("finished", ["Beta"]), ("finished", [])]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "arena.sqlite")
    yield store
    store.close()


def starting(store: Store, games: list[Any], local_games: int) -> GameStarter:
    live = {game.row.id: game for game in games}
    never_asked: Any = None  # for the loop: nothing here waits
    return GameStarter(
        live,
        ArenaConfig(Workspace(), GameSettings(), Path(), 0, "auction", local_games=local_games),
        store,
        never_asked,
    )


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
