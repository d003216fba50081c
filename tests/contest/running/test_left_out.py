"""Records that were changed, that do not belong to this contest, or that are not files are named and do not count."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arbiter import play
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import LEFT_OUT, Ledger
from arbiter.contest.runner import current_result, run_contest
from tests.contest.running.around import auction, footprint, records, summary, varied
from tests.nullgame.command import arbiter
from tests.tools import refusal

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]
THIRD = "00003-ann-bob.jsonl"
CHANGED = "it was changed after its game: its digest does not match"


def finished(place: Path, *, name: str = "cup", **schedule: Any) -> Contest:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4, **schedule}, name=name)
    run_contest(contest)
    return contest


@pytest.mark.parametrize("schedule", [{}, {"seed": 1}], ids=["secret", "seed"])
def test_a_changed_record_is_named_kept_aside_and_its_game_is_played_again(
    place: Path, schedule: dict[str, Any]
) -> None:
    contest = finished(place, **schedule)
    before, whole = footprint(contest.folder), summary(contest, current_result(contest))
    path = contest.folder / THIRD
    text = path.read_text(encoding="utf-8")
    changed = text.replace('"ranks":[1,2]', '"ranks":[9,9]').replace('"ranks":[2,1]', '"ranks":[9,9]')
    changed = changed.replace('"ranks":[1,1]', '"ranks":[9,9]')
    assert changed != text
    path.write_text(changed, encoding="utf-8")

    seen = current_result(contest)
    assert (len(seen.counted), seen.complete) == (3, False)
    assert seen.progress.notes == [f"{THIRD} does not count: {CHANGED}"]
    assert f"{THIRD} does not count: {CHANGED}" in arbiter("standings", contest.folder).out

    result = run_contest(contest)

    assert any(
        note.startswith(f"{THIRD} does not count: {CHANGED}; it was moved to") for note in result.progress.announcements
    )
    (kept,) = (contest.folder / LEFT_OUT).iterdir()
    assert kept.read_text(encoding="utf-8") == changed
    after = footprint(contest.folder)
    assert [name for name in after if after[name] != before[name]] == [THIRD]
    assert summary(contest, result) == whole, "the other game of the deal was played, so its deal is known"


def from_another_contest(place: Path, contest: Contest) -> str:
    other = finished(place, name="other")
    shutil.copy(other.folder / THIRD, contest.folder / THIRD)
    return "it was not played with the secret of this contest"


def from_no_contest(place: Path, contest: Contest) -> str:
    report = play("auction", varied(place, "ann", "bob"), options={"rounds": 1}, save=place / "games")
    shutil.copy(report.games[0].record, contest.folder / THIRD)
    return "it is not a game of a contest"


def of_no_level(_: Path, contest: Contest) -> str:
    path = contest.folder / THIRD
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r'"sandbox":"\w+"', '"sandbox":"strong"', text), encoding="utf-8")
    return "its sandbox level 'strong' does not exist"


def twice(place: Path, contest: Contest) -> str:
    (contest.folder / THIRD).unlink()
    shutil.copy(contest.folder / "00001-ann-bob.jsonl", contest.folder / THIRD)
    return "it is a second record of game 1"


@pytest.mark.parametrize("foreign", [from_another_contest, from_no_contest, of_no_level, twice])
def test_a_record_that_does_not_belong_to_this_contest_does_not_count(
    place: Path, foreign: Callable[[Path, Contest], str]
) -> None:
    contest = finished(place)
    reason = foreign(place, contest)

    assert current_result(contest).progress.notes == [f"{THIRD} does not count: {reason}"]

    result = run_contest(contest)
    assert (result.complete, len(result.counted), result.progress.now_played) == (True, 4, 1)
    assert [record.header.game for record in records(contest.folder)] == [1, 2, 3, 4]


def test_a_record_of_another_protocol_does_not_count(place: Path) -> None:
    contest = finished(place, seed=1)
    ledger = Ledger(contest.folder, "splendor")
    assert not ledger.played
    assert set(ledger.left_out.values()) == {"it is a game of auction, not of splendor"}


ODD: list[tuple[Callable[[Path], object], str]] = [
    (os.mkfifo, "a named pipe"),
    (Path.mkdir, "a folder"),
    (lambda path: path.symlink_to("/dev/zero"), "a device"),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("make", "kind"), ODD, ids=["fifo", "folder", "device"])
def test_what_is_not_a_file_is_one_line_everywhere(place: Path, make: Callable[[Path], object], kind: str) -> None:
    contest = finished(place)
    path = contest.folder / THIRD
    path.unlink()
    make(path)
    said = f"{path} is not a file but {kind}"

    assert current_result(contest).progress.notes == [f"{said}: it does not count"]
    assert refusal(lambda: run_contest(contest)) == f"{said}: remove it, and its game is played again"
    for command in (["standings"], ["games"], ["verify", "-q"]):
        assert arbiter(*command, contest.folder).code in (0, 1)
    if kind != "a folder":
        for reader in ("show", "verify"):
            shown = arbiter(reader, path)
            assert (shown.code, shown.err) == (2, f"arbiter: {said}\n")


@pytest.mark.timeout(60)
def test_a_contest_file_that_is_a_named_pipe_is_one_line(place: Path) -> None:
    contest = finished(place)
    file = contest.folder / "contest.yaml"
    file.unlink()
    os.mkfifo(file)
    assert arbiter("standings", contest.folder).code == 2
