"""The record of a game that was cut off at any byte can be read."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import without_half_turn
from arbiter.records.verify import differences
from tests.nullgame import auction, count_up

often = settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def check_cut(record: Record, protocol: Protocol, path: Path, size: int) -> None:
    whole = record.path.read_bytes()
    path.write_bytes(whole[:size])
    if b"\n" not in whole[:size]:
        with pytest.raises(UserError):
            load_record(path)
        return
    cut = load_record(path)
    assert cut.result is None
    assert cut.torn == (not whole[:size].endswith(b"\n"))
    assert cut.answers == record.answers[: len(cut.answers)]
    lost_the_result_alone = ["the game is over, but the record has no result"]
    wrong = lost_the_result_alone if len(cut.answers) == len(record.answers) else []
    assert list(differences(cut, protocol)) == wrong


@often
@given(data=st.data())
def test_a_game_of_turns_may_be_cut_at_any_byte(counted: Record, tmp_path: Path, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, counted.path.stat().st_size - 1))
    check_cut(counted, count_up.protocol, tmp_path / "cut.jsonl", size)


@often
@given(data=st.data())
def test_a_game_of_simultaneous_moves_may_be_cut_at_any_byte(sold: Record, tmp_path: Path, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, sold.path.stat().st_size - 1))
    check_cut(sold, auction.protocol, tmp_path / "cut.jsonl", size)


@often
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_and_nothing_else(
    counted: Record, tmp_path: Path, data: st.DataObject
) -> None:
    raw = bytearray(counted.path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path / "damaged.jsonl"
    path.write_bytes(raw)
    with contextlib.suppress(UserError):
        list(differences(load_record(path), count_up.protocol))


def test_a_finished_game_is_neither_cut_nor_torn(counted: Record) -> None:
    assert counted.result is not None
    assert not counted.torn
    assert list(differences(counted, count_up.protocol)) == []


@pytest.mark.parametrize("lines", [1, 2])
def test_a_turn_without_the_answers_of_all_seats_does_not_count(sold: Record, tmp_path: Path, lines: int) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(sold.path.read_bytes().splitlines(keepends=True)[: 1 + 3 + lines]))
    cut = without_half_turn(load_record(path), auction.protocol)
    assert [line.turn for line in cut.answers] == [1, 1, 1]


def test_a_turn_of_a_finished_game_without_the_answers_of_all_seats_is_a_difference(
    sold: Record, tmp_path: Path
) -> None:
    lines = sold.path.read_bytes().splitlines(keepends=True)
    path = tmp_path / "gap.jsonl"
    path.write_bytes(b"".join([*lines[:-2], lines[-1]]))
    assert next(differences(load_record(path), auction.protocol)) == (
        "turn 4: seats [0, 1] answered, but seats [0, 1, 2] were to move"
    )


def test_a_file_that_is_mostly_a_hole_is_not_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.jsonl"
    with huge.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UserError, match=r"huge\.jsonl: 1TB is too large for a saved game; at most 256MB are read"):
        load_record(huge)
