"""A record as it grows: every whole turn is shown once, whatever the pieces in which it is written."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.errors import UserError
from arbiter.records.exports.document import encode_json, whole_document
from arbiter.records.reader import load_record
from arbiter.web.feed import Feed
from tests.nullgame import auction
from tests.records import games
from tests.tools import ROOT

SAMPLES = ROOT / "matches" / "samples"


@pytest.fixture
def whole(place: Path) -> bytes:
    """The bytes of a record with three seats that move at the same time."""
    return games.bidding(place / "whole.jsonl").path.read_bytes()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(1, 4000), max_size=6))
def test_it_ends_as_the_document_of_the_whole_record(place: Path, whole: bytes, cuts: list[int]) -> None:
    path = place / "growing.jsonl"
    path.unlink(missing_ok=True)
    feed, seen = Feed(path), 0
    places = sorted({min(cut, len(whole)) for cut in cuts} | {len(whole)})
    for start, end in zip([0, *places], places, strict=False):
        with path.open("ab") as file:
            file.write(whole[start:end])
        feed.refresh()
        assert len(feed.turns) >= seen
        seen = len(feed.turns)
    wanted = whole_document(load_record(path), auction.protocol)
    assert [json.loads(turn) for turn in feed.turns] == json.loads(encode_json(wanted["turns"]))
    assert feed.ending["result"] == wanted["result"]
    assert feed.over


def test_a_turn_of_several_seats_waits_for_all_of_them(place: Path, whole: bytes) -> None:
    path = place / "growing.jsonl"
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    feed = Feed(path)
    feed.refresh()
    assert feed.turns == []
    with path.open("ab") as file:
        file.write(lines[3])
    feed.refresh()
    assert len(feed.turns) == 1
    assert not feed.over


def test_a_file_that_was_replaced_is_read_anew(place: Path, whole: bytes) -> None:
    path = place / "growing.jsonl"
    path.write_bytes(whole)
    feed = Feed(path)
    feed.refresh()
    other = games.counting(place / "other.jsonl").path
    other.replace(path)
    feed.refresh()
    assert feed.protocol == "count_up"
    assert len(feed.turns) == 8


def test_an_empty_file_is_not_a_game_yet(place: Path) -> None:
    path = place / "new.jsonl"
    path.touch()
    feed = Feed(path)
    feed.refresh()
    with pytest.raises(UserError, match="first line"):
        _ = feed.protocol


@pytest.mark.parametrize("first", [b"{}\n", b"no json\n", b'{"type":"answer"}\n', b"\xff\xfe\n"])
def test_a_file_that_is_no_record_is_one_error_however_often_it_is_read(place: Path, first: bytes) -> None:
    path = place / "other.jsonl"
    path.write_bytes(first)
    feed = Feed(path)
    for _ in range(2):
        with pytest.raises(UserError, match=r"other\.jsonl"):
            feed.refresh()


def test_a_bad_line_in_the_middle_ends_the_game_with_a_reason(place: Path, whole: bytes) -> None:
    path = place / "bad.jsonl"
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:4], b"garbage\n", *lines[5:]]))
    feed = Feed(path)
    feed.refresh()
    assert len(feed.turns) == 1
    assert feed.ending["problem"].startswith("turn 2 of this record cannot be shown")
    assert feed.over


def test_a_fast_game_is_shown_at_most_two_seconds_late(
    place: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place / "growing.jsonl"
    path.write_bytes(whole)
    feed, now_s = Feed(path), 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now_s)
    spent_s = iter([0.0, 60.0])
    monkeypatch.setattr(time, "thread_time", lambda: next(spent_s))
    assert feed.is_due(0.1)
    feed.refresh()  # takes a minute of CPU time
    now_s += 1.9
    assert not feed.is_due(0.1)
    now_s += 0.2
    assert feed.is_due(0.1)


def test_a_record_that_is_being_read_is_not_due_again(
    place: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place / "growing.jsonl"
    path.write_bytes(whole)
    feed, due = Feed(path), []
    monkeypatch.setattr(feed, "_read", lambda: due.append(feed.is_due(0)))
    feed.refresh()
    assert due == [False]
    assert feed.is_due(0)


@pytest.mark.parametrize(("sample", "has_boards"), [("heroes", False), ("counted", True)])
def test_boards_are_left_out_if_pages_draw_the_game(place: Path, sample: str, has_boards: bool) -> None:
    path = games.counting(place / "counted.jsonl").path if sample == "counted" else SAMPLES / f"{sample}.jsonl"
    feed = Feed(path, drawn=True)
    feed.refresh()
    document = json.loads(feed.document({}))
    assert document["turns"]
    assert ("board" in document["start"]) is has_boards
    assert any("board" in turn for turn in document["turns"]) is has_boards
