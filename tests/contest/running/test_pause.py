"""A contest that waits for its organiser between stages, and agents that never show up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
import pytest

from arbiter.contest.formats.text import text
from arbiter.contest.match_file import load_contest
from arbiter.contest.report import build_report
from arbiter.contest.runner import run_contest
from tests.contest.running.around import auction, varied
from tests.nullgame.place import bidder, write

pytestmark = pytest.mark.slow

STAGES = {
    "kind": "season",
    "seats": 2,
    "season": [{"name": "league", "points": [1, 0]}],
    "elimination": [
        {"name": "semi-final", "takes": {"season": [1, 4]}, "tables": 2},
        {"name": "final", "takes": {"semi-final": [1, 1]}, "tables": 1},
    ],
}


def test_every_run_plays_one_stage(place: Path) -> None:
    contest = replace(auction(place, varied(place, "a", "b", "c", "d"), STAGES), pause=True)
    seen = []
    for _ in range(3):
        result = run_contest(contest)
        seen.append((sorted({outcome.game.stage for outcome in result.counted}), result.progress.paused))
    assert seen == [
        (["league"], "semi-final"),
        (["league", "semi-final"], "final"),
        (["final", "league", "semi-final"], ""),
    ]
    assert result.complete
    assert {game.stage for game in run_contest(contest).ledger.played} == {"league", "semi-final", "final"}


def test_the_report_says_what_it_waits_for_and_who_went_on(place: Path) -> None:
    contest = replace(auction(place, varied(place, "a", "b", "c", "d"), STAGES), pause=True)
    shown = click.unstyle(text(build_report(contest, run_contest(contest))))
    assert "not complete: paused before semi-final; run the contest again to go on" in shown
    table = shown[shown.index("stage ") :].split("\n\n")[0].splitlines()
    assert sum(line.endswith("semi-final") for line in table) == 4  # by their places in the league
    assert max(map(len, table)) <= 80
    assert shown.count(" semi-final") >= 4  # four teams go on


def test_a_match_file_asks_for_the_pause_and_names_a_team_that_is_absent(place: Path) -> None:
    agents = "".join(f"- {bidder(place, name, bid)}\n" for bid, name in enumerate("abc", 1))
    write(place / "broken.c", "int main( { }\n")
    write(
        place / "cup.yaml",
        "protocol: auction\npause: true\nsandbox: none\nschedule:\n  kind: season\n  seats: 2\n"
        "  season: [{name: league, points: [1, 0]}]\n  elimination: []\n"
        f"agents:\n{agents}- zoe: absent\n- broken=./broken.c\n",
    )
    contest = load_contest(place / "cup.yaml")
    assert contest.pause
    assert set(contest.names) == {"a", "b", "c", "zoe", "broken"}
    broken, absent = contest.notes
    assert broken.startswith("broken=./broken.c loses its moves in all games: broken.c does not build")
    assert absent == "zoe is absent and loses its moves in all games"
    result = run_contest(contest)
    assert result.complete
    for outcome in result.counted:
        for seat, agent in enumerate(outcome.game.seats):
            assert set(outcome.fault_counts()[seat]) == ({"absent"} if agent in ("zoe", "broken") else set())
    assert load_contest(contest.folder).pause
