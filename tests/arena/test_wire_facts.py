"""What clients of the contest rely on, as far as no other file covers it.

The facts were measured with 22 clients in nine languages, or read from the sources of others and of the contest's server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.game import Chance
from arbiter.registry import find_protocol
from tests.arena.clients import FORM, Wire, client
from tests.arena.served import KEYS, TOKEN, Served
from tests.arena.test_joining import join_in_order, play_raw

pytestmark = pytest.mark.slow


def ask(arena: Served, path: str, body: str = "", kind: str = FORM, *more: str) -> tuple[int, dict[str, str], bytes]:
    """Send a POST and read the response."""
    wire = Wire(arena.port)
    head = [f"POST {path} HTTP/1.1", "Host: h:81", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more]
    wire.send("\r\n".join([*head, "", body]).encode())
    found = wire.response()
    wire.close()
    return found


def official(arena: Served, **params: str) -> tuple[str, dict[str, Any]]:
    """Start an official game of Team 1 against the house; return the path for moves and the first state."""
    game = arena.create(seats="remote:Team 1,random,random,random", **params)
    state = json.loads(arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]})[1])
    return state["playUrl"].removeprefix(arena.url), state


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_parameters_may_come_from_anywhere(arena: Served, kind: str) -> None:
    key = KEYS["Team 1"]
    asked = [
        ("/api/training?turns=3", json.dumps({"key": key}), kind),
        (f"/api/training?key={key}&turns=2", "turns=3", FORM),  # the body counts
        (f"/api/training?key={key}", json.dumps({"turns": 3}), kind),
        (f"/api/training?key={key}&turns=3", "", FORM),
    ]
    for path, body, media in asked:
        status, _, answer = ask(arena, path, body, media)
        assert status == 200, answer
        assert json.loads(answer)["game"]["maxTurns"] == 12


@pytest.mark.parametrize(
    ("kind", "header", "expected"),
    [
        ("multipart/form-data; boundary=x", "Accept: */*",
         (415, b"Blitz - parameters must be sent as application/x-www-form-urlencoded or as JSON")),
        (FORM, "Content-Encoding: gzip",
         (415, b"Blitz - the body must not be compressed: send it without Content-Encoding")),
        ("application/json", "Accept: */*", (400, b"Blitz - the body is not valid JSON")),
    ],
)  # fmt: skip
def test_other_encodings_are_refused_in_words(
    arena: Served, kind: str, header: str, expected: tuple[int, bytes]
) -> None:
    status, _, body = ask(arena, "/api/training", '{"key": "x", "turns": NaN}', kind, header)
    assert (status, body) == expected


def test_parameters_that_do_not_apply_are_ignored(arena: Served) -> None:
    game = arena.create(seats="remote:Team 1,random,random,random", rounds="3", map="m1")
    joined = arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"], "turns": "50", "map": "m2"})
    state = json.loads(joined[1])
    assert state["game"]["maxTurns"] == 12
    assert state["game"]["board"]["size"] == json.loads(official_board(arena))["size"]
    path = state["playUrl"].removeprefix(arena.url)
    assert arena.call(path, {"dir": "Stay", "key": "wrongkey", "turns": "1"})[0] == 200


def official_board(arena: Served) -> str:
    """Return the board of a training game on the map m1."""
    state = json.loads(arena.call("/api/training", {"key": KEYS["Team 2"], "map": "m1", "turns": "1"})[1])
    return json.dumps(state["game"]["board"])


def test_key_and_direction_are_trimmed(arena: Served) -> None:
    game = arena.create(seats="remote:Team 1,random,random,random")
    status, body = arena.call(f"/api/arena?gameId={game}", {"key": f" {KEYS['Team 1']}\r\n"})
    assert status == 200
    path = json.loads(body)["playUrl"].removeprefix(arena.url)
    assert arena.call(path, {"dir": "\tnorth \n"})[0] == 200
    arena.organise(f"/games/{game}", "DELETE")
    line = next(line for line in arena.record(game).answers if line.seat == 0)
    assert (line.move, line.fault) == ("North", None)


def test_an_idle_connection_is_closed(arena: Served) -> None:
    assert arena.server.config.timeout_keep_alive == 120
    arena.server.config.timeout_keep_alive = 0  # of connections that are made from now on
    wire = Wire(arena.port)
    wire.send(b"POST /api/training HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
    assert wire.response()[0] == 400
    assert wire.socket.recv(1) == b""


@pytest.mark.parametrize("path", ["/api/training/", "/api/arena/", "/register/", "/games/", "//api/training"])
def test_no_post_is_redirected(arena: Served, path: str) -> None:
    assert ask(arena, path, f"key={KEYS['Team 1']}")[0] == 404


def test_what_is_unknown_is_left_out(arena: Served) -> None:
    path, state = official(arena)
    assert "lastDir" not in state["hero"]
    body = arena.call(path, {"dir": "Stay"})[1]
    assert json.loads(body)["hero"]["lastDir"] == "Stay"
    assert "null" not in json.dumps(state) + body


def test_maps_of_training_have_no_spikes() -> None:
    protocol = find_protocol("heroes", Workspace())
    assert protocol.rest
    offered: list[str] = []

    def pick(names: Sequence[str]) -> str:
        offered.extend(names)
        return names[0]

    protocol.rest.options({}, pick)
    assert len(offered) > 3
    defaults = {option.name: option.default for option in protocol.options}
    for name in offered:
        setup = protocol.setup(4, {**defaults, "map": name}, Chance(1, "setup"))
        assert "^^" not in json.dumps(setup)


@pytest.mark.parametrize(
    ("path", "status"), [("/api/training", 400), ("/api/nothere1/abcd/play", 404), ("/nowhere/at/all", 404)]
)
def test_errors_are_plain_text(arena: Served, path: str, status: int) -> None:
    found, headers, body = ask(arena, path, "dir=North")
    assert (found, headers["content-type"]) == (status, "text/plain; charset=utf-8")
    assert re.fullmatch(rb"[^\n<>]{10,100}", body)


def test_ids_and_keys_have_eight_characters(arena: Served) -> None:
    _, state = official(arena)
    assert re.fullmatch(r"\w{8}", state["game"]["id"])
    assert len(arena.organise("/register", name="Somebody")["key"]) == 8


def test_a_move_that_is_too_late_is_told_so(make_arena: Any) -> None:
    arena = make_arena(settings={"limits": {"move": "100ms", "first_move": "100ms"}})
    game = arena.create(rounds="600", seats="remote:Team 1,remote:Team 2,random,random")
    wires = join_in_order(arena, game, 1, 2)
    state = json.loads(wires[0].response()[2])
    second = json.loads(wires[1].response()[2])  # the first was too late, and it is the turn of the second
    assert second["game"]["heroes"][0]["crashed"]
    play_raw(wires[0], state, "North")
    status, _, body = wires[0].response()
    assert status == 400
    assert body in (b"Blitz - Time out! You must play faster", b"Blitz - Game is finished")
    for wire in wires:
        wire.close()


def test_finished_training_games_are_listed(arena: Served) -> None:
    with client("11", arena.port, KEYS["Team 1"]) as player:
        last = player.play_out(player.join(turns=1), lambda _: "Stay")
    arena.record(last["game"]["id"])
    arena.until(lambda: last["game"]["id"] not in arena.lobby.live)
    (listed,) = json.loads(arena.call(f"/games/training?apiKey={TOKEN}")[1])
    assert (listed["id"], listed["finished"]) == (last["game"]["id"], True)
    assert json.loads(arena.call(f"/games?apiKey={TOKEN}")[1]) == []


def test_any_origin_is_allowed(arena: Served) -> None:
    for path in ("/api/training", "/api/nothere1/abcd/play", "/join"):
        _, headers, _ = ask(arena, path, "dir=North", FORM, "Origin: http://site:8080")
        assert headers["access-control-allow-origin"] == "http://site:8080"
        assert headers["vary"] == "Origin"
        assert "access-control-allow-credentials" not in headers
    _, headers, _ = ask(arena, "/organiser/login", "token=x", FORM, "Origin: http://site:8080")
    assert "access-control-allow-origin" not in headers
