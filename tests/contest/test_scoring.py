"""The scoring of a contest: one value, which schedule, standings, stages, timelines and the match file agree on."""

from __future__ import annotations

from math import fsum
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.match_file import load_contest
from arbiter.contest.report import build_report
from arbiter.contest.saved_definition import save_definition
from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.schedules.points import points_by_agent
from arbiter.contest.schedules.registry import kinds, schedule_as_data, schedule_from_data
from arbiter.errors import UserError
from arbiter.records.scoring import SCORINGS, Scoring
from protocols.heroes import Heroes
from tests.contest.fake_game import by_luck, names, play_all, ranked
from tests.contest.formats.making import contest, ended
from tests.contest.running.around import varied
from tests.nullgame.command import arbiter
from tests.nullgame.place import write

FILE = "protocol: auction\nseats: 3\nagents: [ann.sh, bob.sh, cid.sh]\nsandbox: none\n"
MORE = {
    "gauntlet": {"challengers": names(4)[:1]},
    "halving": {"candidates": names(4)[:1]},
    "promotion": {"bosses": names(4)[:1]},
    "season": dict(Heroes.season),
}


@pytest.mark.parametrize("scoring", SCORINGS)
@pytest.mark.parametrize("kind", kinds())
def test_every_kind_takes_a_scoring_and_writes_it_down(kind: str, scoring: Scoring) -> None:
    schedule = schedule_from_data({"kind": kind, "scoring": scoring, **MORE.get(kind, {})})
    assert schedule.scoring == scoring
    assert schedule_from_data(schedule_as_data(schedule)).scoring == scoring


@settings(max_examples=20, deadline=None)
@given(luck=st.integers(0, 1000), scoring=st.sampled_from(SCORINGS), kind=st.sampled_from(["round_robin", "swiss"]))
def test_everything_in_a_report_counts_by_the_scoring_of_the_contest(luck: int, scoring: Scoring, kind: str) -> None:
    agents = names(6)
    made = contest({"kind": kind, "scoring": scoring, "seats": 3}, agents)
    played = play_all(made.schedule, agents, by_luck(luck))
    document = build_report(made, ended(made, list(played.values())))
    expected = {agent: fsum(values) for agent, values in points_by_agent(played.values(), scoring).items()}

    assert document.scoring == scoring
    assert {row.agent: row.points for row in document.rows} == pytest.approx(expected, abs=1e-3)
    if scoring == "winner":
        assert sum(expected.values()) == pytest.approx(sum(1 in outcome.ranks for outcome in played.values()))
    (scores,) = [line for line in document.timelines if line.measure == "score"]
    for curve in scores.curves:
        games = sum(curve.agent in game.seats for game in played)
        assert curve.values[-1] == pytest.approx(expected[curve.agent] / games, abs=1e-3)
    if document.stages:
        got = dict.fromkeys(agents, 0.0)
        for encounter in [one for stage in document.stages for one in stage.encounters]:
            for agent, value in zip(encounter.agents, encounter.points, strict=True):
                got[agent] += value
        assert got == pytest.approx(expected, abs=0.05)  # a report rounds every encounter


@pytest.mark.parametrize(("scoring", "advances"), [("places", "y1"), ("winner", "x2")])
def test_the_scoring_decides_who_advances(scoring: Scoring, advances: str) -> None:
    """One agent is second in every game, another one wins one game and is last in the others."""
    agents = names(4)  # z0, y1, x2, w3
    schedule = schedule_from_data(
        {"kind": "knockout", "scoring": scoring, "seats": 4, "advance": 2, "best_of": 4, "extra": 0}
    )
    wins = iter([0, 0, 0, 2])

    def play(scheduled: ScheduledGame) -> GameSummary:
        first = agents[next(wins)]
        order = [first, "y1", *[agent for agent in ("w3", "z0", "x2") if agent != first]]
        return ranked(scheduled, *[1 + order.index(agent) for agent in scheduled.seats])

    played = play_all(schedule, agents, play)
    places = schedule.final_order(agents, played)
    assert places is not None
    assert [places[0].agent, places[1].agent] == ["z0", advances]


def test_a_match_file_has_a_key_for_it_and_the_folder_of_the_contest_keeps_it(place: Path) -> None:
    varied(place, "ann", "bob", "cid")
    made = load_contest(write(place / "cup.yaml", FILE + "scoring: winner\n"), save=place / "games")
    assert made.schedule.scoring == "winner"
    made.folder.mkdir(parents=True)
    save_definition(made)
    assert load_contest(made.folder, only_look=True).schedule.scoring == "winner"
    assert load_contest(write(place / "cup.yaml", FILE), save=place / "games").schedule.scoring == "places"


def test_an_unknown_scoring_is_one_line_that_names_the_key(place: Path) -> None:
    varied(place, "ann", "bob", "cid")
    with pytest.raises(UserError, match=r"cup\.yaml, line 5: unknown scoring .wnner.; did you mean .winner."):
        load_contest(write(place / "cup.yaml", FILE + "scoring: wnner\n"), save=place / "games")


def test_the_parameter_reaches_the_result(place: Path) -> None:
    varied(place, "ann", "bob", "cid")
    given = [
        "tournament", "auction", "ann.sh", "bob.sh", "cid.sh", "--seats", "3", "--games", "3", "--sandbox", "none",
        "--set", "scoring=winner",
    ]  # fmt: skip
    done = arbiter(*given, "--json", folder=place)
    assert done.code == 0, done.err
    assert done.document["scoring"] == "winner"
    assert sum(row["points"] for row in done.document["rows"]) == sum(
        1 in game["ranks"] for game in done.document["games"]
    )
    assert any("the winner of a game takes its point" in note for note in done.document["notes"])
