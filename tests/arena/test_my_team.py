"""A team's own page: registration by invitation, its games with faults and times, and the self-test."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.arena.clients import client
from tests.arena.served import KEYS, TOKEN, Served

pytestmark = pytest.mark.slow


def mine(arena: Served, path: str, key: str = KEYS["Team 1"], data: dict[str, str] | None = None) -> tuple[int, Any]:
    """Send what the page sends, and return the status and the JSON."""
    body = None if data is None else json.dumps(data).encode()
    request = urllib.request.Request(
        arena.url + path, body, {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=100) as response:
            return response.status, json.loads(response.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def invitation(arena: Served) -> str:
    link: str = json.loads(arena.call(f"/organiser/state?apiKey={TOKEN}")[1])["invitation"]
    return link.partition("#")[2]


def test_a_team_registers_itself_with_the_link_until_it_is_ended(arena: Served) -> None:
    refused = (403, {"error": "this invitation is not valid any more; ask the organiser for a new one"})
    assert mine(arena, "/my/register", data={"name": "Team 6", "invitation": ""}) == refused
    arena.organise("/invitation")
    code = invitation(arena)
    status, made = mine(arena, "/my/register", data={"name": "Team 6", "invitation": code})
    assert (status, mine(arena, "/my/team", made["key"])[1]["team"]) == (200, "Team 6")
    status, told = mine(arena, "/my/register", data={"name": "team 6", "invitation": code})
    assert (status, told["error"]) == (400, "team 'team 6': the name is taken")
    arena.organise("/invitation")
    assert mine(arena, "/my/register", data={"name": "Team 7", "invitation": code}) == refused
    arena.organise("/invitation", stop="yes")
    assert invitation(arena) == ""


def test_a_team_sees_its_games_with_faults_and_times(arena: Served) -> None:
    game = arena.create(seats="remote:Team 1,remote:Team 2,random,random")
    with (
        client("1", arena.port, KEYS["Team 1"]) as one,
        client("1", arena.port, KEYS["Team 2"]) as two,
        ThreadPoolExecutor(2) as pool,
    ):
        first = pool.submit(lambda: one.play_out(one.join(game), lambda _: "Nowhere"))
        pool.submit(lambda: two.play_out(two.join(game), lambda _: "Stay")).result(100)
        first.result(100)
    arena.record(game)
    status, found = mine(arena, "/my/team")
    (row,) = found["games"]
    assert (status, row["id"], row["status"], row["faults"][row["seat"]]) == (200, game, "finished", 3)
    assert all(value >= 0 for value in row["times_ms"])
    status, lines = mine(arena, f"/my/games/{game}")
    assert (status, [line["said"] for line in lines]) == (200, ["Nowhere"] * 3)
    assert all("Nowhere" in line["fault"] for line in lines)
    assert mine(arena, f"/my/games/{game}", KEYS["Team 3"])[0] == 404
    assert mine(arena, "/my/team", "wrongkey") == (400, {"error": "Key not found"})


def test_hidden_results_are_hidden_from_the_team_as_well(arena: Served) -> None:
    arena.organise("/hide")
    game = arena.create(seats="remote:Team 1,random,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda _: "Stay")
    arena.record(game)
    (row,) = mine(arena, "/my/team")[1]["games"]
    assert ("scores" in row, row["shown"], mine(arena, f"/my/games/{game}")[0]) == (False, False, 409)


def test_a_self_test_says_what_the_program_answered_when_it_joined_next(arena: Served) -> None:
    waits = arena.create(seats="remote:Team 1,random,random,random")
    test = mine(arena, "/my/test", data={})[1]["game"]
    assert mine(arena, "/my/test", data={})[1]["game"] == test, "one at a time"
    with client("1", arena.port, KEYS["Team 1"]) as player:
        state = player.join(arena=True)
        assert state["game"]["id"] == test
        with pytest.raises(AssertionError, match="the self-test is over"):  # noqa: PT012 - a few moves before
            while True:
                player.play("Stay")
    arena.until(lambda: arena.row(test).status == "aborted")
    lines = mine(arena, f"/my/games/{test}")[1]
    assert [line["move"] for line in lines][:5] == ["Stay"] * 5
    with client("1", arena.port, KEYS["Team 1"]) as player:
        assert player.join(arena=True)["game"]["id"] == waits
