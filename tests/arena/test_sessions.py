"""The organiser's session: who gets one, and what another site cannot do with it."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.arena.served import KEYS, TOKEN, Served, served
from tests.arena.test_attacks import until_slowed_down

pytestmark = pytest.mark.slow


def send(
    arena: Served, method: str, path: str, body: str = "", headers: Mapping[str, str] | None = None
) -> tuple[int, str, Mapping[str, str]]:
    connection = http.client.HTTPConnection("127.0.0.1", arena.port, timeout=600)
    connection.request(method, path, body.encode() or None, dict(headers or {}))
    response = connection.getresponse()
    found = response.status, response.read().decode(), {name.lower(): value for name, value in response.getheaders()}
    connection.close()
    return found


def login(arena: Served) -> tuple[str, str]:
    """Return the cookie and the secret of a session."""
    status, _, headers = send(arena, "POST", "/organiser/login", json.dumps({"token": TOKEN}))
    assert status == 200
    assert {"HttpOnly", "SameSite=strict"} <= set(headers["set-cookie"].split("; "))
    cookie = headers["set-cookie"].partition(";")[0]
    return cookie, json.loads(send(arena, "GET", "/organiser/state", headers={"Cookie": cookie})[1])["session"]


@pytest.mark.parametrize("token", ["", "wrong", KEYS["Team 1"]])
def test_without_the_token_there_is_no_session(shared: Served, token: str) -> None:
    status, text, headers = send(shared, "POST", "/organiser/login", json.dumps({"token": token}))
    assert (status, text) == (401, "Unauthorized!")
    assert "set-cookie" not in headers


def test_guesses_of_the_token_are_slowed_down(arena: Served) -> None:
    guesses = until_slowed_down(lambda _: send(arena, "POST", "/organiser/login", '{"token": "x"}')[:2], 10)
    assert guesses[0][0] == 401


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/teams"), ("POST", "/teams/key"), ("POST", "/pause"), ("POST", "/resume"), ("POST", "/notice"),
        ("POST", "/hide"), ("POST", "/contest"), ("POST", "/contest/teams"), ("POST", "/rounds"), ("POST", "/publish"),
        ("POST", "/teams/upload"), ("POST", "/register"), ("POST", "/games"), ("DELETE", "/games/x"),
        ("POST", "/organiser/logout"),
    ],
)  # fmt: skip
def test_a_change_needs_the_secret_of_the_session(arena: Served, method: str, path: str) -> None:
    cookie, secret = login(arena)
    forged: list[dict[str, str]] = [
        {"Cookie": cookie},
        {"Cookie": cookie, "x-session": "wrong"},
        {"Cookie": cookie, "x-session": secret, "Origin": "http://evil.example"},
        {"Cookie": cookie, "x-session": secret, "Origin": "http://127.0.0.1:1"},
        {"Cookie": cookie, "x-session": secret, "Sec-Fetch-Site": "cross-site"},
        {"Cookie": cookie, "x-session": secret, "Sec-Fetch-Site": "same-site"},
    ]
    assert [send(arena, method, path, "name=x", headers)[0] for headers in forged] == [403] * len(forged)
    assert send(arena, method, path, "name=x", {"x-session": secret})[0] == 401


def test_another_site_cannot_read_the_secret(shared: Served) -> None:
    cookie, _ = login(shared)
    headers = {"Cookie": cookie, "Origin": "http://evil.example"}
    _, _, answered = send(shared, "GET", "/organiser/state", headers=headers)
    assert "access-control-allow-origin" not in answered
    assert answered["cross-origin-resource-policy"] == "same-origin"
    assert send(shared, "OPTIONS", "/organiser/state", headers=headers)[0] == 405


def test_the_session_ends_with_the_logout(arena: Served) -> None:
    cookie, secret = login(arena)
    assert send(arena, "POST", "/pause", headers={"Cookie": cookie, "x-session": secret})[0] == 200
    assert send(arena, "POST", "/organiser/logout", headers={"Cookie": cookie, "x-session": secret})[0] == 200
    assert send(arena, "GET", "/organiser/state", headers={"Cookie": cookie})[0] == 401
    assert send(arena, "GET", "/export", headers={"Cookie": cookie})[0] == 401


def test_a_session_survives_a_restart(tmp_path: Path) -> None:
    with served(tmp_path / "arena") as arena:
        cookie, secret = login(arena)
        value = cookie.partition("=")[2]
    with served(tmp_path / "arena") as arena:
        cookie = f"arena-organiser-{arena.port}={value}"
        assert send(arena, "POST", "/pause", headers={"Cookie": cookie, "x-session": secret})[0] == 200
        name, _, signature = cookie.rpartition(".")
        for forged in (f"{name}x.{signature}", f"{name}.", f"{name}.{'0' * 64}", f"9{name}.{signature}"):
            assert send(arena, "GET", "/organiser/state", headers={"Cookie": forged})[0] == 401


def test_a_new_key_replaces_the_old_one(arena: Served) -> None:
    key = arena.organise("/teams/key", name="Team 1")["key"]
    assert arena.lobby.store.keys.team(KEYS["Team 1"]) is None
    assert arena.lobby.store.keys.team(key) == "Team 1"
    assert arena.call(f"/teams/key?apiKey={TOKEN}", {"name": "Nobody"})[0] == 400


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("protocol: heroes\nagents: [/bin/sh, a, b, c]", "agent '/bin/sh': must be a team"),
        ("protocol: heroes\nagents: ['x=random']", "agent 'x=random': must be a team"),
        ("protocol: heroes\nagents: ['remote:Nobody', random, steady]\nseats: 4", "remote:Nobody|needs at least|not registered"),
        ("protocol: heroes\nagents: ['remote:*']\nsandbox: none", "unknown key 'sandbox'"),
        ("protocol: heroes\nagents: ['remote:*']\nbase: /", "unknown key 'base'"),
        ("protocol: ludo\nagents: ['remote:*']", "unknown protocol 'ludo'"),
        ("- a\n- b", "name: value"),
        ("a: [", "not valid YAML"),
    ],
)  # fmt: skip
def test_a_match_file_from_the_network_runs_no_program(shared: Served, text: str, problem: str) -> None:
    status, told, _ = send(shared, "POST", f"/contest?apiKey={TOKEN}", text, {"Content-Type": "text/plain"})
    assert status == 400
    assert any(each in told for each in problem.split("|")), told
    assert str(shared.folder) not in told
