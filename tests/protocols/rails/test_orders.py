"""Parsing answers: canonical text, messages, and garbled answers."""

from __future__ import annotations

import pytest

from arbiter.game import GarbledMove, Move

from .table import LINE, start

GAME = start(LINE)


@pytest.mark.parametrize(
    ("answer", "canonical"),
    [
        ("WAIT", "WAIT"),
        ("WAIT\r", "WAIT"),
        ("  wait\t", "WAIT"),
        ("PLACE_TRACKS 1 2", "PLACE_TRACKS 1 2"),
        ("place_tracks 01 0002", "PLACE_TRACKS 1 2"),
        ("Place_Tracks 0 00", "PLACE_TRACKS 0 0"),
        ("AUTOPLACE 1 2 3 4", "AUTOPLACE 1 2 3 4"),
        ("aUtOpLaCe 1 2 3 4", "AUTOPLACE 1 2 3 4"),
        ("DISRUPT 12", "DISRUPT 12"),
        ("disrupt 3 04", "DISRUPT 3 4"),
        ("PLACE_TRACKS 1 2;DISRUPT 7", "PLACE_TRACKS 1 2;DISRUPT 7"),
        (" PLACE_TRACKS 1 2 ; DISRUPT 7 ;", "PLACE_TRACKS 1 2;DISRUPT 7"),
        ("PLACE_TRACKS 1 2; ", "PLACE_TRACKS 1 2"),
        ("WAIT;DISRUPT 7;WAIT", "DISRUPT 7"),
        ("WAIT;WAIT", "WAIT"),
        ("AUTOPLACE 0 0 1 1;AUTOPLACE 1 1 2 2", "AUTOPLACE 0 0 1 1;AUTOPLACE 1 1 2 2"),
        ("PLACE_TRACKS 99999999999999999999 0", "PLACE_TRACKS 99999999999999999999 0"),
        ("PLACE_TRACKS " + "0" * 5000 + "1 0", "PLACE_TRACKS 1 0"),
        ("PLACE_TRACKS " + "9" * 5000 + " 0", "PLACE_TRACKS " + "9" * 5000 + " 0"),
    ],
)
def test_canonical_text(answer: str, canonical: str) -> None:
    assert GAME.read(0, answer).text == canonical
    assert GAME.read(0, canonical) == Move(canonical)


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MESSAGE hello", Move("WAIT", "hello")),
        ("message Hello World", Move("WAIT", "Hello World")),
        ("DISRUPT 1;MESSAGE  two  blanks ;", Move("DISRUPT 1", "two  blanks")),
        ("MESSAGE a;WAIT;MESSAGE b", Move("WAIT", "a; b")),
        ("MESSAGE DISRUPT 1", Move("WAIT", "DISRUPT 1")),
        ("MESSAGE \x1b[31mred\x00", Move("WAIT", "\x1b[31mred\x00")),
    ],
)
def test_messages_are_kept_apart(answer: str, move: Move) -> None:
    assert GAME.read(0, answer) == move


@pytest.mark.parametrize(
    ("answer", "salvage"),
    [
        ("", ""),
        (" ", ""),
        (";", ""),
        (";WAIT", ""),
        ("DISRUPT 1;;WAIT", "DISRUPT 1"),
        ("WAIT;;", ""),
        ("WAIT now", ""),
        ("MESSAGE", ""),
        ("MESSAGE\thello", ""),
        ("PLACE_TRACKS", ""),
        ("PLACE_TRACKS 1", ""),
        ("PLACE_TRACKS 1 2 3", ""),
        ("PLACE_TRACKS -1 2", ""),
        ("PLACE_TRACKS +1 2", ""),
        ("PLACE_TRACKS 1.0 2", ""),
        ("PLACE_TRACKS 1,2", ""),
        ("PLACE_TRACKS  1 2", ""),
        ("PLACE_TRACKS 1\t2", ""),
        ("PLACE_TRACKS 1 ٢", ""),
        ("PLACE_TRACKS 1 ²", ""),
        ("PLACE TRACKS 1 2", ""),
        ("AUTOPLACE 1 2 3", ""),
        ("AUTOPLACE 1 2 3 4 5", ""),
        ("DISRUPT", ""),
        ("DISRUPT 1 2 3", ""),
        ("DISRUPT x", ""),
        ("DIſRUPT 1", ""),
        ("DEFEAT late", ""),
        ("WAIT\x00", ""),
        ("WAIT\u00a0", ""),
        ("place_tracks 01 2; Disrupt 3;MESSAGE hi;WAIT;jump;PLACE_TRACKS 3 3", "PLACE_TRACKS 1 2;DISRUPT 3"),
    ],
)
def test_anything_else_is_garbled_and_the_orders_before_it_are_salvaged(answer: str, salvage: str) -> None:
    with pytest.raises(GarbledMove) as refused:
        GAME.read(1, answer)
    assert refused.value.salvage == salvage


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("", "the order is empty; an answer is a list of orders with ; between them"),
        ("WAIT;;WAIT", "order 2: the order is empty; an answer is a list of orders with ; between them"),
        ("JUMP 1", "unknown order 'JUMP 1'; choose from PLACE_TRACKS, AUTOPLACE, DISRUPT, MESSAGE, WAIT"),
        ("WAIT;WAIT now", "order 2: nothing may follow WAIT, as in 'WAIT now'"),
        ("PLACE_TRACKS -1 2", "'-1' in 'PLACE_TRACKS -1 2' must be a whole number, digits only"),
        ("WAIT 5", "nothing may follow WAIT, as in 'WAIT 5'"),
        ("DISRUPT", "wrong number of arguments in 'DISRUPT'; DISRUPT takes 1 or 2"),
        ("MESSAGE", "'MESSAGE' has no text after it"),
        ("x" * 60000, "unknown order '" + "x" * 39 + "…'; choose from PLACE_TRACKS, AUTOPLACE, DISRUPT, MESSAGE, WAIT"),
    ],
)
def test_the_reason_names_the_rule_and_quotes_the_part(answer: str, reason: str) -> None:
    with pytest.raises(GarbledMove) as refused:
        GAME.read(0, answer)
    assert refused.value.reason == reason
