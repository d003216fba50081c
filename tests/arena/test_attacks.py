"""Attacks by strangers and by teams that play unfairly: the table in docs/arena-organiser.md, line by line."""

from __future__ import annotations

import json
import resource
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic_ns
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
import websocket

from arbiter.arena import connection, open_connections, rest, streams
from arbiter.arena.access import TokenBuckets
from arbiter.arena.app import SPECTATORS_THREADS
from tests.arena.clients import FORM, Wire, client
from tests.arena.served import KEYS, TOKEN, Served
from tests.tools import until

pytestmark = pytest.mark.slow


def ask(arena: Served, *parts: bytes | str) -> tuple[int, dict[str, str], bytes]:
    """Send bytes on a new connection and read one response."""
    wire = Wire(arena.port, 20)
    try:
        for part in parts:
            wire.send(part.encode() if isinstance(part, str) else part)
        return wire.response()
    finally:
        wire.close()


def is_closed(wire: Wire) -> bool:
    """Wait for the server to close a connection."""
    try:
        while wire.socket.recv(65536):
            pass
    except ConnectionError:
        return True
    return True


def connection_from(arena: Served, client: socket.socket) -> object:
    """Return the server's end of a connection."""
    mine = client.getsockname()

    def found() -> list[object]:
        return [each for each in list(arena.server.server_state.connections) if getattr(each, "client", None) == mine]

    return arena.until(found)[0]


def post(path: str, body: str = "", *headers: str) -> str:
    lines = [f"POST {path} HTTP/1.1", "Host: h", f"Content-Type: {FORM}", *headers]
    if not any(line.lower().startswith(("content-length", "transfer-encoding")) for line in headers):
        lines.append(f"Content-Length: {len(body.encode())}")
    return "\r\n".join([*lines, "", body])


def start(arena: Served, team: str = "Team 1", rounds: str = "2") -> dict[str, Any]:
    """Start an official game of this team against the house and return its first state."""
    game = arena.create(rounds=rounds, seats=f"remote:{team},random,random,random")
    status, body = arena.call(f"/api/arena?gameId={game}", {"key": KEYS[team]})
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    return found


def path_of(state: dict[str, Any]) -> str:
    return "/" + str(state["playUrl"]).split("/", 3)[3]


# -- keys and tokens


def until_slowed_down(call: Callable[[int], tuple[int, Any]], free: int = 60) -> list[tuple[int, Any]]:
    """Call until a call is refused: after the free calls, and a few more, since the budget refills meanwhile."""
    answers = [call(0)]
    while answers[-1][0] != 429:
        assert len(answers) < 10 * free, "it is not slowed down"
        answers.append(call(len(answers)))
    assert len(answers) > free
    return answers


def test_guessing_keys_is_slowed_down(arena: Served) -> None:
    answers = until_slowed_down(lambda number: arena.call("/api/training", {"key": f"guess{number:03}"}))
    assert answers[0] == (400, "Blitz - Key not found")
    assert answers[-1] == (429, "Blitz - Too many wrong keys from your address; wait a minute")
    assert arena.call("/api/training", {"key": KEYS["Team 1"], "turns": "1"})[0] == 200, "it was never used before"


def test_guessing_tokens_is_slowed_down_and_the_player_is_not(arena: Served) -> None:
    state = start(arena)
    game = state["game"]["id"]
    answers = until_slowed_down(lambda number: arena.call(f"/api/{game}/{number}/play", {"dir": "North"}))
    assert answers[0] == (404, "Blitz - Wrong or expired token")
    assert arena.call(path_of(state), {"dir": "North"})[0] == 200


def test_guessing_the_organisers_token_is_slowed_down(arena: Served) -> None:
    answers = until_slowed_down(lambda number: arena.call(f"/teams?apiKey=guess{number}"), 10)
    assert answers[0] == (401, "Unauthorized!")
    assert arena.call(f"/teams?apiKey={TOKEN}")[0] == 200, "who has it is not locked out by others at the same address"


