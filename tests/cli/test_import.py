"""``arbiter archive import`` and ``arbiter export --format original``: there and back again. And the input of each turn as a file."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from arbiter.records.reader import find_records, load_record
from tests.nullgame.command import arbiter
from tests.tools import ROOT

SAMPLE = ROOT / "matches" / "samples" / "splendor.jsonl"


@pytest.mark.usefixtures("place")
def test_an_exported_game_is_imported_again_with_the_same_result() -> None:
    assert arbiter("export", SAMPLE, "game.json", "--format", "original").code == 0
    ran = arbiter("archive", "import", "game.json", "--save", "imported")
    assert (ran.code, ran.err) == (0, "")
    (path,) = find_records([Path("imported")])
    assert f"game.json → {path}" in ran.out
    again, before = load_record(path).result, load_record(SAMPLE).result
    assert again is not None
    assert before is not None
    assert (again.ranks, again.scores, again.reason) == (before.ranks, before.scores, before.reason)
    assert arbiter("verify", path).code == 0


@pytest.mark.usefixtures("place")
def test_a_file_that_cannot_be_imported_is_one_line_and_the_others_are_imported() -> None:
    assert arbiter("export", SAMPLE, "game.json", "--format", "original").code == 0
    Path("other.json").write_text("{}", encoding="utf-8")
    Path("bytes.json").write_bytes(b"\xff\xfe")
    ran = arbiter("archive", "import", "other.json", "bytes.json", "missing.json", "game.json", "--save", "imported")
    assert ran.code == 2
    assert len(find_records([Path("imported")])) == 1
    assert [line.partition(": ")[0] for line in ran.err.removeprefix("arbiter: ").splitlines()] == [
        "other.json",
        "bytes.json",
        "missing.json",
    ]


@pytest.mark.usefixtures("place")
def test_a_record_need_not_be_imported() -> None:
    ran = arbiter("archive", "import", SAMPLE)
    look = f"arbiter show {shlex.quote(str(SAMPLE))}"
    assert (ran.code, ran.err) == (2, f"arbiter: {SAMPLE}: already a record; look at it with  {look}\n")


def test_every_turn_s_input_can_be_saved_as_a_file(place: Path) -> None:
    ran = arbiter("show", SAMPLE, "--inputs", "--save-inputs", "in")
    assert ran.code == 0
    answers = load_record(SAMPLE).answers
    assert len(list((place / "in").iterdir())) == len(answers)
    seventh = (place / "in" / f"turn-0007-player-{answers[6].seat + 1}.txt").read_bytes()
    assert seventh == arbiter("show", SAMPLE, "--inputs", "--turn", "7").raw


def test_only_the_inputs_that_were_asked_for_are_saved(place: Path) -> None:
    ran = arbiter("show", SAMPLE, "--inputs", "--seat", "2", "--up-to", "round:3", "--save-inputs", "in")
    assert (ran.code, ran.out, ran.err) == (0, "3 files in in\n", "")
    names = sorted(path.name for path in (place / "in").iterdir())
    assert names == [f"turn-000{turn}-player-2.txt" for turn in (2, 4, 6)]
    assert arbiter("show", SAMPLE, "--inputs", "--turn", "900", "--save-inputs", "none").code == 2
    assert not (place / "none").exists()
