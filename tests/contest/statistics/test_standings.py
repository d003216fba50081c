"""Standings: rows, crosstable, seats, secondary ranking, duplicates."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.statistics.standing import Standing
from arbiter.contest.statistics.standings import SeatScore, compute_standings
from arbiter.playing.report import add_up
from tests.contest.fake_game import SECONDARY
from tests.contest.statistics.making import outcome, outcomes, pair, played
from tests.records.games import summary


def interval(row: Standing | SeatScore) -> tuple[float, float, float]:
    """Return the score between the ends of its interval."""
    score = row.score
    assert score is not None
    assert score.value is not None
    assert score.low is not None
    assert score.high is not None
    return score.low, score.value, score.high


def width(row: Standing) -> float:
    low, _, high = interval(row)
    return high - low


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_wins_draws_and_losses_are_those_of_a_series(games: list[GameSummary]) -> None:
    totals = add_up("abcde", [summary(game.game.seats, game.ranks, game.scores) for game in games])
    for row in compute_standings(games, "abcde").rows:
        total = totals[row.agent]
        assert (row.games, row.wins, row.draws, row.losses) == (total.games, total.wins, total.draws, total.losses)
        assert (row.own_score or 0) * row.games == pytest.approx(total.score)


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_a_game_that_somebody_won_has_half_a_point_for_every_seat(games: list[GameSummary]) -> None:
    total = sum(len(one.game.seats) / 2 for one in games if 1 in one.ranks)
    found = compute_standings(games)
    assert sum(row.points for row in found.rows) == pytest.approx(total)
    assert sum(seat.points for seat in found.seats) == pytest.approx(total)


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_error_bars_hold_the_score(games: list[GameSummary]) -> None:
    for row in compute_standings(games, "abcdef").rows:
        assert (row.score is None) == (row.games == 0)
        if row.score:
            low, score, high = interval(row)
            assert 0 <= low <= score <= high <= 1
            assert low < high


def test_error_bars_shrink_with_more_deals() -> None:
    rng, worth = random.Random(1), {"a": 0.3, "b": 0.0, "c": -0.3}
    few, many = (compute_standings(played(rng, worth, 3, deals)).rows[0] for deals in (20, 500))
    assert width(few) > 3 * width(many)


def test_games_that_belong_together_are_one_observation() -> None:
    """A seat that always wins: every deal is shared, and a hundred of them leave little doubt."""
    cancelled = compute_standings([game for seed in range(100) for game in pair("a", "b", seed, 1, 0)]).rows[0]
    alone = compute_standings([outcome("ab", (1, 2) if seed % 2 else (2, 1), seed) for seed in range(200)]).rows[0]
    assert interval(cancelled)[1] == interval(alone)[1] == 0.5
    assert width(cancelled) < width(alone) / 2


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_the_crosstable_is_its_own_mirror_image(games: list[GameSummary]) -> None:
    cross = compute_standings(games).cross
    for one, row in cross.items():
        for other, cell in row.items():
            mirror = cross[other][one]
            nobody = sum(1 not in each.ranks and {one, other} <= {*each.game.seats} for each in games)
            assert (cell.games, cell.wins, cell.draws, cell.losses) == (
                mirror.games,
                mirror.losses - nobody,
                mirror.draws,
                mirror.wins + nobody,
            )
            assert cell.points + mirror.points == cell.games - nobody
            assert cell.games == cell.wins + cell.draws + cell.losses


def test_the_crosstable_lists_those_who_met_best_first() -> None:
    cross = compute_standings([*pair("a", "b", 1, 0, 0), *pair("b", "c", 1, 1, 0.5)]).cross
    assert {one: list(row) for one, row in cross.items()} == {"b": ["c", "a"], "c": ["b"], "a": ["b"]}
    assert cross["b"]["c"].points == 1.5


def test_best_first_by_points_then_wins_then_the_games_own_points_then_name() -> None:
    games = [
        outcome("pq", (1, 2), 1, scores=(9, 0)),
        outcome("pq", (2, 1), 2, scores=(0, 8)),  # p and q: level but for their own points
        outcome("rs", (1, 1), 3, scores=(50, 50)),
        outcome("rs", (1, 1), 4, scores=(50, 50)),  # as many points, none of them won
        outcome("tu", (1, 2), 5, scores=(0, 0)),
    ]
    rows = compute_standings(games).rows
    assert [(row.place, row.agent) for row in rows] == [(1, "t"), (2, "p"), (3, "q"), (4, "r"), (4, "s"), (6, "u")]


def test_agents_without_games_come_last() -> None:
    rows = compute_standings([outcome("ab", (1, 2))], ["z", "a"]).rows
    assert [row.agent for row in rows] == ["a", "b", "z"]
    assert rows[-1].score is None


@settings(max_examples=40, deadline=None)
@given(outcomes(), st.randoms(use_true_random=False))
def test_the_order_of_games_does_not_matter_at_all(games: list[GameSummary], rng: random.Random) -> None:
    unique = {one.game: one for one in games}
    shuffled = list(unique.values())
    rng.shuffle(shuffled)
    assert compute_standings(shuffled) == compute_standings(unique.values())


def test_faults_are_counted_by_kind_and_time_by_answer() -> None:
    games = [
        outcome("ab", (1, 2), 1, faults=({"late": 2}, {}), think_us=(300, 50), answers=(3, 1)),
        outcome("ba", (1, 2), 1, faults=({}, {"crashed": 1, "late": 1}), think_us=(50, 700), answers=(1, 2)),
    ]
    a, b = sorted(compute_standings(games).rows, key=lambda row: row.agent)
    assert list(a.faults.items()) == [("crashed", 1), ("late", 3)]
    assert (a.answers, a.think_us, b.faults, b.think_us) == (5, 200, {}, 50)


def test_without_answers_there_is_no_think_time() -> None:
    row = compute_standings([outcome("ab", (1, 2), think_us=(0, 0), answers=(0, 0))]).rows[0]
    assert row.think_us is None


def test_an_advantageous_seat_is_detected_whichever_agent_has_it() -> None:
    """b is much the better agent; and sitting first is worth something, which shows once it has sat everywhere."""
    games = [game for seed in range(60) for game in pair("a", "b", seed, 1.0 if seed % 3 else 0.0, 0.0)]
    first, second = compute_standings(games).seats
    assert (first.games, second.games) == (120, 120)
    assert interval(first)[0] > 0.5 > interval(second)[2]
    assert interval(first)[1] + interval(second)[1] == pytest.approx(1)


def test_the_secondary_ranking_shares_places() -> None:
    games = [
        outcome("abc", (1, 2, 3), 1, second=(0, 4, 4)),
        outcome("abc", (1, 2, 3), 2, second=(1, 4, 4)),
        outcome("abd", (1, 2, 3), 3),
    ]
    found = compute_standings(games, secondary=SECONDARY)
    assert [(line.place, line.name, line.games, line.mean) for line in found.second] == [
        (1, "b", 2, 4),
        (1, "c", 2, 4),
        (3, "a", 2, 0.5),
    ]
    assert {row.agent: row.secondary for row in found.rows} == {"a": 0.5, "b": 4, "c": 4, "d": None}
    assert compute_standings(games[2:], secondary=SECONDARY).second == []


def test_games_with_equal_digests_are_reported() -> None:
    games = [
        outcome("ab", (1, 2), 1, moves_hash="sha256:1", record="one.jsonl"),
        outcome("ab", (1, 2), 2, moves_hash="sha256:2"),
        outcome("ab", (1, 2), 3, moves_hash="sha256:1", record="three.jsonl"),
        outcome("ab", (1, 2), 4),
        outcome("ab", (1, 2), 5),
    ]
    (group,) = compute_standings(games).duplicates
    assert [game.record for game in group] == ["one.jsonl", "three.jsonl"]
