"""``arbiter verify``: its messages and exit statuses."""

from __future__ import annotations

import shutil
from pathlib import Path

import click

from tests.cli.terminal import printed_at_a_terminal
from tests.nullgame.command import arbiter


def test_a_correct_game(shelf: Path) -> None:
    ran = arbiter("verify", "counted.jsonl", folder=shelf)
    assert (ran.code, ran.out, ran.err) == (0, "ok       counted.jsonl: 8 turns\n", "")


def test_at_a_terminal_a_path_and_what_is_said_about_it_are_not_broken(shelf: Path) -> None:
    name = f"{'c' * 62}.jsonl"
    shutil.copy(shelf / "counted.jsonl", shelf / name)
    out = click.unstyle(printed_at_a_terminal(80, "verify", name, folder=shelf))
    (shelf / name).unlink()
    assert out == f"ok       {name}:\n         8 turns\n"


def test_an_unfinished_game_is_checked_as_far_as_it_goes(shelf: Path) -> None:
    ran = arbiter("verify", "cut.jsonl", folder=shelf)
    assert (ran.code, ran.out) == (0, "ok       cut.jsonl: unfinished, correct up to turn 1\n")


def test_a_changed_game_differs_and_the_exit_status_is_1(shelf: Path) -> None:
    ran = arbiter("verify", "changed.jsonl", folder=shelf)
    assert (ran.code, ran.err) == (1, "")
    first, second = ran.out.splitlines()
    assert first.startswith("differs  changed.jsonl: the result is ranks [2, 1], scores ")
    assert second == "         the digest does not match: the record was changed after the game"


def test_a_folder_of_games(shelf: Path) -> None:
    ran = arbiter("verify", ".", folder=shelf)
    assert ran.code == 1
    assert [line.split()[0] for line in ran.out.splitlines()] == ["differs", "the", "ok", "ok", "ok", "3"]
    assert ran.out.endswith("3 of 4 saved games verified\n")


def test_quiet_prints_only_games_that_differ(shelf: Path) -> None:
    assert arbiter("verify", "-q", "counted.jsonl", folder=shelf).out == ""
    assert arbiter("verify", "-q", "changed.jsonl", folder=shelf).out.startswith("differs")


def test_one_document(shelf: Path) -> None:
    ran = arbiter("verify", ".", "--json", folder=shelf)
    assert (ran.code, ran.err) == (1, "")
    assert (ran.document["verified"], ran.document["differ"]) == (3, 1)
    by_name = {Path(game["record"]).name: game for game in ran.document["games"]}
    assert by_name["sold.jsonl"] == {"record": "sold.jsonl", "finished": True, "turns": 4, "differences": []}
    assert by_name["cut.jsonl"] == {"record": "cut.jsonl", "finished": False, "turns": 1, "differences": []}
    assert len(by_name["changed.jsonl"]["differences"]) == 2


def test_a_file_that_is_not_a_record_differs_and_the_others_are_still_checked(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe\n")
    (tmp_path / "good.jsonl").write_bytes((shelf / "counted.jsonl").read_bytes())
    ran = arbiter("verify", tmp_path, folder=shelf)
    assert ran.code == 1
    assert f"differs  {tmp_path}/bad.jsonl, line 1: not a line of a saved game" in ran.out
    assert ran.out.endswith("1 of 2 saved games verified\n")


def test_a_file_that_is_no_saved_game_is_refused_as_such(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("a shopping list\n")
    ran = arbiter("verify", tmp_path / "notes.txt", "counted.jsonl", folder=shelf)
    assert (ran.code, ran.err) == (
        2,
        f"arbiter: {tmp_path}/notes.txt is not a saved game: its first line is not the header of one\n",
    )
    assert ran.out.startswith("ok")


def test_a_game_of_an_unknown_protocol_differs(shelf: Path, tmp_path: Path) -> None:
    (tmp_path / "ludo.jsonl").write_bytes((shelf / "counted.jsonl").read_bytes().replace(b"count_up", b"ludo", 1))
    ran = arbiter("verify", tmp_path, folder=shelf)
    assert ran.code == 1
    assert "unknown protocol 'ludo'" in ran.out


def test_a_missing_game_is_a_usage_error(shelf: Path, tmp_path: Path) -> None:
    assert arbiter("verify", "nowhere", folder=shelf).code == 2
    ran = arbiter("verify", tmp_path)
    assert (ran.code, ran.err) == (2, f"arbiter: no saved game in '{tmp_path}'\n")
    assert arbiter("verify").code == 2


def test_a_missing_game_does_not_keep_the_others_from_being_checked(shelf: Path) -> None:
    ran = arbiter("verify", "counted.jsonl", "gone.jsonl", "changed.jsonl", folder=shelf)
    assert (ran.code, ran.err) == (
        2,
        "arbiter: no such saved game 'gone.jsonl'; name a file or folder, last, or CONTEST#37\n",
    )
    assert [line.split()[0] for line in ran.out.splitlines()] == ["ok", "differs", "the", "1"]
