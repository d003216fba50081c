"""Joining, playing out of turn and repeating a request each get the documented response: one sentence, at once."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from arbiter.arena import long_poll
from tests.arena.clients import Wire, client
from tests.arena.served import KEYS, TOKEN, Served

pytestmark = pytest.mark.slow


def join_raw(arena: Served, game: str, team: str) -> Wire:
    """Send a join request and return the connection on which it waits."""
    wire = Wire(arena.port)
    body = urlencode({"key": KEYS[team]})
    wire.send(
        f"POST /api/arena?gameId={game} HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    return wire


def play_raw(wire: Wire, state: dict[str, Any], direction: str) -> None:
    path = "/" + state["playUrl"].split("/", 3)[3]
    body = f"dir={direction}"
    wire.send(
        f"POST {path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )


def join_in_order(arena: Served, game: str, *numbers: int) -> list[Wire]:
    """Let these teams join one after the other."""
    wires = []
    for number in numbers:
        wires.append(join_raw(arena, game, f"Team {number}"))
        wait_until(arena, game, number)
    return wires


def stay(players: list[tuple[Wire, dict[str, Any] | None]], second: dict[str, Any]) -> None:
    """Let the second to the fourth team stay where they are; the state of the second is known."""
    for seat in (1, 2, 3):
        state = second if seat == 1 else json.loads(players[seat][0].response()[2])
        play_raw(players[seat][0], state, "Stay")


def four(arena: Served, game: str) -> list[tuple[Wire, dict[str, Any] | None]]:
    """Four teams join one after the other; the first gets its state."""
    wires = join_in_order(arena, game, 1, 2, 3, 4)
    status, _, body = wires[0].response()
    assert status == 200
    return [(wires[0], json.loads(body)), *((wire, None) for wire in wires[1:])]


def wait_until(arena: Served, game: str, joined: int) -> None:
    """Wait until this many teams have joined."""
    found = arena.lobby.find(game)
    assert found
    arena.until(lambda: len(found.seats_taken) >= joined)


def text(response: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    return response[0], response[2].decode()


@pytest.mark.parametrize(
    ("path", "params", "expected"),
    [
        ("/api/training", {}, (400, "Did you forget the key parameter?")),
        ("/api/training", {"key": ""}, (400, "Did you forget the key parameter?")),
        ("/api/training", {"key": "wrongkey"}, (400, "Blitz - Key not found")),
        ("/api/arena", {"key": "wrongkey"}, (400, "Blitz - Key not found")),
        ("/api/arena?gameId=nothere1", {"key": KEYS["Team 1"]}, (400, "Blitz - No round with id nothere1")),
        ("/api/nothere1/abcd/play", {"dir": "North"}, (404, "Blitz - Unknown game nothere1")),
        ("/api/elsewhere", {"key": "x"}, (404, "there is nothing at this address")),
    ],
)
def test_wrong_requests_are_answered_with_the_documented_sentence(
    shared: Served, path: str, params: dict[str, str], expected: tuple[int, str]
) -> None:
    assert shared.call(path, params) == expected


def test_a_get_where_a_post_belongs_is_told_so(shared: Served) -> None:
    status, body = shared.call("/api/training")
    assert (status, body) == (405, "this address does not support that method")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [("4000", 600), ("0", 1), ("-5", 1), ("--5", 300), ("many", 300), ("", 300), ("9" * 5000, 600)],
)
def test_turns_are_clamped_and_never_refused(arena: Served, turns: str, expected: int) -> None:
    status, body = arena.call("/api/training", {"key": KEYS["Team 1"], "turns": turns, "map": ""})
    assert status == 200
    state = json.loads(body)
    assert state["game"]["maxTurns"] == 4 * expected


def test_a_map_may_be_drawn_by_the_client(arena: Served) -> None:
    size = 6
    tiles = "@1" + "  " * 4 + "@2" + "  " * 24 + "@4" + "  " * 4 + "@3"
    wire = Wire(arena.port)
    body = json.dumps({"key": KEYS["Team 1"], "turns": 1, "map": {"size": size, "tiles": tiles}})
    wire.send(
        f"POST /api/training HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        f"\r\n{body}".encode()
    )
    status, _, answer = wire.response()
    assert status == 200, answer
    assert json.loads(answer)["game"]["board"] == {"size": size, "tiles": tiles}
    wire.close()


def test_an_unknown_map_is_refused_in_words(shared: Served) -> None:
    status, body = shared.call("/api/training", {"key": KEYS["Team 1"], "map": "m99"})
    assert status == 400
    assert "unknown map 'm99'" in body


def test_a_team_that_waits_cannot_join_a_second_time_and_a_fifth_is_refused(arena: Served) -> None:
    game = arena.create()
    (waiting,) = join_in_order(arena, game, 1)
    assert arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]}) == (
        400, "Blitz - Your team has already joined this game",
    )  # fmt: skip
    others = join_in_order(arena, game, 2, 3, 4)
    assert waiting.response()[0] == 200
    assert arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 5"]}) == (
        400, "Blitz - The game has started without you",
    )  # fmt: skip
    for wire in [waiting, *others]:
        wire.close()


def test_a_seat_can_be_reserved(arena: Served) -> None:
    game = arena.create(seats="random,remote:Team 2,random,random")
    assert arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]}) == (
        400, "Blitz - The game is full, or its seats are for other teams",
    )  # fmt: skip
    with client("1", arena.port, KEYS["Team 2"]) as player:
        state = player.join(game)
        assert state["hero"]["id"] == 2
        player.play_out(state, lambda state: "Stay")


def test_a_program_that_was_restarted_before_the_game_takes_its_seat_again(arena: Served) -> None:
    game = arena.create()
    (first,) = join_in_order(arena, game, 1)
    first.close()
    found = arena.lobby.find(game)
    assert found
    arena.until(lambda: not found.seats_taken[0].remote.pollers)
    again = join_raw(arena, game, "Team 1")
    wires = join_in_order(arena, game, 2, 3, 4)
    status, _, body = again.response()
    assert (status, json.loads(body)["hero"]["id"]) == (200, 1)
    for wire in [again, *wires]:
        wire.close()


def test_a_team_plays_one_official_game_at_a_time(arena: Served) -> None:
    first, second = arena.create(), arena.create()
    wire = join_raw(arena, first, "Team 1")
    wait_until(arena, first, 1)
    assert arena.call(f"/api/arena?gameId={second}", {"key": KEYS["Team 1"]}) == (
        400, f"Blitz - Your team is already in the official game {first}",
    )  # fmt: skip
    wire.close()


def test_no_shows_are_disconnected_heroes(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(join_s=0.2)
    game = arena.create()
    with client("1", arena.port, KEYS["Team 1"]) as player:
        state = player.join(game)
        assert [hero["crashed"] for hero in state["game"]["heroes"]] == [False, True, True, True]
        last = player.play_out(state, lambda state: "Stay")
    assert last["game"]["turn"] == 12
    record = arena.record(game)
    assert record.header.setup["absent"] == [2, 3, 4]
    assert [line.seat for line in record.answers] == [0, 0, 0]
    assert [seat.name for seat in record.header.seats] == ["Team 1", "absent", "absent-2", "absent-3"]
    arena.until(lambda: game not in arena.lobby.live)
    (shown,) = json.loads(arena.call("/data/arena")[1])["games"]
    (organised,) = json.loads(arena.call(f"/organiser/state?apiKey={TOKEN}")[1])["over"]
    (listed,) = arena.until(lambda: json.loads(arena.call("/data/games?finished=yes")[1])["games"])
    assert shown["absent"] == organised["absent"] == [1, 2, 3]
    assert listed["faults"] == [{}, {"absent": 1}, {"absent": 1}, {"absent": 1}]
    with urlopen(f"{arena.url}/export?apiKey={TOKEN}") as response:
        archive = zipfile.ZipFile(io.BytesIO(response.read()))
    rows = csv.DictReader(io.StringIO(archive.read("games.csv").decode()))
    assert [row["absent"] for row in rows] == ["", "yes", "yes", "yes"]


def test_the_organiser_may_start_with_fewer(arena: Served) -> None:
    game = arena.create()
    wire = join_raw(arena, game, "Team 3")
    wait_until(arena, game, 1)
    assert arena.organise(f"/games/{game}/start") == {"id": game}
    assert wire.response()[0] == 200
    wire.close()


def test_playing_out_of_turn_with_a_wrong_token_or_after_the_end(arena: Served) -> None:
    game = arena.create(rounds="1")
    players = four(arena, game)
    state = players[0][1]
    assert state
    play = state["playUrl"].removeprefix(arena.url)
    assert arena.call(f"/api/{game}/wrong/play", {"dir": "North"}) == (404, "Blitz - Wrong or expired token")
    assert arena.call(play, {}) == (400, "Did you forget the dir parameter?")
    play_raw(players[0][0], state, "North")
    second, _ = players[1]
    other = json.loads(second.response()[2])
    assert arena.call(play, {"dir": "South"}) == (400, "Blitz - Not your turn to move")
    stay(players, other)
    for wire, _ in players:
        status, _, body = wire.response()
        assert status == 200
        assert json.loads(body)["game"]["finished"]
    assert arena.call(play, {"dir": "North"}) == (400, "Blitz - Game is finished")
    assert arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]}) == (400, "Blitz - The game is finished")


def test_a_repeated_post_of_the_same_move_counts_once(arena: Served) -> None:
    game = arena.create(rounds="2")
    players = four(arena, game)
    wire, state = players[0]
    assert state
    play_raw(wire, state, "North")
    second = json.loads(players[1][0].response()[2])
    again = Wire(arena.port)
    play_raw(again, state, "North")  # while the first is still held
    stay(players, second)
    answers = [text(wire.response()), text(again.response())]
    assert answers[0] == answers[1]
    assert json.loads(answers[0][1])["game"]["turn"] == 4
    arena.organise(f"/games/{game}", "DELETE")
    record_moves = [line.move for line in arena.record(game).answers if line.seat == 0]
    assert record_moves == ["North"]


def test_a_post_after_a_broken_connection_gets_the_state_that_was_never_delivered(arena: Served) -> None:
    game = arena.create(rounds="2")
    players = four(arena, game)
    wire, state = players[0]
    assert state
    play_raw(wire, state, "North")
    second = json.loads(players[1][0].response()[2])
    wire.close()
    found = arena.lobby.find(game)
    assert found
    arena.until(lambda: not found.seats_taken[0].remote.pollers)
    stay(players, second)
    arena.until(lambda: found.seats_taken[0].remote.question(1) is not None)
    again = Wire(arena.port)
    play_raw(again, state, "North")
    status, _, body = again.response()
    assert (status, json.loads(body)["game"]["turn"]) == (200, 4)
    play_raw(again, state, "West")
    json.loads(players[1][0].response()[2])
    arena.organise(f"/games/{game}", "DELETE")
    moves = [line.move for line in arena.record(game).answers if line.seat == 0]
    assert moves == ["North", "West"]


def test_a_move_that_is_sent_again_after_its_response_was_lost_counts_once(arena: Served) -> None:
    game = arena.create(rounds="3", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    states = [json.loads(wire.response()[2])]
    for _ in range(2):
        play_raw(wire, states[-1], "Stay")
        states.append(json.loads(wire.response()[2]))
    wire.close()
    again = Wire(arena.port)
    play_raw(again, states[1], "Stay")  # as if the last response had been written to a connection that was lost
    status, _, body = again.response()
    assert (status, json.loads(body)) == (200, states[2])
    play_raw(again, states[1], "North")
    assert text(again.response()) == (400, "Blitz - Not your turn to move")
    play_raw(again, states[2], "West")
    assert json.loads(again.response()[2])["game"]["finished"]
    moves = [line.move for line in arena.record(game).answers if line.seat == 0]
    assert moves == ["Stay", "Stay", "West"]
    again.close()


@pytest.mark.parametrize("by_id", [True, False])
def test_a_program_that_was_restarted_joins_its_running_game_again(arena: Served, by_id: bool) -> None:
    game = arena.create(rounds="3", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    state = json.loads(wire.response()[2])
    assert arena.call("/api/arena", {"key": KEYS["Team 1"]})[0] == 200, "its program is thinking, or was killed"
    play_raw(wire, state, "North")
    assert wire.response()[0] == 200
    wire.close()
    with client("12", arena.port, KEYS["Team 1"]) as player:
        again = player.join(game) if by_id else player.join(arena=True)
        assert (again["game"]["id"], again["game"]["turn"]) == (game, 4)
        player.play_out(again, lambda _: "Stay")
    answers = [line for line in arena.record(game).answers if line.seat == 0]
    assert [(line.move, line.fault) for line in answers] == [("North", None), ("Stay", None), ("Stay", None)]
    status, told = arena.call(f"/api/arena?gameId={game}", {"key": KEYS["Team 1"]})
    assert (status, told) == (400, "Blitz - The game is finished")


@pytest.mark.parametrize(
    ("preset", "sentence"), [("contest", "Blitz - Game is finished"), ("vindinium", "Vindinium - The game is finished")]
)
def test_the_end_is_told_in_the_words_of_the_contest_or_its_ancestor(arena: Served, preset: str, sentence: str) -> None:
    game = arena.create(rounds="1", seats="remote:Team 1,random,random,random", preset=preset)
    wire = join_raw(arena, game, "Team 1")
    state = json.loads(wire.response()[2])
    for expected in (200, 400):
        play_raw(wire, state, "North" if expected == 200 else "South")
        status, told = text(wire.response())
        assert status == expected
    assert told == sentence
    wire.close()


def test_a_late_move_disconnects_for_good_and_the_hero_stays(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(settings={"limits": {"move": "100ms", "first_move": "10s"}})
    game = arena.create(rounds="2", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    state = json.loads(wire.response()[2])
    play_raw(wire, state, "North")
    assert wire.response()[0] == 200
    record = arena.record(game)  # waits for the end, without another move
    late = [line for line in record.answers if line.seat == 0][-1]
    assert late.fault
    assert (late.fault.kind, late.move) == ("late", "Stay disconnect")
    assert record.result
    play_raw(wire, state, "North")
    assert text(wire.response()) == (400, "Blitz - Time out! You must play faster")
    wire.close()


def test_an_answer_that_is_no_direction_counts_as_stay(arena: Served) -> None:
    game = arena.create(rounds="1", seats="remote:Team 1,random,random,random")
    with client("1", arena.port, KEYS["Team 1"]) as player:
        player.play_out(player.join(game), lambda state: "Up")
    line = next(line for line in arena.record(game).answers if line.seat == 0)
    assert line.fault
    assert (line.fault.kind, line.move, line.fault.said) == ("garbled", "Stay", "Up")


def test_kibitz_is_kept(arena: Served) -> None:
    game = arena.create(rounds="1", seats="remote:Team 1,random,random,random")
    wire = join_raw(arena, game, "Team 1")
    state = json.loads(wire.response()[2])
    path = "/" + state["playUrl"].split("/", 3)[3]
    assert arena.call(path, {"dir": "Stay", "kibitz": "for the tavern\nperhaps"})[0] == 200
    line = next(line for line in arena.record(game).answers if line.seat == 0)
    assert line.kibitz == ["for the tavern", "perhaps"]
    wire.close()


def test_a_long_held_join_is_bridged_with_blanks(arena: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_poll, "SILENCE_S", 0.05)
    monkeypatch.setattr(long_poll, "KEEPALIVE_S", 0.02)
    game = arena.create(seats="remote:Team 1,remote:Team 2,random,random")
    wire = join_raw(arena, game, "Team 1")
    status, headers = wire.head()
    assert (status, headers["transfer-encoding"]) == (200, "chunked")
    assert wire._until(b"\r\n") == b"1"
    assert wire._until(b"\r\n") == b" "
    arena.organise(f"/games/{game}/start")
    body = b""
    while size := int(wire._until(b"\r\n"), 16):
        while len(wire._rest) < size + 2:
            wire._more()
        body, wire._rest = body + wire._rest[:size], wire._rest[size + 2 :]
    assert json.loads(body)["hero"]["id"] == 1
    wire.close()


def test_an_ended_game_tells_those_who_wait(arena: Served) -> None:
    game = arena.create()
    wire = join_raw(arena, game, "Team 1")
    wait_until(arena, game, 1)
    arena.organise(f"/games/{game}", "DELETE", because="the projector failed")
    assert text(wire.response()) == (400, "Blitz - the projector failed")
    wire.close()


def test_a_response_is_one_packet_with_its_length(arena: Served) -> None:
    wire = Wire(arena.port)
    body = urlencode({"key": KEYS["Team 1"], "turns": "1"})
    wire.send(
        f"POST /api/training HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    data = wire.socket.recv(65536)
    head, _, rest = data.partition(b"\r\n\r\n")
    assert f"content-length: {len(rest)}".encode() in head
    assert json.loads(rest)["game"]["maxTurns"] == 4
    wire.close()


def test_spectators_see_every_ply_in_order_also_of_the_disconnected(make_arena: Callable[..., Served]) -> None:
    arena = make_arena(join_s=0.1)
    game = arena.create(rounds="3")
    live = Wire(arena.port)
    live.send(f"GET /events/{game} HTTP/1.1\r\nHost: h\r\n\r\n".encode())
    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(live.response)
        with client("1", arena.port, KEYS["Team 1"]) as player:
            player.play_out(player.join(game), lambda state: "Stay")
        status, headers, body = watching.result(30)
    live.close()
    assert (status, headers["content-type"]) == (200, "text/event-stream; charset=utf-8")
    seen = [json.loads(line[6:]) for line in body.decode().split("\n\n") if line.startswith("data: ")]
    assert [state["turn"] for state in seen] == list(range(1, 13))
    assert seen[-1]["finished"]
    assert "token" not in body.decode()
    replayed = arena.call(f"/events/{game}")[1]
    arena.lobby._over.clear()  # as after a restart
    assert arena.call(f"/events/{game}")[1] == replayed == body.decode()
    assert arena.call("/events/unknown1") == (404, "Blitz - Unknown game unknown1")


def test_the_view_url_leads_to_the_viewer(arena: Served) -> None:
    status, body = arena.call("/api/training", {"key": KEYS["Team 1"], "turns": "1"})
    state = json.loads(body)
    status, page = arena.call(state["viewUrl"].removeprefix(arena.url))
    assert status == 200
    assert "/static/start.js" in page
    waiting = arena.create()
    assert "has not started yet" in arena.call(f"/{waiting}")[1]
    assert arena.call("/nosuchid") == (404, "Unknown game")
