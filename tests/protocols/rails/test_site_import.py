"""A game recorded on the contest site is imported, verified and shown; damaged files are refused with one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.protocols.rails import protocol
from arbiter.records.external_games import export_text, import_text
from arbiter.records.reader import load_record
from tests.nullgame.command import arbiter

FILE = Path(__file__).with_name("site_game.json")


def test_the_command_recognises_it_and_the_record_verifies_and_shows(tmp_path: Path) -> None:
    ran = arbiter("import", FILE, "--save", "imported", folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    (path,) = (tmp_path / "imported").rglob("*.jsonl")
    record = load_record(path)
    assert record.result is not None
    assert record.result.scores == json.loads(FILE.read_text())["scores"]
    assert (record.header.options["ink_threshold"], record.result.turns) == (4, 60)
    assert arbiter("verify", path, folder=tmp_path).code == 0
    shown = arbiter("show", path, folder=tmp_path)
    assert (shown.code, "player 0" in shown.out) == (0, True)
    assert arbiter("export", path, "--html", "page.html", folder=tmp_path).code == 0


def test_an_exported_game_is_imported_again_equal(tmp_path: Path) -> None:
    first = load_record(import_text(FILE.read_text(), [protocol], tmp_path / "a"))
    second = load_record(import_text(export_text(first, protocol), [protocol], tmp_path / "b"))
    assert (first.result, second.result) != (None, None)
    assert [line.move for line in first.answers] == [line.move for line in second.answers]
    assert first.header.setup == second.header.setup


def edited(**changes: Any) -> str:
    return json.dumps({**json.loads(FILE.read_text()), **changes})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"scores": [1, 2]}, "the game ends with 1455, 725 by the rules here, but with 1, 2 in the file"),
        ({"scores": ["x"]}, "scores must be 2 numbers, not "),
        ({"init0": ["0", "21"]}, '"init0" must be the lines that a seat reads before the first turn'),
        ({"init0": ["0", "999999999", "999999999"]}, '"init0" must be the lines'),
        ({"turns": [{"out": ["WAIT"]}]}, 'turn 1: "out" must be the answers of both seats'),
        ({"turns": [{"out": ["WAIT", "JUMP"]}]}, "turn 1: unknown order 'JUMP'"),
        ({"names": "ab"}, "names must be a list of 2 names"),
        ({"ink_threshold": "x"}, "option ink_threshold=x: must be a whole number"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        import_text(edited(**changes), [protocol], tmp_path)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []
