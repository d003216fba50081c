"""Schedules from plain data, as in match files, and the messages for mistakes in it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from arbiter.contest import schedules
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.gauntlet import Gauntlet
from arbiter.contest.schedules.knockout import Knockout
from arbiter.contest.schedules.ladder import Ladder
from arbiter.contest.schedules.promotion import Promotion
from arbiter.contest.schedules.registry import kinds, schedule_as_data, schedule_from_data
from arbiter.contest.schedules.round_robin import RoundRobin
from arbiter.contest.schedules.season import Season
from arbiter.contest.schedules.season_format import EliminationStage, SeasonRound
from arbiter.contest.schedules.swiss import Swiss
from protocols.heroes import Heroes
from tests.tools import refusal


def test_kinds_are_named_after_their_files() -> None:
    assert list(kinds()) == ["gauntlet", "halving", "knockout", "ladder", "promotion", "round_robin", "season", "swiss"]
    folder = Path(schedules.__path__[0])
    assert all((folder / f"{name}.py").is_file() for name in kinds())


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("{kind: swiss, rounds: 7, games: 2}", Swiss(rounds=7, games=2)),
        ("{kind: round robin, seats: 3, seating: permutations}", RoundRobin(seats=3, seating="permutations")),
        ("{kind: Round-Robin}", RoundRobin()),
        ("{kind: gauntlet, challengers: [new], seed: 9}", Gauntlet(challengers=("new",), seed=9)),
        ("{kind: knockout, best_of: 5, third_place: true}", Knockout(best_of=5, third_place=True)),
        ("{kind: ladder, rest_after: 100, batch: 4}", Ladder(rest_after=100, batch=4)),
        ("{kind: promotion, bosses: [boss], wins: 2}", Promotion(bosses=("boss",), wins=2)),
        ("{kind: swiss, bye: 0}", Swiss(bye=0.0)),
        ("{kind: swiss, games: null}", Swiss()),
        (
            """
            kind: season
            season:
            - {name: morning, points: [3, 2, 1, 0], games: 8}
            - {name: afternoon, points: [6, 4, 2, 0.5]}
            elimination:
            - name: semi-final
              takes: {season: [1, 8]}
              tables: 2
            - {name: final, takes: {semi-final: [1, 2]}, tables: 1, games: 4}
            """,
            Season(
                season=(
                    SeasonRound(name="morning", points=(3, 2, 1, 0), games=8),
                    SeasonRound(name="afternoon", points=(6, 4, 2, 0.5)),
                ),
                elimination=(
                    EliminationStage(name="semi-final", takes={"season": (1, 8)}, tables=2),
                    EliminationStage(name="final", takes={"semi-final": (1, 2)}, tables=1, games=4),
                ),
            ),
        ),
    ],
)
def test_a_match_file_says_what_is_played(text: str, schedule: Schedule) -> None:
    made = schedule_from_data(yaml.safe_load(text))
    assert made == schedule
    assert type(made) is type(schedule)
    assert schedule_from_data(schedule_as_data(made)) == schedule


def test_defaults_fill_in_missing_parameters() -> None:
    assert schedule_from_data({"kind": "swiss"}, {"seats": 4, "seed": 8, "colour": "red"}) == Swiss(seats=4, seed=8)
    assert schedule_from_data({"kind": "swiss", "seats": 3}, {"seats": 4}) == Swiss(seats=3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{rounds: 7}", "a contest needs its kind: write 'kind: NAME' with one of gauntlet, halving, knockout,"),
        ("[swiss]", "a contest needs its kind: write 'kind: NAME' with one of gauntlet, halving, knockout,"),
        ("{kind: swis}", "unknown kind of contest 'swis'; did you mean 'swiss'?"),
        ("{kind: melee}", "unknown kind of contest 'melee'; choose from gauntlet, halving, knockout,"),
        ("{kind: swiss, round: 7}", "swiss: unknown key 'round'; did you mean 'rounds'?"),
        ("{kind: swiss, rounds: seven}", "swiss: rounds 'seven': must be a whole number"),
        ("{kind: swiss, rounds: 2.5}", "swiss: rounds 2.5: must be a whole number"),
        ("{kind: swiss, rounds: true}", "swiss: rounds True: must be a whole number"),
        ("{kind: swiss, games: two}", "swiss: games 'two': must be a whole number"),
        ("{kind: swiss, bye: half}", "swiss: bye 'half': must be a number"),
        ("{kind: swiss, rounds: 0}", "swiss: rounds 0: must be a whole number, at least 1"),
        ("{kind: swiss, seating: circle}", "swiss: seating 'circle': must be rotations or permutations"),
        ("{kind: knockout, third_place: maybe}", "knockout: third_place 'maybe': must be true or false"),
        ("{kind: gauntlet}", "gauntlet: 'challengers' is missing; it must be a list, each item a string"),
        ("{kind: gauntlet, challengers: new}", "gauntlet: challengers 'new': must be a list, each item a string"),
        ("{kind: gauntlet, challengers: [1]}", "gauntlet: challengers, item 1: 1: must be a string"),
        ("{kind: round_robin, games: 3}", "round_robin: games 3: must be a multiple of 2: a table of 2 plays each seed in 2"),
        ("{kind: round_robin, games: -2}", "round_robin: games -2: must be a whole number, at least 1"),
        ("{kind: round_robin, games: 4, seats: 3, seating: permutations}", "round_robin: games 4: must be a multiple of 6"),
        ("{kind: round_robin, seats: 5}", "round_robin: seats 5: must be a whole number from 1 to 4"),
        ("{kind: round_robin, seed: -1}", "round_robin: seed -1: must be a whole number, at least 0"),
        ("{kind: swiss, seats: 1}", "swiss: seats 1: must be a whole number from 2 to 4"),
        ("{kind: swiss, bye: 2.0}", "swiss: bye 2: must be a number from 0 to 1"),
        ("{kind: swiss, games: 4000}", "swiss: games 4000: must be a whole number from 1 to 2000"),
        ("{kind: knockout, best_of: 0}", "knockout: best_of 0: must be a whole number, at least 1"),
        ("{kind: knockout, extra: -1}", "knockout: extra -1: must be a whole number, at least 0"),
        ("{kind: knockout, seats: 4, third_place: true}", "knockout: third_place: at a table of 4 the final decides third"),
        ("{kind: knockout, seats: 4, advance: 4}", "knockout: advance 4: must be a whole number from 1 to 3"),
        ("{kind: knockout, advance: 2}", "knockout: advance 2: must be 1"),
        ("{kind: knockout, best_of: 5000}", "knockout: best_of 5000 and extra 2: a match may take at most 1000 seeds, not"),
        ("{kind: ladder, batch: 0}", "ladder: batch 0: must be a whole number, at least 1"),
        ("{kind: ladder, rest_after: 0}", "ladder: rest_after 0: must be a whole number, at least 1"),
        ("{kind: promotion, bosses: [b], wins: 6}", "promotion: wins 6: there are only 5 games"),
        ("{kind: promotion, bosses: []}", "promotion: bosses: name at least one of the agents"),
        ("{kind: promotion, bosses: [b], seats: 3}", "promotion: seats 3: must be 2: a promotion is between an agent and a"),
        ("{kind: halving, candidates: []}", "halving: candidates: name at least one"),
        ("{kind: halving, candidates: [a], divisor: 1}", "halving: divisor 1: must be a whole number, at least 2"),
        ("{kind: season, elimination: [{name: cup, takes: {season: [1, 7]}, tables: 2}]}", "season: cup: takes 7 agents, and 2 tables"),
        ("{kind: season, elimination: [{name: cup, takes: {league: [1, 8]}, tables: 2}]}", "season: cup: takes: unknown earlier"),
        ("{kind: season, elimination: [{name: cup, takes: {season: [0, 3]}, tables: 1}]}", "season: cup: takes 'season' [0, 3]: must"),
        ("{kind: season, elimination: [{name: cup, takes: {season: [1, 8]}, tables: 0}]}", "season: cup: tables 0: must be a whole"),
        ("{kind: season, season: [{name: r, points: [3, 2]}]}", "season: r: points of 2 places: must be points of 4 places"),
        ("{kind: season, season: [{name: r, points: [3, 2, 1, 0], games: 6}]}", "season: r: games 6: must be a multiple of 4"),
        ("{kind: season, season: [{name: r, points: [3, 2, 1, 0], games: 8000}]}", "season: r: games 8000: must be a whole number"),
        ("{kind: season, season: 2}", "season: season 2: must be a list, each item a mapping of names to values"),
        ("{kind: season, season: [2]}", "season: season, item 1: 2: must be a mapping of names to values"),
        ("{kind: season, season: [{name: a}]}", "season: season, item 1:: 'points' is missing; it must be a list, each item a number"),
        (
            "{kind: season, elimination: [{name: a, takes: {season: 4}, tables: 1}]}",
            "season: elimination.takes.season, item 1: 4: must be a list of 2 items, each a whole number",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(text: str, message: str) -> None:
    assert refusal(lambda: schedule_from_data(yaml.safe_load(text), Heroes.season)).startswith(message)
