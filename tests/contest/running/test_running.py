"""A contest is played: every game of the schedule once, each in its record, whatever kind of contest it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arbiter.contest.formats.text import text
from arbiter.contest.ledger import Ledger, contest_lock
from arbiter.contest.match_file import load_contest
from arbiter.contest.progress import ContestProgress
from arbiter.contest.report import build_report
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.saved_definition import CONTEST_FILE
from arbiter.errors import UserError
from arbiter.records.summary import summarise
from arbiter.records.verify import differences
from tests.contest.running.around import auction, footprint, records, summary, varied
from tests.nullgame.auction import protocol
from tests.nullgame.place import write

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]


def test_every_game_of_the_schedule_is_played_and_filed_under_its_number(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), {"kind": "round_robin", "games": 4})

    result = run_contest(contest)

    schedule = contest.schedule.next_games(contest.names, {})
    found = records(contest.folder)
    assert [summarise(record).game for record in found] == schedule
    assert [record.header.game for record in found] == list(range(1, 13))
    assert {record.header.contest for record in found} == {"cup"}
    assert (contest.folder / "00001-bob-cid.jsonl").is_file()
    assert [list(differences(record, protocol)) for record in found] == [[]] * 12
    assert [outcome.game for outcome in result.counted] == schedule
    assert (result.complete, result.progress.played, result.progress.total) == (True, 12, 12)


def test_the_same_again_plays_nothing_and_says_the_same(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob", "cid"), {"kind": "swiss", "rounds": 2})
    first = run_contest(contest)
    before = footprint(contest.folder)

    again = run_contest(contest)

    assert again.progress.now_played == 0
    assert footprint(contest.folder) == before
    assert summary(contest, again) == summary(contest, first)
    assert summary(contest, current_result(contest)) == summary(contest, first)


def test_the_observer_is_called_after_every_game(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    seen: list[tuple[int, int | None, str]] = []

    def observe(progress: ContestProgress, _: Ledger) -> None:
        seen.append((progress.played, progress.total, "-".join(progress.last.game.seats) if progress.last else ""))
        assert progress.now_played == progress.played
        assert (progress.left_s() is None) == (progress.played == 0)

    run_contest(contest, observe)

    assert seen == [
        (0, 4, ""),  # when it begins
        (0, 4, ""),  # when its first games have begun
        (1, 4, "ann-bob"),
        (2, 4, "bob-ann"),
        (3, 4, "ann-bob"),
        (4, 4, "bob-ann"),
    ]


# -- more than before


def test_more_games_are_played_on_top_of_those_that_were(place: Path) -> None:
    agents = varied(place, "ann", "bob", "cid")
    run_contest(auction(place, agents, {"kind": "round_robin", "games": 2, "seed": 1}))
    before = footprint(place / "games" / "cup")
    contest = auction(place, agents, {"kind": "round_robin", "games": 6, "seed": 1})

    result = run_contest(contest)

    after = footprint(contest.folder)
    assert {name: after[name] for name in before} == before
    assert (result.progress.now_played, len(result.counted), result.complete) == (12, 18, True)
    whole = auction(place, agents, {"kind": "round_robin", "games": 6, "seed": 1}, name="at once")
    assert summary(contest, result)["games"] == summary(whole, run_contest(whole))["games"]


def test_an_agent_that_joins_plays_its_games_and_no_others_are_played_again(place: Path) -> None:
    agents = varied(place, "ann", "bob", "cid", "dan")
    run_contest(auction(place, agents[:3], {"kind": "round_robin", "games": 2, "seed": 1}))
    before = footprint(place / "games" / "cup")
    contest = auction(place, agents, {"kind": "round_robin", "games": 2, "seed": 1})

    result = run_contest(contest)

    after = footprint(contest.folder)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(result.counted) == 12
    assert sorted(result.ledger.numbers.values()) == list(range(1, 13))
    new = [record for record in records(contest.folder) if "dan" in record.names]
    assert len(new) == 6
    whole = auction(place, agents, {"kind": "round_robin", "games": 2, "seed": 1}, name="at once")
    assert summary(contest, result)["rows"] == summary(whole, run_contest(whole))["rows"]


def test_games_that_no_longer_belong_to_the_contest_are_kept_and_do_not_count(place: Path) -> None:
    agents = varied(place, "ann", "bob", "cid")
    run_contest(auction(place, agents, {"kind": "round_robin", "games": 4}))
    before = footprint(place / "games" / "cup")
    contest = auction(place, agents[:2], {"kind": "round_robin", "games": 2})

    result = run_contest(contest)

    assert footprint(contest.folder) == before
    assert (len(result.counted), result.complete, result.progress.now_played) == (2, True, 0)
    assert {outcome.game.seats for outcome in result.counted} == {("ann", "bob"), ("bob", "ann")}


# -- what is refused


def test_no_other_arbiter_runs_it_at_the_same_time(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    with contest_lock(contest.folder), pytest.raises(UserError, match=r"cup is in use: another arbiter is running"):
        run_contest(contest)
    assert run_contest(contest).complete


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rounds": 2}, "holds games with option rounds 1, but now it is 2"),
        ({"limits": {"move": "2s"}}, "holds games with limit move of ann"),
        ({"clock": "wall"}, "holds games with clock 'fair', but now it is 'wall'"),
    ],
    ids=["options", "limits", "clock"],
)
def test_games_under_other_conditions_are_not_mixed(place: Path, changed: dict[str, Any], said: str) -> None:
    agents = varied(place, "ann", "bob")
    run_contest(auction(place, agents))

    with pytest.raises(UserError, match=said) as refusal:
        run_contest(auction(place, agents, **changed))

    assert str(refusal.value).endswith("give the contest another name, or remove the folder")
    assert run_contest(auction(place, agents, name="another", **changed)).complete


def test_conditions_do_not_change_while_it_runs(place: Path) -> None:
    schedule = {"kind": "swiss", "rounds": 3}
    contest = auction(place, varied(place, "ann", "bob", "cid", "dan"), schedule)
    other = auction(place, varied(place, "ann", "bob", "cid", "dan"), schedule, rounds=2)

    result = run_contest(contest, reload=lambda: other)

    assert result.complete
    assert {record.header.options["rounds"] for record in records(contest.folder)} == {1}
    assert any("the change is ignored" in note and "option rounds 1" in note for note in result.progress.notes)


def test_a_record_that_cannot_be_read_is_named(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    run_contest(contest)
    path = contest.folder / "00002-bob-ann.jsonl"
    path.write_bytes(path.read_bytes().replace(b'{"type":"answer"', b'{"type":"answr"', 1))

    with pytest.raises(UserError, match=r"00002-bob-ann.jsonl, line 2: .*remove it, and its game is played again"):
        run_contest(contest)

    path.unlink()
    result = run_contest(contest)
    assert (result.complete, result.progress.now_played, path.is_file()) == (True, 1, True)


def test_a_folder_that_cannot_be_written_is_a_users_mistake(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    write(contest.folder, "a file stands in the way")
    with pytest.raises(UserError, match="cannot save games in"):
        run_contest(contest)


# -- its own match file


def test_a_contest_can_be_run_again_from_its_folder_whatever_it_was_run_from(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    varied(place / "bots", "ann", "bob")
    write(place / "bots" / "two words" / "agent.yaml", "name: two words\nrun: sh ../bob.sh\n")
    contest = auction(place, ["one=bots/ann.sh", "sh bots/bob.sh", "bots/two words"], until="games(4)")
    contest = replace(contest, labels={"title": "The Cup"}, set_aside=0)
    first = run_contest(contest)
    (place / "elsewhere").mkdir()
    monkeypatch.chdir(place / "elsewhere")

    found = load_contest(contest.folder)

    assert found.names == contest.names == ("one", "bob", "two words")
    assert (found.labels, found.set_aside, found.question) == ({"title": "The Cup"}, 0, "games(4)")
    again = run_contest(found)
    assert again.progress.now_played == 0
    assert summary(found, again) == summary(contest, first)


def test_a_folder_keeps_its_games_when_it_is_renamed(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    first = run_contest(contest)
    moved = contest.folder.rename(contest.folder.with_name("last year"))

    result = run_contest(load_contest(moved))

    assert result.progress.now_played == 0
    assert len(result.counted) == len(first.counted)
    assert not contest.folder.exists()


def test_standings_need_no_programs(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"))
    first = run_contest(contest)
    for agent in place.glob("*.sh"):
        agent.unlink()

    found = load_contest(contest.folder, only_look=True)

    assert summary(found, current_result(found)) == summary(contest, first)
    with pytest.raises(UserError, match=rf"{CONTEST_FILE}, line \d+: no such file '.*ann.sh'"):
        load_contest(contest.folder)


def test_looking_changes_nothing(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    assert current_result(contest).complete is False
    assert not contest.folder.exists()
    run_contest(contest)
    cut = contest.folder / "00004-bob-ann.jsonl"
    cut.write_bytes(cut.read_bytes()[:-30])
    before = footprint(contest.folder)

    result = current_result(contest)

    assert footprint(contest.folder) == before
    assert (len(result.counted), result.complete) == (3, False)


@pytest.mark.usefixtures("in_process")
def test_standings_can_be_shown_while_the_contest_runs(place: Path) -> None:
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    seen: list[str] = []

    def observe(progress: ContestProgress, ledger: Ledger) -> None:
        if progress.now_played == 2:
            record = next(iter(ledger.played.values())).record
            lines = Path(record).read_bytes().splitlines(keepends=True)
            with (contest.folder / "00099-now.jsonl").open("wb") as file:  # a game that is being played
                file.write(b"".join(lines[:1]) + lines[1][:10])
                file.flush()
                seen.append(text(build_report(contest, current_result(contest))))
            (contest.folder / "00099-now.jsonl").unlink()

    run_contest(contest, observe)
    assert len(seen) == 1
    assert "2 of 4 games" in seen[0]
    assert "not complete: 2 of 4 games are missing" in seen[0]