def test_a_token_of_one_game_is_worth_nothing_in_another(arena: Served) -> None:
    first, second = start(arena, "Team 1"), start(arena, "Team 2")
    path = f"/api/{second['game']['id']}/{first['token']}/play"
    assert arena.call(path, {"dir": "North"}) == (404, "Blitz - Wrong or expired token")


def test_a_key_does_not_move_anothers_hero(arena: Served) -> None:
    state = start(arena, "Team 1")
    path = f"/api/{state['game']['id']}/{KEYS['Team 1']}/play"
    assert arena.call(path, {"key": KEYS["Team 1"], "dir": "North"})[0] == 404


def test_a_key_is_no_token_of_the_organiser(arena: Served) -> None:
    assert arena.call(f"/games/active?apiKey={KEYS['Team 1']}") == (401, "Unauthorized!")
    assert arena.call("/games/active?apiKey=") == (401, "Unauthorized!")


def test_tokens_are_shown_to_their_players_only(arena: Served) -> None:
    state = start(arena)
    game = state["game"]["id"]
    arena.call(path_of(state), {"dir": "North"})
    arena.organise(f"/games/{game}", "DELETE")
    seen = [
        arena.call(path)[1] for path in (f"/events/{game}", f"/{game}", "/data/games", "/games", "/data/arena", "/")
    ]
    seen.append(json.dumps(arena.organise("/games", "GET")))
    assert not any(state["token"] in text or KEYS["Team 1"] in text for text in seen)


# -- during a game


def test_another_move_for_the_same_ply_is_refused(arena: Served) -> None:
    state = start(arena, rounds="1")
    assert arena.call(path_of(state), {"dir": "North"})[0] == 200
    assert arena.call(path_of(state), {"dir": "South"}) == (400, "Blitz - Game is finished")
    moves = [line.move for line in arena.record(state["game"]["id"]).answers if line.seat == 0]
    assert moves == ["North"]


def test_two_moves_in_one_packet_are_one_move_each_in_its_turn(arena: Served) -> None:
    state = start(arena)
    wire = Wire(arena.port)
    wire.send((post(path_of(state), "dir=North") + post(path_of(state), "dir=South")).encode())
    first, second = wire.response(), wire.response()
    assert [json.loads(response[2])["game"]["turn"] for response in (first, second)] == [4, 8]
    moves = [line.move for line in arena.record(state["game"]["id"]).answers if line.seat == 0]
    assert moves == ["North", "South"]
    wire.close()


def test_requests_that_wait_for_those_before_them_are_few(arena: Served) -> None:
    state = start(arena)
    wire = Wire(arena.port)
    wire.send((post(path_of(state), "dir=North") * 1000).encode())
    is_closed(wire)
    assert arena.call("/teams")[0] == 401


def test_a_refusal_is_not_taken_for_the_response_to_an_earlier_request(arena: Served) -> None:
    game = arena.create()
    wire = Wire(arena.port)
    wire.send(post(f"/api/arena?gameId={game}", f"key={KEYS['Team 1']}").encode())  # is held
    arena.until(lambda: arena.lobby.live[game].seats_taken)
    wire.send(b"nonsense\r\n\r\n")
    assert wire.socket.recv(100) == b""


def test_a_team_cannot_fill_the_server_with_training_games(arena: Served) -> None:
    answers = [arena.call("/api/training", {"key": KEYS["Team 1"]}) for _ in range(6)]
    assert [status for status, _ in answers] == [200] * 5 + [429]
    assert arena.call("/api/training", {"key": KEYS["Team 2"]})[0] == 200


def test_requests_at_the_same_time_do_not_get_past_that_limit(arena: Served) -> None:
    wires = [Wire(arena.port) for _ in range(12)]
    for wire in wires:
        wire.send(post("/api/training", f"key={KEYS['Team 1']}").encode())
    assert sorted(wire.response()[0] for wire in wires) == [200] * 5 + [429] * 7
    for wire in wires:
        wire.close()


