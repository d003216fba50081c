"""Text for people: board, descriptions, events; and the view."""

from __future__ import annotations

import json
import re

import pytest

from .table import drawn, start, turn


def bare(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_the_board_shows_terrain_towns_tracks_ink_and_instability() -> None:
    game = start(drawn("A..123B\n.......", {0: [1]}), ink_threshold=2)
    turn(game, "PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;DISRUPT 0 1", "PLACE_TRACKS 2 0;PLACE_TRACKS 1 1;DISRUPT 0 1")
    turn(game, "DISRUPT 6 1")
    rows = bare(game.display().board()).splitlines()
    assert rows[0] == "turn 2 of 100"
    assert rows[3].split() == [str(x) for x in range(7)]
    assert re.findall(r"[^\s│▁]+", rows[4]) == ["0", "0", "a", "=", "~", "^", "*", "1"]
    assert re.findall(r"[^\s│▁]+", rows[5]) == ["1", "▒▒", "b", ".", ".", ".", ".", ".¹"]
    assert "wished: 0-1" in rows


def test_the_board_shows_scores_connections_and_quests() -> None:
    game = start(drawn("A.B\n3..", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 0 1")
    text = bare(game.display().board())
    assert "seat 0      1 point   (+1 per turn, 1 track)" in text
    assert "seat 1      0 points  (1 track, side quest done)" in text
    assert "active: 0-1 (1:0)" in text
    assert "│A" in text


def test_owners_have_colours_of_their_own() -> None:
    game = start(drawn("A..B\n....", {0: [1]}))
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 1 1")
    assert "\x1b[31;1ma\x1b[0m" in game.display().board()
    assert "\x1b[36;1mb\x1b[0m" in game.display().board()


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("WAIT", "waits"),
        ("PLACE_TRACKS 1 0", "lays (1, 0)"),
        ("PLACE_TRACKS 1 0;PLACE_TRACKS 2 0;DISRUPT 3", "lays (1, 0) and (2, 0), disrupts region 3"),
        ("AUTOPLACE 0 0 4 0;AUTOPLACE 1 1 1 1", "builds from (0, 0) towards (4, 0)"),
        ("DISRUPT 1 1", "disrupts region 5"),
        ("DISRUPT 9 9", "disrupts (9, 9)"),
        ("DISRUPT 1;DEFEAT garbled", "disrupts region 1, is defeated (garbled)"),
        (";".join(f"PLACE_TRACKS {x} 0" for x in range(7)), "lays (0, 0), (1, 0), (2, 0), (3, 0) and 3 more"),
    ],
)
def test_a_move_in_words(move: str, words: str) -> None:
    game = start(drawn("A..B\n....", {0: [1]}))
    assert game.display().describe(0, move) == words


def test_events_tell_connections_quests_and_the_end() -> None:
    game = start(drawn("A.B\n3..", {0: [1]}), ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 0 1")
    assert list(game.display().events()) == [
        "newly connected: 0-1 (length 2)",
        "seat 1 reaches the place of interest at (0, 1): side quest done",
    ]
    turn(game, "DISRUPT 1", "DISRUPT 4")
    assert list(game.display().events()) == [
        "region 1 is inked out, 1 track lost",
        "region 4 is inked out, no track lost",
        "no longer connected: 0-1",
        "no wish has a route left",
    ]


def test_events_do_not_drown_in_skipped_orders() -> None:
    game = start(drawn("A.B\n...", {0: [1]}))
    turn(game, ";".join(["PLACE_TRACKS 7 7"] * 500))
    assert len(game.display().events()) == 5
    assert game.display().events()[-1] == "seat 0: 496 more orders are skipped"


def test_the_view_is_fresh_plain_data() -> None:
    game = start(drawn("A.B\n3..", {0: [1]}), ink_threshold=1)
    turn(game, "PLACE_TRACKS 1 0", "PLACE_TRACKS 1 1;DISRUPT 5")
    view = game.view()
    assert json.loads(json.dumps(view)) == view
    assert view["tracks"] == [".0.", ".1."]
    assert view["connections"] == [{"from": 0, "to": 1, "path": [[0, 0], [1, 0], [2, 0]]}]
    assert (view["turn"], view["scores"], view["inked"]) == (1, [1, 0], [0, 0, 0, 0, 0, 1])
    view["scores"][0] = view["inked"][0] = 99
    view["towns"].clear()
    assert game.view() != view
