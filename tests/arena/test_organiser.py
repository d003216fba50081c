"""The organiser's API."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.arena.config import ArenaConfig
from arbiter.arena.store import GameRow, Kind, Status
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from tests.arena.clients import client
from tests.arena.served import KEYS, TOKEN, Served
from tests.tools import until

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/register"), ("GET", "/teams"), ("GET", "/log"), ("POST", "/games"), ("GET", "/games/active"),
        ("GET", "/games/training"), ("POST", "/games/x/start"), ("POST", "/games/x/again"), ("DELETE", "/games/x"),
        ("GET", "/games"),
        ("POST", "/teams/rename"), ("POST", "/teams/delete"), ("POST", "/invitation"), ("DELETE", "/games"),
    ],
)  # fmt: skip
def test_every_call_needs_the_token(arena: Served, method: str, path: str) -> None:
    assert arena.call(f"{path}?apiKey=wrong", method=method) == (401, "Unauthorized!")


def test_games_are_created_listed_started_and_ended(arena: Served) -> None:
    game = arena.organise("/games", category="ROUND_1")["id"]
    (listed,) = arena.organise("/games/active", "GET")
    assert (listed["id"], listed["category"], listed["status"], listed["started"], listed["seats"]) == (
        game, "ROUND_1", "waiting", False, ["", "", "", ""],
    )  # fmt: skip
    assert arena.call(f"/games/{game}/start?apiKey={TOKEN}", {}) == (400, "Nobody has joined the game yet")
    assert arena.organise(f"/games/{game}", "DELETE") == {"id": game}
    assert arena.organise("/games/active", "GET") == []
    assert arena.organise("/games", "GET")[0]["status"] == "aborted"


def test_all_games_are_ended_at_once_but_those_of_training(arena: Served) -> None:
    games = {arena.create(), arena.create()}
    training = json.loads(arena.call("/api/training", {"key": KEYS["Team 1"]})[1])["game"]["id"]
    assert set(arena.organise("/games", "DELETE", because="fire alarm")["ids"]) == games
    assert {arena.row(game).reason for game in games} == {"fire alarm"}
    assert arena.row(training).status == "playing"


def test_a_team_is_renamed_and_deleted_with_its_key(arena: Served) -> None:
    assert arena.organise("/teams/rename", name="Team 1", new="E=mc2") == {"name": "E=mc2"}
    assert arena.call("/api/training", {"key": KEYS["Team 1"], "turns": "1"})[1].count('"name":"E=mc2"') == 2
    for path, told in (
        ("/teams/rename?name=Team%202&new=e%3DMC2", (400, "team 'e=MC2': the name is taken")),
        ("/teams/rename?name=Team%201&new=Other", (400, "unknown team 'Team 1'")),
        ("/teams/delete?name=E%3Dmc2", (409, "team 'E=mc2' has a game that is not over")),
    ):
        assert arena.call(f"{path}&apiKey={TOKEN}", {}) == told
    arena.organise("/teams/delete", name="Team 2")
    assert arena.call("/api/training", {"key": KEYS["Team 2"]})[1] == "Blitz - Key not found"
    assert arena.organise("/teams", "GET") == ["E=mc2", "Team 3", "Team 4", "Team 5"]


def test_no_game_waits_for_a_team_that_was_withdrawn(arena: Served) -> None:
    game = arena.create(seats="remote:Team 1,remote:Team 2,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player, ThreadPoolExecutor(1) as pool:
        joining = pool.submit(player.join, game)
        arena.until(lambda: arena.lobby.live[game].seats_taken)
        arena.organise("/teams/withdraw", name="Team 2")
        player.play_out(joining.result(60), lambda state: "Stay")
    record = arena.record(game)
    assert record.header.setup["absent"] == [2]
    other = arena.create(seats="remote:Team 2,random,random,random")
    status, told = arena.call("/api/arena", {"key": KEYS["Team 2"], "gameId": other})
    assert (status, "has been withdrawn" in told) == (400, True)
    arena.organise("/teams/withdraw", name="Team 2", stop="yes")
    with client("1", arena.port, KEYS["Team 2"]) as player:
        assert player.play_out(player.join(other), lambda state: "Stay")["game"]["finished"]


def test_the_connection_of_each_team_is_shown_before_the_round(arena: Served) -> None:
    def seen() -> dict[str, str]:
        state = json.loads(arena.call(f"/organiser/state?apiKey={TOKEN}")[1])
        return {team["name"]: team["connection"]["state"] for team in state["teams"][:2]}

    game = arena.create(seats="remote:Team 1,remote:Team 2,random,random")
    with (
        client("1", arena.port, KEYS["Team 1"]) as player,
        client("1", arena.port, KEYS["Team 2"]) as other,
        ThreadPoolExecutor(2) as pool,
    ):
        first = pool.submit(player.join, arena=True)
        arena.until(lambda: arena.lobby.starter.hall)
        assert seen() == {"Team 1": "hall", "Team 2": ""}
        second = pool.submit(other.join, arena=True)
        first.result(60)
        assert seen()["Team 1"] == "playing"
        arena.organise(f"/games/{game}", "DELETE")
        assert second.exception(60)


def test_mistakes_are_told(arena: Served) -> None:
    def create(**params: str) -> tuple[int, str]:
        return arena.call(f"/games?apiKey={TOKEN}", params)

    assert create(seats="remote:Nobody,,,") == (400, "unknown team 'Nobody'; register it first")
    assert create(seats="remote:Team 1,remote:Team 1,,") == (
        400, "team 'Team 1' has two seats; a team plays once in a game",
    )  # fmt: skip
    for seat in ("nosuchagent", "human", "sh -c true", "sample_agents/heroes/steady.py", "/bin/sh", "a=random"):
        status, text = create(seats=f"{seat},,,")
        assert (status, text.startswith(f"unknown agent {seat!r}")) == (400, True)
    assert create(seats=",")[0] == 400
    assert "rounds" in create(rounds="0")[1]
    assert "map" in create(map="m99")[1]
    assert create(protocol="ludo")[0] == 400
    assert create(seed="-1") == (400, "seed '-1': must be a whole number")
    assert arena.organise("/games/active", "GET") == []


def test_hidden_results_are_shown_when_the_organiser_says_so(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(hide_results=True)
    game = arena.create(seats="remote:Team 1,random,random,random")
    assert arena.call(f"/events/{game}") == (404, "Blitz - The game is not shown yet")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda state: "Stay")
    arena.record(game)
    until(lambda: not arena.organise("/games/active", "GET"), "the end of the game")
    assert "is over, but not shown yet" in arena.call(f"/{game}")[1]
    assert arena.call(f"/events/{game}") == (404, "Blitz - The game is not shown yet")
    assert json.loads(arena.call("/data/games")[1])["games"] == []
    assert arena.organise("/games", "GET")[0]["digest"], "the organiser sees it"
    assert arena.organise("/publish") == [game]
    assert arena.organise("/publish") == []
    assert "/static/start.js" in arena.call(f"/{game}")[1]
    assert arena.call(f"/events/{game}")[1].count("data: ") == 12
    # Many share a look at the folder, which may be a moment old.
    assert len(arena.until(lambda: json.loads(arena.call("/data/games")[1])["games"])) == 1


@pytest.mark.parametrize(
    ("kind", "status", "record", "hidden"),
    [
        ("official", "waiting", "", True),
        ("official", "playing", "hidden/x.jsonl", True),
        ("official", "finished", "hidden/x.jsonl", True),
        ("official", "playing", "games/x.jsonl", False),  # public when it started
        ("official", "finished", "games/x.jsonl", False),
        ("queue", "waiting", "", False),
        ("training", "playing", "training/x.jsonl", False),
    ],
)
def test_official_games_that_start_from_now_on_are_hidden(
    tmp_path: Path, kind: Kind, status: Status, record: str, hidden: bool
) -> None:
    config = ArenaConfig(Workspace(tmp_path), GameSettings(), tmp_path, 0, "heroes", hide_results=True)
    row = GameRow("game1", kind, "heroes", "", ("",), {}, 1, status, record)
    assert config.hides(row) is hidden
    assert replace(config, hide_results=False).hides(row) is (hidden and bool(record))


def shown_annulled(arena: Served) -> list[str]:
    """Return why the games of the public list were annulled."""
    return [game["annulled"] for game in json.loads(arena.call("/data/games?finished=yes")[1])["games"]]


def test_a_finished_game_is_listed_with_its_result_annulled_and_played_again(arena: Served) -> None:
    game = arena.create(category="FINAL", seats="remote:Team 1,random,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda state: "Stay")
    record = arena.record(game)
    until(lambda: not arena.organise("/games/active", "GET"), "the end of the game")
    (listed,) = arena.organise("/games", "GET")
    assert record.result
    assert (listed["id"], listed["category"], listed["digest"]) == (game, "FINAL", record.result.digest)
    assert record.header.stage == "FINAL"
    arena.organise(f"/games/{game}", "DELETE", because="wrong map")
    arena.organise(f"/games/{game}", "DELETE", because="again")  # does no harm
    annulled = arena.record(game).annulled
    assert annulled
    assert annulled.because == "wrong map"
    again = arena.organise(f"/games/{game}/again")["id"]
    assert again != game
    assert arena.call(f"/games/{game}/again?apiKey={TOKEN}", {}) == (
        409, f"game {game} is played again already, as {again}",
    )  # fmt: skip
    arena.until(lambda: shown_annulled(arena) == ["wrong map"])
    (waiting,) = arena.organise("/games/active", "GET")
    assert (waiting["id"], waiting["seats"]) == (again, ["Team 1", "random", "random", "random"])
    what = [line["what"] for line in arena.organise("/log", "GET")]
    assert what == [
        f"created game {game} FINAL",
        f"ended game {game}: wrong map",
        f"ended game {game}: again",
        f"created game {again} in place of {game}",
    ]
