"""What clients of the contest rely on, each fact with the test that shows it; tests of those that no other file covers.

The facts were measured with 22 clients in nine languages, or read from the sources of others and of the contest's server.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.game import Chance
from arbiter.registry import find_protocol
from tests.arena.clients import FORM, Wire, client
from tests.arena.served import KEYS, TOKEN, Served
from tests.arena.test_joining import join_in_order, play_raw

pytestmark = pytest.mark.slow

FACTS = {
    # -- requests
    "each of 22 families joins and plays with its own paths, parameters, headers and connections":
        "test_families.py::test_every_family_finishes_a_training_game",
    "four clients, also of different families, fill an official game by its id":
        "test_families.py::test_four_clients_fill_an_official_game",
    "without an id, a client gets the next open game": "test_families.py::test_the_queue_is_filled_with_house_agents",
    "query, form and JSON are merged, and the media type is read in any case":
        "test_wire_facts.py::test_parameters_may_come_from_anywhere",
    "turns and map are ignored in the arena, and key in a move":
        "test_wire_facts.py::test_parameters_that_do_not_apply_are_ignored",
    "an empty map or turns is none; turns are clamped to 1 to 600 and never refused":
        "test_joining.py::test_turns_are_clamped_and_never_refused",
    "key and dir are trimmed": "test_wire_facts.py::test_key_and_direction_are_trimmed",
    "a map may be an object with size and tiles": "test_joining.py::test_a_map_may_be_drawn_by_the_client",
    "a POST may have neither body nor length; 100-continue is answered; header names come in any case":
        "test_families.py::test_every_family_finishes_a_training_game",
    "a client may leave a connection open for every move of 300 rounds":
        "test_families.py::test_a_client_that_leaves_its_connections_open_plays_300_rounds",
    "idle connections are closed": "test_wire_facts.py::test_an_idle_connection_is_closed",
    "a response has its length and leaves in one packet": "test_joining.py::test_a_response_is_one_packet_with_its_length",
    "no POST is redirected": "test_wire_facts.py::test_no_post_is_redirected",
    "responses are not compressed, and addresses have the port of the Host header":
        "test_families.py::test_every_family_finishes_a_training_game",
    "the playUrl of the first state stays valid": "test_families.py::test_every_family_finishes_a_training_game",
    "an offer of HTTP/2 is declined, and the body read":
        "test_docs.py::test_the_first_bot_plays_a_training_game",
    # -- answers
    "four heroes in the order of their ids, 2 size² characters of tiles, mineCount as in the tiles":
        "test_families.py::test_every_family_finishes_a_training_game",
    "the last state has turn = maxTurns": "test_families.py::test_every_family_finishes_a_training_game",
    "lastDir is absent before the first move; nothing is null": "test_wire_facts.py::test_what_is_unknown_is_left_out",
    "crashed is true for heroes that are disconnected": "test_joining.py::test_no_shows_are_disconnected_heroes",
    "training games and the queue have no spikes": "test_wire_facts.py::test_maps_of_training_have_no_spikes",
    "viewUrl is a page to open in a browser": "test_joining.py::test_the_view_url_leads_to_the_viewer",
    "a join is held for as long as it takes, with blanks for clients that give up after a minute":
        "test_joining.py::test_a_long_held_join_is_bridged_with_blanks",
    "the first move has a limit of its own": "test_joining.py::test_a_late_move_disconnects_for_good_and_the_hero_stays",
    "a repeated POST of the same ply is answered again and counts once":
        "test_joining.py::test_a_repeated_post_of_the_same_move_counts_once",
    "the same after the connection broke":
        "test_joining.py::test_a_post_after_a_broken_connection_gets_the_state_that_was_never_delivered",
    "an error has its status, text/plain and one sentence": "test_wire_facts.py::test_errors_are_plain_text",
    # -- the contest's server
    "ids have 8 word characters, keys 8": "test_wire_facts.py::test_ids_and_keys_have_eight_characters",
    "missing and wrong keys, unknown games and rounds":
        "test_joining.py::test_wrong_requests_are_answered_with_the_documented_sentence",
    "wrong tokens, moves out of turn and after the end":
        "test_joining.py::test_playing_out_of_turn_with_a_wrong_token_or_after_the_end",
    "too late": "test_wire_facts.py::test_a_move_that_is_too_late_is_told_so",
    "joining twice, and a fifth join, are refused":
        "test_joining.py::test_a_team_that_waits_cannot_join_a_second_time_and_a_fifth_is_refused",
    "POST /register shows the key on a page; names are not taken twice; POST /games says Created, DELETE ends a game":
        "test_organiser.py::test_answers_are_those_of_the_contests_server",
    "GET /games/active, /games: JSON lists": "test_organiser.py::test_answers_are_those_of_the_contests_server",
    "GET /games/training: finished training games": "test_wire_facts.py::test_finished_training_games_are_listed",
    "POST /games/ID/start": "test_joining.py::test_the_organiser_may_start_with_fewer",
    "DELETE /games/ID, which tells those who wait": "test_joining.py::test_an_ended_game_tells_those_who_wait",
    "a wrong apiKey: 401 Unauthorized!": "test_organiser.py::test_every_call_needs_the_token",
    "GET /ID": "test_joining.py::test_the_view_url_leads_to_the_viewer",
    "GET /tv": "test_compat_pages.py::test_tv_shows_the_newest_game_that_has_started_or_else_the_newest",
    "GET /map/DELAY": "test_compat_pages.py::test_random_maps_are_shown_one_after_the_other",
    "GET /ai, /ai/USER": "test_compat_pages.py::test_the_pages_of_all_teams_and_of_one",
    "GET /events/ID: every ply from turn 1 on, also of disconnected heroes; replayed when the game is over":
        "test_joining.py::test_spectators_see_every_ply_in_order_also_of_the_disconnected",
    "GET /now-playing, /now-available, /ai/USER/now-playing":
        "test_streams.py::test_ids_of_games_that_wait_and_of_those_being_played",
    "CORS: the origin of the request is allowed": "test_wire_facts.py::test_any_origin_is_allowed",
}  # fmt: skip


@lru_cache
def names_in(file: str) -> Sequence[str]:
    """Return the names of the tests in a file of this folder."""
    tree = ast.parse((Path(__file__).parent / file).read_text(encoding="utf-8"))
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def test_every_fact_has_a_test() -> None:
    for shown_by in FACTS.values():
        file, _, name = shown_by.partition("::")
        assert name in names_in(file)


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