def test_joining_again_and_again_is_slowed_down(arena: Served) -> None:
    answers = until_slowed_down(lambda _: arena.call("/api/arena?gameId=nothere1", {"key": KEYS["Team 1"]}), 30)
    assert {status for status, _ in answers[:-1]} == {400}
    assert arena.call("/api/arena?gameId=nothere1", {"key": KEYS["Team 2"]})[0] == 400


# -- malformed requests


def test_content_length_and_transfer_encoding_together_are_refused(shared: Served) -> None:
    hidden = "0\r\n\r\n" + post("/games")
    data = post("/api/training", hidden, "Content-Length: 4", "Transfer-Encoding: chunked")
    wire = Wire(shared.port)
    wire.send(data.encode())
    status, _, body = wire.response()
    assert (status, b"both Content-Length and Transfer-Encoding" in body) == (400, True)
    assert is_closed(wire), "what follows is not read as a request"


@pytest.mark.parametrize(
    "headers",
    [
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: -1",),
        ("Content-Length: 5, 6",),
        ("Transfer-Encoding: gzip",),
        ("Transfer-Encoding: gzip, chunked",),
        ("Transfer-Encoding: gzip", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: chunked, identity",),
        ("Bad Header: x", "Content-Length: 0"),
        ("X: a\x00b", "Content-Length: 0"),
        ("Content-Length : 0",),
    ],
    ids=str,
)
def test_ambiguous_heads_are_refused(shared: Served, headers: tuple[str, ...]) -> None:
    wire = Wire(shared.port)
    wire.send(post("/api/training", "key=a", *headers).encode())
    assert wire.response()[0] in (400, 501)
    assert is_closed(wire)


@pytest.mark.parametrize("framing", ["Content-Length: 13", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("apart", [True, False])
def test_an_offer_of_http_2_is_declined(shared: Served, framing: str, apart: bool) -> None:
    upgrade = ("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk")
    body = b"key=teamkey99" if "Length" in framing else b"d\r\nkey=teamkey99\r\n0\r\n\r\n"
    head = post("/api/training", "", framing, *upgrade).encode()
    wire = Wire(shared.port)
    for _ in range(2):  # and the connection stays usable
        for part in [head, body] if apart else [head + body]:
            wire.send(part)
        assert wire.response()[::2] == (400, b"Blitz - Key not found")
    wire.send(post("/api/training").encode())
    assert wire.response()[2] == b"Did you forget the key parameter?"
    wire.close()


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"POST /api/training HTTP/9.9\r\nHost: h\r\n\r\n",
        b"POST http://elsewhere/ HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\nHost: h\r\nHost: g\r\n\r\n",
        b"\xff\xfe\xfd\r\n\r\n",
    ],
)
def test_what_is_not_http_is_refused(shared: Served, data: bytes) -> None:
    wire = Wire(shared.port)
    wire.send(data)
    assert wire.response()[0] in (400, 404, 405)
    wire.close()


def test_broken_chunks_end_the_connection(shared: Served) -> None:
    wire = Wire(shared.port)
    wire.send(post("/api/training", "zz\r\nkey=a\r\n0\r\n\r\n", "Transfer-Encoding: chunked").encode())
    assert is_closed(wire)
    assert shared.call("/teams")[0] == 401


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"[" * 60_000),
        ("application/json", b'{"key": ' + b"9" * 60_000 + b"}"),
        ("application/json", b"{"),
        ("application/json", b"[]"),
        ("application/json", b'{"key": {"a": 1}}'),
        ("application/json", b"\xff\xfe"),
        (FORM, b"&".join(b"a%d=1" % number for number in range(2000))),
        (FORM, b"key=%ff%00%0a"),
        (FORM, b"%%%=&&&=;;"),
        ("multipart/form-data; boundary=x", b"--x\r\n\r\n"),
        ("", b"key"),
    ],
)
def test_bodies_of_unknown_shape_get_a_sentence(shared: Served, kind: str, body: bytes) -> None:
    head = f"POST /api/training HTTP/1.1\r\nHost: h\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    status, _, answer = ask(shared, head, body)
    assert status == (415 if kind.startswith("multipart") else 400)
    assert answer
    assert b"Traceback" not in answer


