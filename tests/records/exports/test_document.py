"""The document of a game: every position, input and answer of the record, in a form that viewers read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.exports.delta import apply
from arbiter.records.exports.document import MOST_TEXT, encode_json, plain_data, short_text, whole_document
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import Replay, input_text
from arbiter.registry import find_protocol
from arbiter.seat_names import SeatNames
from tests.nullgame import auction, count_up
from tests.records import games
from tests.tools import ROOT

SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))


def positions(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every position, as a page puts it together."""
    found = [document["start"]]
    for turn in document["turns"]:
        found.append({name: apply(found[-1][name], turn.get(name)) for name in ("view", "board", "scores")})
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_patches_add_up_to_the_positions_and_inputs_of_the_replay(path: Path) -> None:
    record = load_record(path)
    protocol = find_protocol(record.header.protocol, Workspace())
    document = json.loads(encode_json(whole_document(record, protocol)))
    shown, replay, inputs = positions(document), Replay(record, protocol), dict[int, list[str]]()
    names = SeatNames(protocol, record.names)
    display = names.display(replay.game)
    for turn, lines in replay:
        assert shown[turn - 1]["view"] == plain_data(replay.game.view())
        assert "\n".join(shown[turn - 1]["board"]) == display.board()
        for line, move in zip(lines, document["turns"][turn - 1]["moves"], strict=True):
            inputs[line.seat] = apply(inputs.get(line.seat, []), move.get("input"))
            assert "\n".join(inputs[line.seat]) == input_text(replay.game, record, line)
            assert move["words"] == names.in_words(display.describe(line.seat, line.move))
            assert (move["seat"], move["charged_us"]) == (line.seat, line.charged_us)
    assert shown[-1]["view"] == plain_data(replay.game.view())
    assert record.result is not None
    assert document["result"]["ranks"] == record.result.ranks
    assert shown[-1]["scores"] == record.result.scores, "the score so far ends as that of the result"
    assert "problem" not in document


def test_faults_come_with_their_evidence(counted: Record) -> None:
    document = whole_document(counted, count_up.protocol)
    faults = [move["fault"] for turn in document["turns"] for move in turn["moves"] if "fault" in move]
    assert [fault["kind"] for fault in faults] == ["garbled", "illegal", "late", "crashed"]
    assert faults[0]["said"] == "zehn"
    assert faults[3]["exit_code"] == 3
    assert document["turns"][0]["moves"][0]["message"] == "grüße, 世界 🂡"


def test_nothing_of_the_organisers_machine_is_in_it(counted: Record) -> None:
    assert all("command" not in seat for seat in whole_document(counted, count_up.protocol)["seats"])


def test_a_game_cut_off_between_simultaneous_moves_ends_with_its_last_whole_turn(sold: Record, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(
        b"\n".join(sold.path.read_bytes().splitlines()[:6]) + b"\n"
    )  # a header and five answers of three seats
    document = whole_document(load_record(path), auction.protocol)
    assert len(document["turns"]) == 1
    assert document["result"] is None
    assert "problem" not in document


def test_a_record_that_cannot_be_replayed_to_its_end_is_shown_up_to_there(counted: Record, tmp_path: Path) -> None:
    path = games.tampered(counted, tmp_path / "bad.jsonl", lambda lines: lines[5].update(move="sevenish"))
    document = whole_document(load_record(path), count_up.protocol)
    assert len(document["turns"]) == 4
    assert "turn 5" in document["problem"]


def test_a_record_of_another_version_is_an_error(counted: Record, tmp_path: Path) -> None:
    path = games.tampered(counted, tmp_path / "old.jsonl", lambda lines: lines[0].update(version=99))
    with pytest.raises(UserError, match="version 99"):
        whole_document(load_record(path), count_up.protocol)


def test_long_texts_are_cut_and_say_so() -> None:
    assert short_text("x" * MOST_TEXT) == "x" * MOST_TEXT
    assert short_text("x" * (MOST_TEXT + 5)).endswith("… (5 more characters)")


def test_views_become_what_json_can_hold() -> None:
    assert plain_data({"a": (1, 2), 3: float("inf")}) == {"a": [1, 2], "3": None}
    assert json.loads(encode_json(plain_data(["\ud800"]))) == ["\ud800"]
