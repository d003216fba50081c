"""A referee's log is read by the convention, and refused in one line if it has no result."""

from __future__ import annotations

import contextlib
import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.playing.outside_referee.log import (
    MOST_BYTES,
    MOST_TEXT,
    SUFFIX,
    BadLog,
    keep_log,
    parse_log,
    read_referee_log,
)


def log(**keys: object) -> bytes:
    """A log with these keys."""
    return json.dumps(keys).encode()


@pytest.mark.parametrize("scores", [{"0": 3, "1": -1}, {"1": 3, "2": -1}, [3, -1]], ids=["from 0", "from 1", "list"])
def test_scores_are_by_number_of_the_player(scores: object) -> None:
    assert parse_log(log(scores=scores), 2).scores == [3, -1]


def test_standard_error_is_one_text_or_one_per_turn() -> None:
    found = parse_log(log(scores=[0, 0], errors={"referee": ["x"], "0": ["kibitz a", None, "b\n"], "1": "c"}), 2)
    assert found.errors == ["kibitz a\nb\n", "c\n"]
    assert found.kibitz(0) == ["a"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "it wrote no log"),
        (b"{broken", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[1]", "has no 'scores'"),
        (log(), "has no 'scores'"),
        (log(scores=7), "must be an object"),
        (log(scores={"0": 1}), "'scores' in its log has 1 values for 2 players"),
        (log(scores={"0": 1, "1": 2, "2": 3}), "'scores' in its log has 3 values for 2 players"),
        (log(scores={"a": 1, "b": 2}), "'scores' in its log has 2 values for 2 players"),
        (log(scores=[1, "2"]), "the score '2' in its log is not a number"),
        (log(scores=[1, True]), "the score 'True' in its log is not a number"),
        (log(scores=[1, None]), "the score 'None' in its log is not a number"),
        (log(scores=[1, 10**400]), "not"),
        (b'{"scores": [1, 1e999]}', "not"),
    ],
)
def test_what_says_nothing_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(BadLog, match=said) as refused:
        parse_log(data, 2)
    assert "\n" not in str(refused.value)


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    with contextlib.suppress(BadLog):
        parse_log(data, 2)


def test_a_log_is_bounded(tmp_path: Path) -> None:
    with (tmp_path / "log").open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(BadLog, match="larger than 64 MB"):
        read_referee_log(tmp_path / "log", 2)
    assert len(parse_log(log(scores=[0, 0], errors=["x" * (2 * MOST_TEXT), ""]), 2).errors[0]) == MOST_TEXT


def test_the_copy_beside_the_record_has_no_control_character(tmp_path: Path) -> None:
    keep_log('{"scores": [1, 2], "outputs": ["\\u001b[31m", "\u2028"]}'.encode(), tmp_path / "game.jsonl")
    kept = gzip.decompress((tmp_path / f"game{SUFFIX}").read_bytes())
    assert b"\x1b" not in kept
    assert json.loads(kept)["outputs"] == ["\x1b[31m", "\u2028"]