# -- too much


def test_a_large_body_is_refused_before_it_is_read(shared: Served) -> None:
    head = post("/api/training", "", "Content-Length: 100000000", "Expect: 100-continue")
    assert ask(shared, head)[0] == 413


def test_a_large_body_of_unknown_length_is_cut_off(shared: Served) -> None:
    chunk = b"1000\r\n" + b"x" * 4096 + b"\r\n"
    head = post("/api/training", "", "Transfer-Encoding: chunked")
    assert ask(shared, head, *[chunk] * 17)[0] == 413


@pytest.mark.parametrize("what", ["X-Long: " + "x" * 70_000, "\r\n".join(f"X-{n}: {'y' * 100}" for n in range(700))])
def test_large_heads_are_refused(shared: Served, what: str) -> None:
    wire = Wire(shared.port)
    try:
        wire.send(post("/api/training", "", what).encode())
        assert wire.response()[0] in (400, 431)
    except ConnectionError:  # closed while we were still writing
        pass
    wire.close()
    assert shared.call("/teams")[0] == 401


@pytest.mark.parametrize(
    "parts",
    [
        ("POST /api/training HTTP/1.1\r\nHost: h\r\nX-Endless: ", "x" * 9000, "x" * 9000),
        ("POST /api/", "a" * 9000, "a" * 9000),
        (post("/api/training", "", "Transfer-Encoding: chunked"), "5;" + "e" * 9000, "e" * 9000),
        (post("/api/training", "", "Transfer-Encoding: chunked"), "0\r\n", "A: b\r\n" * 9000),
    ],
    ids=["a header", "the address", "an extension of a chunk", "a trailer"],
)
def test_nothing_is_read_without_end(shared: Served, parts: tuple[str, ...]) -> None:
    assert ask(shared, *parts)[0] == 431
    assert shared.call("/teams")[0] == 401


def test_a_trailer_does_not_add_to_the_head(shared: Served) -> None:
    head = post("/teams?apiKey=wrong", "", "Transfer-Encoding: chunked")
    trailer = f"0\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    assert ask(shared, head, trailer)[0] == 401


def test_a_long_address_is_refused(shared: Served) -> None:
    assert ask(shared, post("/api/" + "a" * 20_000))[0] == 414


