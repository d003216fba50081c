"""A game recorded on the contest site is imported, verified and shown; damaged files are refused with one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.records.external_games import export_text, import_text
from arbiter.records.reader import load_record
from protocols.rails import protocol
from tests.nullgame.command import arbiter

FILE = Path(__file__).with_name("site_game.json")


def test_the_command_recognises_it_and_the_record_verifies_and_shows(tmp_path: Path) -> None:
    ran = arbiter("archive", "import", FILE, "--save", "imported", folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    (path,) = (tmp_path / "imported").rglob("*.jsonl")
    record = load_record(path)
    assert record.result is not None
    assert record.result.scores == json.loads(FILE.read_text())["scores"]
    assert (record.header.options["ink_threshold"], record.result.turns) == (4, 60)
    assert arbiter("verify", path, folder=tmp_path).code == 0
    shown = arbiter("show", path, folder=tmp_path)
    assert (shown.code, "player 0" in shown.out) == (0, True)
    assert arbiter("export", path, "page.html", folder=tmp_path).code == 0


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


def trace(**changes: Any) -> str:
    """The same game as the community's local arena writes it."""
    game = json.loads(FILE.read_text())
    turns = [
        {"turn": number, "gameInput": ["0"], "output": turn["out"], "isOutputTurn": [True, True], "score": [0, 0]}
        for number, turn in enumerate(game["turns"])
    ]
    document = {
        "type": "trace",
        "puzzleName": "summer2026",
        "players": ["ada", "bob"],
        "seed": "-4687",
        "endReason": "SCORE",
        "scores": [float(score) for score in game["scores"]],
        "finalScores": [float(score) for score in game["scores"]],
        "ranks": [0, 1],
        "setup": game["init0"],
        "turns": turns,
    }
    return json.dumps({**document, **changes})


def test_a_trace_of_the_local_arena_is_the_same_game(tmp_path: Path) -> None:
    site = load_record(import_text(FILE.read_text(), [protocol], tmp_path / "a"))
    traced = load_record(import_text(trace(), [protocol], tmp_path / "b"))
    assert list(traced.names) == ["ada", "bob"]
    assert traced.header.setup == site.header.setup
    assert traced.header.options == site.header.options
    assert [line.move for line in traced.answers] == [line.move for line in site.answers]
    assert (traced.result and traced.result.scores) == (site.result and site.result.scores)


def test_a_seat_that_printed_nothing_or_was_disqualified_is_defeated(tmp_path: Path) -> None:
    silent = [{"turn": 0, "output": ["WAIT", ""]}, {"turn": 1, "output": ["", ""], "isOutputTurn": [False, False]}]
    invalid = [{"turn": 0, "output": ["WAIT", "WAIT"]}, {"turn": 1, "output": ["WAIT", "JUMP"]}]
    for place, text in (
        ("silent", trace(turns=silent, scores=[0, 0])),
        ("invalid", trace(turns=invalid, disqualified=[False, True])),
    ):
        record = load_record(import_text(text, [protocol], tmp_path / place))
        assert record.result is not None
        assert record.result.ranks == [1, 2]
        fault = record.answers[-1].fault
        assert fault is not None
        assert fault.kind == "imported"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"scores": [1, 2]}, "the game ends with 1455, 725 by the rules here, but with 1, 2 in the file"),
        ({"scores": 5}, "scores must be 2 numbers, not 5"),
        ({"setup": ["0", "21"]}, '"setup" must be the lines that a seat reads before the first turn'),
        ({"setup": "0"}, "must be an object with the lists setup, turns"),
        ({"turns": [{"output": ["WAIT"]}]}, 'turn 1: "output" must be the answers of both seats'),
        ({"turns": [{"output": ["WAIT", "JUMP"]}]}, "turn 1: unknown order 'JUMP'"),
        ({"players": ["ada"]}, "players must be a list of 2 names"),
        ({"disqualified": [1, 0]}, "disqualified must be true or false for each of 2 seats, not "),
    ],
)
def test_a_damaged_trace_is_refused_with_the_reason(changes: dict[str, Any], reason: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        import_text(trace(**changes), [protocol], tmp_path)
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_trace_of_another_game_is_not_taken_for_rails(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a saved game in any known format"):
        import_text(trace(turns=[{"output": ["MOVE 1 2", "MOVE 3 4"]}]), [protocol], tmp_path)


def test_why_explains_an_imported_game(tmp_path: Path) -> None:
    import_text(trace(), [protocol], tmp_path)
    (path,) = tmp_path.rglob("*.jsonl")
    ran = arbiter("why", path, folder=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert "behind ada since turn 4, by 730 in the end" in ran.out
    assert "slowest" not in ran.out, "nobody measured its answers"
    assert " AGENT --seat 1 --turn 4" in ran.out, "the program that played is not known"
    again = arbiter("rerun", path, "sensible", "--seat", "1", "--turn", "4", folder=tmp_path)
    assert again.code == 0, again.err
