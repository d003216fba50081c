"""Any protocol over HTTP and WebSocket, with the text that a local agent would read."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
import websocket

from arbiter.config.workspace import Workspace, bundled
from arbiter.records.replay import Replay, input_text
from arbiter.records.verify import differences
from arbiter.registry import find_protocol
from tests.arena.clients import Wire
from tests.arena.served import KEYS, Served

pytestmark = pytest.mark.slow


def join(arena: Served, team: str = "Team 1", **wanted: str) -> dict[str, Any]:
    status, body = arena.call("/join", {"key": KEYS[team], **wanted})
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    return found


def greedy(text: str) -> str:
    command = [sys.executable, str(bundled() / "sample_agents" / "splendor" / "greedy.py")]
    return subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout


def until_closed(socket: websocket.WebSocket) -> bool:
    """Read until the server closes."""
    try:
        while socket.recv():
            pass
    except (websocket.WebSocketConnectionClosedException, ConnectionError):
        return True
    return True


def path(seat: dict[str, Any], arena: Served) -> str:
    return str(seat["playUrl"]).removeprefix(arena.url)


def test_splendor_by_long_poll_reads_what_a_local_agent_reads(arena: Served) -> None:
    game = arena.create(protocol="splendor", seats="remote:Team 1,random", max_rounds="4", rounds="", map="")
    seat = join(arena, game=game)
    assert (seat["protocol"], seat["seat"], seat["lifetime"]) == ("splendor", 0, "move")
    message = json.loads(arena.call(path(seat, arena))[1])
    texts = []
    while not message["over"]:
        texts.append(message["text"])
        answer = {"number": str(message["number"]), "answer": greedy(message["text"]), "kibitz": "thinking"}
        status, body = arena.call(path(seat, arena), answer)
        assert status == 200, body
        message = json.loads(body)
    record = arena.record(seat["game"])
    splendor = find_protocol("splendor", Workspace())
    assert not list(differences(record, splendor))
    assert not any(line.fault for line in record.answers)
    replay = Replay(record, splendor)
    expected = []
    for _, lines in replay:
        expected += [input_text(replay.game, record, line) for line in lines if line.seat == 0]
    assert texts == expected
    assert record.answers[0].kibitz == ["thinking"]


def test_drones_by_websocket(arena: Served) -> None:
    seat = join(arena, training="drones")
    socket = websocket.create_connection(seat["socketUrl"], timeout=100)
    socket.send("no json")
    errors = []
    first = None
    while True:
        message = json.loads(socket.recv())
        if "error" in message and "over" not in message:
            errors.append(message["error"])
            continue
        if message["over"]:
            break
        first = first or message["text"]
        socket.send(json.dumps({"number": message["number"], "answer": "nonsense", "kibitz": "a\nb"}))
    record = arena.record(seat["game"])
    assert errors == ["a message must be a JSON object"]
    assert not list(differences(record, find_protocol("drones", Workspace())))
    own = [line for line in record.answers if line.seat == 0]
    assert own[0].kibitz == ["a", "b"]
    replay = Replay(record, find_protocol("drones", Workspace()))
    _, lines = next(iter(replay))
    assert first == input_text(replay.game, record, next(line for line in lines if line.seat == 0))


def test_an_open_question_can_be_asked_for_again_and_answered_once(arena: Served) -> None:
    seat = join(arena, training="splendor")
    url = path(seat, arena)
    first, again = (json.loads(arena.call(url)[1]) for _ in range(2))
    assert first == again
    assert arena.call(url, {"number": "2", "answer": "x"})[0] == 409
    assert arena.call(url, {"answer": "x"})[0] == 400
    answer = {"number": "1", "answer": greedy(first["text"])}
    next_question = arena.call(url, answer)
    assert arena.call(url, answer) == next_question
    assert arena.call(url, {**answer, "answer": "other"})[0] == 409


@pytest.mark.parametrize("wanted", [{"training": "ludo"}, {"game": "nothere1"}, {"protocol": "ludo"}])
def test_mistakes_are_told(shared: Served, wanted: dict[str, str]) -> None:
    status, body = shared.call("/join", {"key": KEYS["Team 1"], **wanted})
    assert status == 400
    assert body
    assert shared.call("/join", {"key": "wrongkey"}) == (400, '{"error":"Key not found"}')
    assert shared.call("/play/nothere1/token")[0] == 404


def test_a_websocket_with_a_wrong_token_or_too_large_a_message_is_closed(arena: Served) -> None:
    with pytest.raises(websocket.WebSocketBadStatusException):
        websocket.create_connection(f"ws://127.0.0.1:{arena.port}/play/nothere1/token", timeout=100)
    seat = join(arena, training="drones")
    socket = websocket.create_connection(seat["socketUrl"], timeout=100)
    socket.send("x" * 100_000)
    assert until_closed(socket)
    socket = websocket.create_connection(seat["socketUrl"], timeout=100)
    socket.send_binary(b"\xff\xfe")
    socket.close()
    assert arena.call("/teams")[0] == 401


def test_an_aborted_game_ends_the_socket_with_the_reason(arena: Served) -> None:
    game = arena.create()
    seat = join(arena, game=game)
    socket = websocket.create_connection(seat["socketUrl"], timeout=100)
    arena.organise(f"/games/{game}", "DELETE", because="lunch")
    assert json.loads(socket.recv()) == {"number": None, "text": None, "over": True, "error": "lunch"}


def test_json_bodies_work_as_well(arena: Served) -> None:
    wire = Wire(arena.port)
    body = json.dumps({"key": KEYS["Team 1"], "training": "splendor"})
    wire.send(
        f"POST /join HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
    )
    assert wire.response()[0] == 200
    wire.close()


def test_a_program_is_told_of_its_faults_and_of_the_result(arena: Served) -> None:
    seat = join(arena, training="drones", rounds="1")
    message = json.loads(arena.call(path(seat, arena))[1])
    told: list[Any] = []
    while not message["over"]:
        answer = {"number": str(message["number"]), "answer": "0 1 1" if told else "attack"}
        message = json.loads(arena.call(path(seat, arena), answer)[1])
        told.append(message.get("fault"))
    record = arena.record(seat["game"])
    assert record.result
    own = [line.fault for line in record.answers if line.seat == 0]
    assert told == [{"kind": fault.kind, "detail": fault.detail} if fault else None for fault in own]
    assert told[0]["kind"] == "garbled"
    assert message["result"] == {
        "ranks": record.result.ranks, "scores": record.result.scores, "reason": record.result.reason,
    }  # fmt: skip


def test_a_refused_message_of_a_websocket_has_a_code(arena: Served) -> None:
    seat = join(arena, training="drones")
    socket = websocket.create_connection(seat["socketUrl"])
    json.loads(socket.recv())
    for sent, code in (("[]", 400), ('{"number": 7, "answer": "1 0 0"}', 409)):
        socket.send(sent)
        found = json.loads(socket.recv())
        assert (set(found), found["code"]) == ({"error", "code"}, code)
    socket.close()
