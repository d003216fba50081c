"""Games of one contest are all contained equally well: to go on at a weaker level, the organiser has to say so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arbiter.agents.sandbox.trial import try_all
from arbiter.contest.definition import Contest
from arbiter.contest.runner import current_result, run_contest
from tests.contest.running.around import auction, footprint, records, varied
from tests.nullgame.command import arbiter
from tests.nullgame.place import write
from tests.tools import missing, refusal

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("in_process")]

FILE = "protocol: auction\nagents: [ann.sh, bob.sh]\noptions: {rounds: 1}\nschedule: {kind: round_robin, games: 4}\n"


def half_played_in(level: str, place: Path) -> Contest:
    """A contest of which two games were played at this level, and the others are missing."""
    contest = auction(place, varied(place, "ann", "bob"), {"kind": "round_robin", "games": 4})
    run_contest(contest)
    for record in records(contest.folder)[2:]:
        record.path.unlink()
    for path in contest.folder.glob("*.jsonl"):
        path.write_text(path.read_text(encoding="utf-8").replace('"sandbox":"none"', f'"sandbox":"{level}"'))
    return contest


@pytest.mark.parametrize("level", ["rlimits", "cgroup"])
def test_a_contest_does_not_go_on_at_a_weaker_level_by_default(place: Path, level: str) -> None:
    contest = half_played_in(level, place)
    before = footprint(contest.folder)

    assert refusal(lambda: run_contest(contest)) == (
        f"the games so far were played at sandbox level '{level}', but only 'none' is available now: "
        "continue on a machine that has it, or add --changed keep"
    )
    assert footprint(contest.folder) == before
    result = run_contest(replace(contest, changed="keep"))
    assert (result.complete, result.progress.now_played, result.ledger.level) == (True, 2, "none")


def test_the_option_is_the_same_for_the_command(place: Path) -> None:
    contest = half_played_in("namespace", place)
    write(place / "cup.yaml", FILE)

    refused = arbiter("run", "cup.yaml", "--save", "games", "--workers", "1", "-q")
    allowed = arbiter("run", "cup.yaml", "--save", "games", "--workers", "1", "-q", "--changed", "keep")

    assert (refused.code, "add --changed keep" in refused.err) == (2, True)
    assert allowed.code == 0, allowed.err
    assert {record.header.sandbox for record in records(contest.folder)} == {"namespace", "none"}


def test_a_stronger_level_is_welcome(place: Path) -> None:
    if why_not := try_all()["rlimits"]:
        missing(f"sandbox level rlimits: {why_not}")
    contest = half_played_in("none", place)

    result = run_contest(
        replace(contest, plan=auction(place, varied(place, "ann", "bob"), sandbox="only:rlimits").plan)
    )

    assert (result.complete, result.progress.now_played) == (True, 2)
    assert [record.header.sandbox for record in records(contest.folder)] == ["none", "none", "rlimits", "rlimits"]
    assert result.ledger.level == "none"


def test_looking_is_always_possible(place: Path) -> None:
    assert len(current_result(half_played_in("cgroup", place)).counted) == 2
