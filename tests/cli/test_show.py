"""``arbiter show``: show a saved game in the terminal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.records.writer import RecordWriter
from tests.cli.terminal import at_a_terminal
from tests.nullgame.command import arbiter
from tests.records import games
from tests.tools import ROOT

COUNT_UP = ROOT / "tests" / "nullgame" / "count_up" / "__init__.py"


def test_the_whole_game_with_one_line_per_move(shelf: Path) -> None:
    ran = arbiter("show", "counted.jsonl", folder=shelf)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Count up · bot 0 (seat 0), bot 1 (seat 1) · seed 3 · 2026-11-16 09:15"
    assert lines[1].startswith("bot 1 wins (bot 0 ")
    moves = [line for line in lines if ": adds " in line]
    assert len(moves) == 8
    assert moves[0] == "   1  bot 0 (seat 0): adds 1  “grüße, 世界 🂡”"
    assert moves[2] == "   3  bot 0 (seat 0): adds 0  [garbled: 'zehn' is not a number]"
    assert any(line.startswith("      a bonus of ") for line in lines)
    assert lines[-1].endswith("all turns were played (8 turns)")


@pytest.mark.parametrize(("turn", "total", "move"), [(0, 0, ""), (1, 1, "adds 1"), (8, 12, "adds 3")])
def test_one_position(shelf: Path, turn: int, total: int, move: str) -> None:
    start = int(arbiter("show", "counted.jsonl", "--turn", "0", folder=shelf).out.split()[1].strip(","))
    out = arbiter("show", "counted.jsonl", "--turn", str(turn), folder=shelf).out
    assert out.startswith(f"total {start + total}, scores ")
    assert move in out
    assert out.count("adds") == bool(move)


def test_boards_after_every_turn(shelf: Path) -> None:
    out = arbiter("show", "counted.jsonl", "--all", "--boards", folder=shelf).out
    assert out.count("total ") == 1 + 8 + 1


def test_only_faults(shelf: Path) -> None:
    out = arbiter("show", "counted.jsonl", "--faults", folder=shelf).out
    moves = [line for line in out.splitlines() if ": adds " in line]
    assert [line.split("[")[1].split(":")[0] for line in moves] == ["garbled", "illegal", "late", "crashed"]
    assert "4 of 8 turns were left out" in out


def test_only_turns_with_a_word(shelf: Path) -> None:
    out = arbiter("show", "counted.jsonl", "--find", "ZEHN", folder=shelf).out
    assert [line for line in out.splitlines() if ": adds " in line] == [
        "   3  bot 0 (seat 0): adds 0  [garbled: 'zehn' is not a number]"
    ]


def test_only_turns_in_which_something_happened(shelf: Path) -> None:
    shown = arbiter("show", "sold.jsonl", "--events", folder=shelf).out
    moves = [line for line in shown.splitlines() if line[:6].strip().isdecimal()]
    assert moves == [
        "   2  bot 0 (seat 0): 1",
        "   2  bot 1 (seat 1): 0  [illegal: bid 0 to 9]",
        "   2  bot 2 (seat 2): 1",
    ]
    assert "3 of 4 turns were left out" in shown


def test_kibitz_that_came_afterwards(shelf: Path) -> None:
    assert "        bot 2 after the game: thanks\n" in arbiter("show", "sold.jsonl", folder=shelf).out


def test_one_document_with_every_position(shelf: Path) -> None:
    ran = arbiter("show", "sold.jsonl", "--json", folder=shelf)
    assert ran.err == ""
    assert set(ran.document) == {"header", "answers", "views", "result"}
    assert (len(ran.document["answers"]), len(ran.document["views"])) == (12, 5)
    assert ran.document["views"][-1]["scores"] == [int(score) for score in ran.document["result"]["scores"]]
    assert ran.document["views"][0]["scores"] == [0, 0, 0]


def test_a_game_that_was_cut_off_says_so(shelf: Path) -> None:
    ran = arbiter("show", "cut.jsonl", folder=shelf)
    assert ran.code == 0
    assert ran.out.endswith("this game was cut off after turn 1 in the middle of a line: it has no result\n")
    assert arbiter("show", "cut.jsonl", "--json", folder=shelf).document["result"] is None


def test_a_folder_means_the_game_that_started_last(shelf: Path, tmp_path: Path) -> None:
    for number, name in enumerate(("sold.jsonl", "counted.jsonl")):
        header, rest = (shelf / name).read_text().split("\n", 1)
        started = {"started": f"2026-01-0{number + 1}T00:00:00Z"}
        (tmp_path / name).write_text(json.dumps(json.loads(header) | started) + "\n" + rest)
    assert arbiter("show", tmp_path, folder=shelf).out.startswith("Count up")
    (tmp_path / "counted.jsonl").unlink()
    assert arbiter("show", tmp_path, folder=shelf).out.startswith("Auction")


def test_a_closed_pipe_is_not_a_failure(shelf: Path) -> None:
    command = [sys.executable, "-m", "arbiter", "show", str(shelf / "counted.jsonl"), "--boards"]
    shown = subprocess.Popen(command, cwd=shelf, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert shown.stdout is not None
    shown.stdout.close()  # before anything is written
    _, err = shown.communicate()
    assert (shown.returncode, err) == (0, b"")


def test_an_impossible_game_is_one_line_that_says_where_the_rules_failed(shelf: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes((shelf / "counted.jsonl").read_bytes().replace(b'"move":"2"', b'"move":"two"', 1))
    ran = arbiter("show", bad, folder=shelf)
    assert ran.code == 2
    said = f"arbiter: {bad}: turn 2 cannot be replayed: the rules cannot apply 'two' ({COUNT_UP}, line "
    assert ran.err.startswith(said)
    assert ran.err.endswith(": ValueError: invalid literal for int() with base 10: 'two')\n")


def test_a_folder_without_a_game(tmp_path: Path) -> None:
    ran = arbiter("show", tmp_path)
    assert (ran.code, ran.err) == (2, f"arbiter: no saved game in '{tmp_path}'\n")


def test_a_game_without_faults_says_so() -> None:
    ran = arbiter("show", ROOT / "matches" / "samples" / "splendor.jsonl", "--faults")
    assert ran.out.endswith("\nno agent faulted in this game; --all shows every turn\n")


def test_a_game_that_is_being_played_is_shown_so_far(shelf: Path, tmp_path: Path) -> None:
    record = games.counting(tmp_path / "whole.jsonl")
    with RecordWriter(tmp_path / "now.jsonl", record.header) as writer:
        for line in record.answers[:3]:
            writer.answer(line)
        writer.flush()
        ran = arbiter("show", writer.path, "--all", folder=shelf)
        stepped = at_a_terminal(80, "show", str(writer.path), folder=shelf, typed=b"\x1b[Fq")
        faults = arbiter("show", writer.path, "--faults", folder=shelf)
    assert ran.code == 0
    assert ran.out.endswith("\nthis game is still being played: 3 turns so far\n")
    assert "   3  bot 0 (seat 0): adds 0" in ran.out
    assert any("turn 3 of 3" in line for line in stepped)
    assert "2 of 3 turns were left out" in faults.out
    shown = arbiter("show", writer.path, folder=shelf).out
    assert shown.endswith("this game was cut off after turn 3: it has no result\n")


def test_a_game_that_has_hardly_begun_is_shown(shelf: Path, tmp_path: Path) -> None:
    record = games.counting(tmp_path / "whole.jsonl")
    with RecordWriter(tmp_path / "now.jsonl", record.header) as writer:
        ran = arbiter("show", writer.path, "--faults", folder=shelf)
        assert ran.code == 0
        assert "still being played: 0 turns so far" in ran.out
