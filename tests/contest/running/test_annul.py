"""The organiser annuls a game: its record stays, with the reason, and the game is played again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import ANNULLED, Ledger, contest_lock
from arbiter.contest.runner import current_result, run_contest
from arbiter.records.reader import load_record
from tests.contest.running.around import auction, footprint, records, summary, varied
from tests.nullgame.command import arbiter

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]


def finished(place: Path) -> Contest:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 6})
    run_contest(contest)
    return contest


def test_its_record_is_kept_with_the_reason_and_it_is_played_again(place: Path) -> None:
    contest = finished(place)
    before = footprint(contest.folder)

    ran = arbiter(
        "annul", "games/cup#2", "games/cup#5", f"{contest.folder}#2", "--because", "the cleaner pulled the plug"
    )

    assert ran.code == 0, ran.err
    assert "game 2 (bob, ann) is annulled: games/cup/annulled/00002-bob-ann-1.jsonl" in ran.out
    assert ran.out.count("is annulled") == 2
    assert "arbiter run games/cup" in ran.out
    annulled = load_record(contest.folder / ANNULLED / "00002-bob-ann-1.jsonl")
    assert annulled.annulled is not None
    assert annulled.annulled.because == "the cleaner pulled the plug"
    assert annulled.path.read_bytes().startswith(before["00002-bob-ann.jsonl"][2])
    standing = current_result(contest)
    assert (len(standing.counted), standing.complete) == (4, False)

    result = run_contest(contest)

    assert (result.progress.now_played, result.complete) == (2, True)
    after = footprint(contest.folder)
    assert after.keys() == before.keys()
    assert [name[:5] for name in sorted(after) if after[name] != before[name]] == ["00002", "00005"]
    assert [record.header.game for record in records(contest.folder)] == [1, 2, 3, 4, 5, 6]
    assert annulled.path.is_file()


def test_the_same_game_can_be_annulled_again(place: Path) -> None:
    contest = finished(place)
    for _ in range(2):
        ledger = Ledger(contest.folder)
        ledger.annul(ledger.find(3), "again")
        run_contest(contest)
    assert sorted(path.name for path in (contest.folder / ANNULLED).iterdir()) == [
        "00003-ann-bob-1.jsonl",
        "00003-ann-bob-2.jsonl",
    ]


def test_a_knockout_goes_on_from_what_counts(place: Path) -> None:
    """Games of a final that is no longer the final are kept and do not count."""
    contest = auction(place, varied(place, "a", "b", "c", "d"), {"kind": "knockout", "best_of": 2, "extra": 0})
    first = run_contest(contest)
    final = [outcome.game for outcome in first.counted if outcome.game.stage == "final"]
    semi = next(outcome for outcome in first.counted if outcome.game.stage == "semi-final")
    record = Path(semi.record)
    text = record.read_text(encoding="utf-8")
    ranks = f'"ranks":[{semi.ranks[0]},{semi.ranks[1]}]'
    assert ranks in text
    for outcome in first.counted:
        if outcome.game.stage == "semi-final" and set(outcome.game.seats) == set(semi.game.seats):
            _swap(Path(outcome.record))

    result = run_contest(contest)

    assert result.complete
    assert {key.seats for key in final} != {o.game.seats for o in result.counted if o.game.stage == "final"}
    assert len(result.counted) == 6
    assert summary(contest, current_result(contest)) == summary(contest, result)


def _swap(path: Path) -> None:
    """The other one has won."""
    record = load_record(path)
    result = record.result
    assert result is not None
    result.ranks.reverse()
    result.digest = record.digest().close(result.ranks, result.scores, result.deal_seed)
    *lines, _ = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines) + msgspec.json.encode(result) + b"\n")


def test_what_cannot_be_annulled_is_one_line(place: Path) -> None:
    contest = finished(place)
    Ledger(contest.folder).annul(Ledger(contest.folder).find(3), "once")
    before = footprint(contest.folder)
    for wrong, said in (
        ("games/cup#7", "game 7: no such game in games/cup"),
        ("games#1", "'games' is not the folder of a contest: it has no contest.yaml"),
        ("nowhere#1", "no such saved game 'nowhere'; name a file or folder, last, or CONTEST#37"),
        ("games/cup#3", "game 3: has been annulled already, and not been played again yet"),
        ("1", "'.' is not the folder of a contest: it has no contest.yaml"),
        ("games/cup", "'games/cup' is no game of a contest; name one as CONTEST#37"),
    ):
        ran = arbiter("annul", "games/cup#1" if "#" not in wrong else wrong, wrong, "--because", "why not")
        assert (ran.code, ran.err) == (2, f"arbiter: {said}\n")
    with contest_lock(contest.folder):
        ran = arbiter("annul", f"{contest.folder}#1", "--because", "now")
    assert (ran.code, "is in use" in ran.err) == (2, True)
    ran = arbiter("annul", f"{contest.folder}#1")
    assert (ran.code, "--because" in ran.err) == (2, True)
    assert footprint(contest.folder) == before