def test_slow_heads_are_cut_off_whatever_trickles_in(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HEADERS_S", 0.2)
    wire = Wire(arena.port)
    wire.send(b"POST /api/training HTTP/1.1\r\n")
    wire.send(b"X-Slow: 1\r\n")
    assert wire.response()[0] == 408
    assert is_closed(wire)


def test_slow_bodies_are_cut_off(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "REQUEST_S", 0.2)
    wire = Wire(arena.port)
    wire.send(post("/api/training", "k", "Content-Length: 100").encode())
    assert wire.response()[0] == 408
    assert is_closed(wire)


def test_a_slow_move_is_late_however_early_it_began(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(settings={"limits": {"move": "200ms", "first_move": "200ms"}})
    state = start(arena)
    wire = Wire(arena.port)
    wire.send(post(path_of(state), "dir=", "Content-Length: 9").encode())
    line = arena.record(state["game"]["id"]).answers[0]
    assert line.fault
    assert line.fault.kind == "late"
    wire.send(b"North")
    assert wire.response()[0] == 400
    wire.close()


@pytest.fixture
def many_files() -> Iterator[None]:
    """Raise the limit on open files, as the command does: both ends of every connection are in this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_a_thousand_idle_connections_disturb_nobody(arena: Served) -> None:
    idle = [Wire(arena.port) for _ in range(1000)]
    with client("1", arena.port, KEYS["Team 1"]) as player:
        game = arena.create(seats="remote:Team 1,random,random,random")
        last = player.play_out(player.join(game), lambda state: "Stay")
    assert last["game"]["finished"]
    for wire in idle:
        wire.close()


def test_connections_beyond_the_limit_are_told_so(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections, "MOST_PER_ADDRESS", 10)
    wires = [Wire(arena.port) for _ in range(11)]
    assert wires[10].response()[0] == 503
    for wire in wires:
        wire.close()
    until(lambda: not arena.server.server_state.connections, "the end of the connections")
    assert arena.call("/teams")[0] == 401


def test_only_the_oldest_idle_connection_of_an_address_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections, "MOST_PER_ADDRESS", 3)
    monkeypatch.setattr(open_connections, "MOST_CONNECTIONS", 5)
    connections, closed = open_connections.OpenConnections(), list[str]()

    def opened(address: str) -> Any:
        name = f"{address}{len(everyone)}"
        made = Mock(
            address=address,
            loop=SimpleNamespace(time=lambda: 10.0 * len(everyone)),
            transport=SimpleNamespace(close=lambda: closed.append(name)),
        )
        everyone.append(made)
        room = connections.add(made)
        connections.is_idle(made)
        return room

    everyone: list[Any] = []
    assert all(opened(address) for address in ("b", "a", "a", "a"))
    connections.is_busy(everyone[1])
    assert (opened("a"), closed) == (True, ["a2"]), "not the busy one, and not that of another address"
    connections.remove(everyone[2])
    assert (opened("c"), closed) == (True, ["a2"])
    assert (opened("c"), closed) == (True, ["a2", "b0"]), "the oldest of all"
    for each in everyone:
        connections.is_busy(each)
    assert not opened("a")


def test_a_websocket_counts_until_it_is_closed(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections, "MOST_PER_ADDRESS", 1)
    for _ in range(3):
        with pytest.raises(websocket.WebSocketBadStatusException):
            websocket.create_connection(f"ws://127.0.0.1:{arena.port}/play/x/y", timeout=100)
        until(lambda: not arena.server.server_state.connections, "the end of the connection")


def test_whoever_does_not_read_does_not_gain_time(make_arena: Callable[..., Served]) -> None:
    limit_s = 0.1
    arena = make_arena(settings={"limits": {"move": f"{limit_s}s", "first_move": "20s"}})
    state = start(arena)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    slow.connect(("127.0.0.1", arena.port))
    wire = Wire.over(slow)
    served: Any = connection_from(arena, slow)
    served.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    asked = 0
    while not served.flow.write_paused:
        before = served.cycle
        wire.send(b"GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
        asked += 1
        arena.until(lambda before=before: served.cycle is not before and served.cycle.response_complete)  # type: ignore[misc]
        arena.turn()  # what was written is in the kernel by now, or the connection is full
    wire.send(post(path_of(state), "dir=North").encode())
    place = arena.lobby.live[state["game"]["id"]].seats_taken[0]
    question = arena.until(lambda: place.remote.question(1))
    arena.until(
        lambda: monotonic_ns() > question.put_ns + 3 * limit_s * 1e9
    )  # as a spectator, it sees the state meanwhile
    assert [wire.response()[0] for _ in range(asked + 1)] == [404] * asked + [200]
    arena.until(lambda: place.remote.question(1) is not question)  # the game's thread has yet to rule
    wire.send(post(path_of(state), "dir=South").encode())
    assert wire.response()[0] == 400
    wire.close()
    lines = [line for line in arena.record(state["game"]["id"]).answers if line.seat == 0]
    assert [line.fault and line.fault.kind for line in lines] == [None, "late"]


def test_players_do_not_wait_for_what_spectators_ask_for(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    over = start(arena, rounds="1")["game"]["id"]
    arena.organise(f"/games/{over}", "DELETE")
    arena.record(over)
    busy, release, original = threading.Semaphore(0), threading.Event(), streams._replayed

    def slow(*given: Any) -> list[str]:
        busy.release()
        release.wait(60)
        return original(*given)

    monkeypatch.setattr(streams, "_replayed", slow)
    wires = [Wire(arena.port) for _ in range(20)]
    for wire in wires:
        wire.send(f"GET /events/{over} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    for _ in range(SPECTATORS_THREADS):
        assert busy.acquire(timeout=60)
    game = start(arena, "Team 2", rounds="1")  # the key is checked, a game is created, moves are made
    assert json.loads(arena.call(path_of(game), {"dir": "Stay"})[1])["game"]["finished"]
    assert not busy.acquire(blocking=False), "no more of them are worked on at the same time"
    release.set()
    assert [wire.response()[0] for wire in wires] == [200] * len(wires)
    for wire in wires:
        wire.close()


def test_connections_that_were_left_open_make_room_for_others(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_connections, "MOST_PER_ADDRESS", 10)
    monkeypatch.setattr(open_connections, "IDLE_AT_LEAST_S", 0)
    monkeypatch.setattr(rest, "KEEPALIVE_S", 1)
    kept = Wire(arena.port)
    kept.send(b"GET /now-available HTTP/1.1\r\nHost: h\r\n\r\n")  # a stream, which is not idle
    assert kept.head()[0] == 200
    with client("19", arena.port, KEYS["Team 1"]) as player:
        game = arena.create(rounds="30", seats="remote:Team 1,random,random,random")
        assert player.play_out(player.join(game), lambda state: "Stay")["game"]["finished"]
        assert len(player._left) == 30
    assert kept.socket.recv(100)
    kept.close()


# -- paths and pages


def test_what_players_may_not_know_is_not_shown_while_the_game_is_played(arena: Served) -> None:
    game = arena.create(protocol="splendor", seats="remote:Team 1,random", rounds="", map="")
    arena.call("/join", {"key": KEYS["Team 1"], "game": game})
    arena.until(lambda: arena.row(game).record)
    assert "is being played" in arena.call(f"/{game}")[1]
    assert json.loads(arena.call("/data/games")[1])["games"] == []
    arena.organise(f"/games/{game}", "DELETE")
    arena.record(game)
    arena.until(lambda: not arena.row(game).record.startswith("hidden/"))
    assert "/static/start.js" in arena.call(f"/{game}")[1]
    assert arena.row(game).record.startswith("ended/"), "it is not in the list, where it would seem to be played"


@pytest.mark.parametrize(
    "path",
    [
        "/static/../../../etc/passwd", "/static/..%2f..%2fetc%2fpasswd", "/static/%2e%2e/app.py", "//etc/passwd",
        "/game/../../etc/passwd", "/data/game/..%2f..%2farena.sqlite/record", "/drawing/..%2f..%2fx.js", "/drawing/heroes/..%2frules.py", "/arena.sqlite",
        "/organiser-token", "/events/..%2f..%2fetc%2fpasswd", "/static/%00", "/data/game/%00",
    ],
)  # fmt: skip
def test_paths_lead_nowhere(shared: Served, path: str) -> None:
    status, _, body = ask(shared, f"GET {path} HTTP/1.1\r\nHost: h\r\n\r\n")
    assert status in (400, 404, 422)
    assert b"root:" not in body


def test_no_answer_names_a_path_of_this_machine(arena: Served) -> None:
    state = start(arena, rounds="1")
    arena.call(path_of(state), {"dir": "North"})
    game = state["game"]["id"]
    arena.record(game)
    arena.until(lambda: arena.row(game).status == "finished")
    page = arena.call(f"/{game}")
    assert page[0] == 200
    shown = json.loads(arena.call("/data/games")[1])["games"][0]
    answers = [
        arena.call(f"/data/game/{shown['id']}")[1], json.dumps(shown), json.dumps(arena.organise("/games", "GET")),
        arena.call("/data/games?sort=nonsense")[1], arena.call("/data/game/nothere")[1],
        arena.call(f"/games?apiKey={TOKEN}", {"seats": "./no/such.py,,,"})[1],
    ]  # fmt: skip
    assert not any(str(arena.folder.parent) in answer for answer in answers)
    assert not any(str(Path(__file__).parents[2]) in answer for answer in answers)


def test_script_in_a_name_is_text(arena: Served) -> None:
    name = "<img src=x onerror=alert(1)>"
    key = arena.organise("/register", name=name)["key"]
    game = arena.create(seats=f"remote:{name},,,")
    wire = Wire(arena.port)
    wire.send(post(f"/api/arena?gameId={game}", f"key={key}").encode())
    arena.until(lambda: arena.lobby.live[game].seats_taken)
    status, headers, body = ask(arena, f"GET /{game} HTTP/1.1\r\nHost: h\r\n\r\n")
    assert status == 200
    assert b"<img" not in body
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    wire.close()


@pytest.mark.parametrize(
    "host", ['h"onload=x', "h/../x", "a b", "h:99999999", "<x>", "", "evil.example", "evil.example:9000"]
)
def test_a_forged_host_does_not_get_into_addresses(arena: Served, host: str) -> None:
    body = f"key={KEYS['Team 1']}&turns=1"
    data = post("/api/training", body).replace("Host: h", f"Host: {host}")
    status, _, answer = ask(arena, data)
    assert status == 200
    assert json.loads(answer)["playUrl"].startswith(f"http://127.0.0.1:{arena.port}/api/")


@pytest.mark.parametrize("host", ["LOCALHOST:9000", "127.0.0.1", "arena.example"])
def test_addresses_are_those_by_which_the_client_reaches_this_machine(
    make_arena: Callable[..., Served], host: str
) -> None:
    arena = make_arena(names=["Arena.example"])
    data = post("/api/training", f"key={KEYS['Team 1']}&turns=1").replace("Host: h", f"Host: {host}")
    assert json.loads(ask(arena, data)[2])["playUrl"].startswith(f"http://{host}/api/")


def test_other_sites_get_answers_but_no_credentials(shared: Served) -> None:
    status, headers, _ = ask(
        shared, "OPTIONS /api/training HTTP/1.1\r\nHost: h\r\nOrigin: http://site\r\n"
        "Access-Control-Request-Headers: content-type\r\n\r\n",
    )  # fmt: skip
    assert status == 204
    assert headers["access-control-allow-origin"] == "http://site"
    assert headers["access-control-allow-headers"] == "content-type"
    assert "access-control-allow-credentials" not in headers
    assert "set-cookie" not in headers


def test_a_client_that_vanishes_while_it_is_held_leaves_nothing_behind(arena: Served) -> None:
    game = arena.create()
    wire = Wire(arena.port)
    wire.send(post(f"/api/arena?gameId={game}", f"key={KEYS['Team 1']}").encode())
    arena.until(lambda: arena.lobby.live[game].seats_taken)
    wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset instead of closing
    wire.close()
    arena.until(lambda: not arena.lobby.live[game].seats_taken[0].remote.pollers)
    arena.until(lambda: not arena.lobby.live[game].seats_taken[0].notifier._waiting)


def test_a_budget_refills_with_time() -> None:
    now = [0.0]
    rate = TokenBuckets(2, 0.5, names=2, now=lambda: now[0])
    assert [rate.spend("a") for _ in range(3)] == [True, True, False]
    assert rate.spend("b")
    now[0] = 2
    assert [rate.spend("a") for _ in range(2)] == [True, False]
    for name in "cde":
        rate.spend(name)
    assert len(rate._left) == 2


def test_a_spectator_sees_a_game_whose_record_is_moved_meanwhile(
    arena: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    over = start(arena, rounds="1")["game"]["id"]
    arena.organise(f"/games/{over}", "DELETE")
    arena.until(lambda: arena.row(over).record.startswith("ended/"))
    original, asked = streams._replayed, list[Any]()

    def moved(path: Any, protocol: Any) -> list[str]:
        asked.append(path)
        if len(asked) == 1:
            row = arena.lobby.store.game(over)
            assert row is not None
            arena.lobby.store.save(replace(row, record=str(Path(row.record).with_name("moved.jsonl"))))
            path.rename(path.with_name("moved.jsonl"))
        return original(path, protocol)

    monkeypatch.setattr(streams, "_replayed", moved)
    assert arena.call(f"/events/{over}")[0] == 200
    assert len(asked) == 2
