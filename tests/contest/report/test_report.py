"""The report of a contest: the same figures as the statistics, an honest answer, highlights and timelines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from arbiter.contest.definition import Definition
from arbiter.contest.formats import FORMATS, formatter
from arbiter.contest.making import make_contest
from arbiter.contest.report import Report, build_report
from arbiter.contest.report.timeline import MOST_POINTS
from arbiter.contest.runner import current_result, run_contest
from arbiter.contest.scheduled import GameSummary
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.registry import schedule_from_data
from arbiter.contest.statistics import elo, plackett_luce
from arbiter.contest.statistics.standings import compute_standings
from tests.contest.fake_game import by_strength, in_order, play_all
from tests.contest.formats.making import FOLDER, contest, ended, hostile, lively, made
from tests.contest.schedules.test_every_kind import AGENTS, CONTESTS
from tests.contest.statistics.making import elo_of_pairs, outcome, outcomes, pair
from tests.nullgame.place import adder

MATCH = {"kind": "round_robin", "games": 2}
"""Of two agents; hand-made games need not be those of the schedule."""


def of_duel(games: Sequence[GameSummary], until: str = "", *, complete: bool = True) -> Report:
    """The report of a match between new and old."""
    match = contest(MATCH, ["new", "old"], until=until)
    return build_report(match, ended(match, games, complete=complete))


def pairs(points: Sequence[tuple[float, float]]) -> list[GameSummary]:
    """Deals of two games, by the points of new."""
    return [game for seed, (first, second) in enumerate(points) for game in pair("new", "old", seed, first, second)]


# -- figures


def rounded(value: Any) -> Any:
    """Figures as a report has them: at most four decimals, and no negative zero."""
    if isinstance(value, float):
        return round(value, 4) + 0.0
    if isinstance(value, dict):
        return {name: rounded(inner) for name, inner in value.items()}
    return [rounded(inner) for inner in value] if isinstance(value, list) else value


@settings(max_examples=40, deadline=None)
@given(outcomes())
def test_rows_have_the_figures_of_the_standings_and_ratings(games: list[GameSummary]) -> None:
    games = list({one.game: one for one in games}.values())
    of = contest({"kind": "round_robin"}, "abcde")
    found = build_report(of, ended(of, games))
    assert msgspec.json.decode(msgspec.json.encode(found), type=Report) == found
    standings = compute_standings(games, "abcde")
    ratings = {one.name: one for one in plackett_luce.fit(games, "abcde").ratings()}
    assert [row.agent for row in found.rows] == [row.agent for row in standings.rows]
    for row, standing in zip(found.rows, standings.rows, strict=True):
        assert (row.games, row.wins, row.draws, row.losses) == (
            standing.games,
            standing.wins,
            standing.draws,
            standing.losses,
        )
        assert row.place == (standing.place if games else None)
        assert row.faults == standing.faults
        assert [row.points, row.own_score] == rounded([standing.points, standing.own_score])
        assert msgspec.to_builtins(row.score) == rounded(msgspec.to_builtins(standing.score))
        if row.rating:
            rating = ratings[row.agent]
            shown = [row.rating.value, row.rating.low, row.rating.high]
            assert shown == rounded([rating.elo, rating.low, rating.high])
    assert msgspec.to_builtins(found.cross) == rounded(msgspec.to_builtins(standings.cross))
    assert msgspec.to_builtins(found.seat_scores) == rounded(msgspec.to_builtins(standings.seats))
    assert found.counts.counted == len(games) == len(found.games)


def test_what_is_infinite_is_null_in_json() -> None:
    found = of_duel(pairs([(1, 1)] * 10))
    assert found.duels[0].elo.value is None
    assert found.duels[0].elo.high is None
    assert found.duels[0].elo.low == rounded(elo_of_pairs([0, 0, 0, 0, 10]).low)
    assert b"null" in msgspec.json.encode(found.duels[0].elo)


def test_the_crosstable_is_in_the_order_of_the_rows() -> None:
    found = made({"kind": "swiss", "rounds": 3}, "fedcba")
    order = [row.agent for row in found.rows]
    assert list(found.cross) == order
    for one, cells in found.cross.items():
        assert list(cells) == [name for name in order if name in cells and name != one]


# -- the answer


@pytest.mark.parametrize(
    ("points", "verdict", "said"),
    [
        ([(1, 1)] * 8 + [(1, 0)] * 4, "yes", "new is better than old: yes, +"),
        ([(0, 0)] * 8 + [(1, 0)] * 4, "no", "new is better than old: no; old is, −"),
        ([(1, 1), (0, 0), (1, 0)], "not yet", "new is better than old: not yet, 0 Elo (95 % interval: −"),
        ([(1, 1)] * 20, "yes", "it won every game, at least +"),
        ([(0, 0)] * 20, "no", "it lost every game, at most −"),
        ([], "not yet", "no game has been played yet"),
    ],
)
def test_two_agents_get_a_yes_a_no_or_a_not_yet(points: list[tuple[float, float]], verdict: str, said: str) -> None:
    found = of_duel(pairs(points))
    assert found.verdict == verdict
    assert said in found.answer
    if points:
        assert found.duels[0].superiority == rounded(elo.of_match(pairs(points), "new", "old").superiority)


def test_the_answer_to_a_question_is_that_of_the_sequential_test() -> None:
    found = of_duel(pairs([(1, 1), (1, 0), (0.5, 1)] * 40), "better(new,old,elo1=50)")
    assert found.verdict == "yes"
    assert found.answer == found.asked
    assert found.duels[0].llr is not None
    assert found.duels[0].llr_bounds is not None
    assert found.duels[0].llr >= found.duels[0].llr_bounds[1]
    assert 0 < found.counts.counted < found.counts.played
    assert any("do not count" in note for note in found.notes)


def test_how_many_games_were_asked_for_is_not_the_answer() -> None:
    found = of_duel(pairs([(1, 1)] * 10), "games(20)")
    assert found.answer.startswith("new is better than old: yes")
    assert found.asked.startswith("20 games played: yes")


def test_the_first_of_many_is_called_better_only_if_that_is_clear() -> None:
    clear = made({"kind": "round_robin", "games": 40}, "abc", by_strength({"a": 5.0, "b": 0.0, "c": 0.2}, noise=2))
    assert clear.verdict == "yes"
    assert "a is first of 3" in clear.answer
    assert "clearly better" in clear.answer
    close = made({"kind": "round_robin", "games": 8}, "abc", by_strength({"a": 0.3, "b": 0.0, "c": -3.0}, noise=2))
    assert close.verdict == "not yet"
    assert "is not yet clear" in close.answer


def test_tied_agents_share_first_place() -> None:
    found = made({"kind": "round_robin"}, "abc", by_strength({"a": 1.0, "b": 1.0, "c": 0.0}))
    assert [row.place for row in found.rows] == [1, 1, 3]
    assert found.answer.startswith("a and b share first place")


def test_a_gauntlet_says_which_agents_the_challenger_beats() -> None:
    strengths = {"new": 2.0, "weak": 0.0, "same": 2.0, "strong": 4.0}
    found = made(
        {"kind": "gauntlet", "challengers": ["new"], "games": 20}, list(strengths), by_strength(strengths, 0.5)
    )
    assert {duel.other: duel.verdict for duel in found.duels} == {"weak": "yes", "same": "not yet", "strong": "no"}
    assert found.verdict == "no"
    assert found.answer == "new is better than weak; worse than strong; not yet distinguishable from same"


# -- places


def test_a_knockout_decides_the_places_itself() -> None:
    names = list("hgfedcba")
    found = made({"kind": "knockout"}, names, in_order(names[::-1]))
    assert found.ranked_by == "kind"
    assert found.rows[0].agent == "a"
    assert [row.place for row in found.rows] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert found.rows[0].note == "winner"
    assert found.answer.startswith("a wins the knockout of 8 agents, ahead of b")
    assert [stage.name for stage in found.stages] == ["quarter-final", "semi-final", "final"]
    final = found.stages[-1].encounters[0]
    assert final.agents == ["a", "b"]
    assert sum(final.points) == len(final.games)


def test_a_season_that_a_lot_decides_says_so() -> None:
    names = list("abcd")
    league = {"kind": "season", "seats": 4, "season": [{"name": "league", "points": [3, 2, 1, 0]}]}
    found = made(league, names, by_strength(dict.fromkeys(names, 0.0)))
    first, second = (row.agent for row in found.rows[:2])
    assert found.answer == f"{first} wins the season of 4 agents (by lot), ahead of {second}"


def test_bosses_have_no_place_and_are_listed_last() -> None:
    found = made({"kind": "promotion", "bosses": ["b"], "games": 3, "wins": 2}, "abc", in_order("abc"))
    assert [(row.agent, row.place, row.note) for row in found.rows] == [
        ("a", 1, "passed"),
        ("c", 2, "failed against b"),
        ("b", None, ""),
    ]


def test_a_ladder_is_never_won() -> None:
    names = list("abcd")
    of = contest({"kind": "ladder", "rest_after": 12}, names)
    found = build_report(of, ended(of, play_all(of.schedule, names, in_order(names)).values()))
    assert found.verdict == "not yet"
    assert found.answer == "a leads the ladder of 4 agents so far"


def test_an_agent_that_was_set_aside_has_no_place_and_others_move_up() -> None:
    of = contest({"kind": "round_robin"}, "abc")
    games = play_all(of.schedule, "abc", in_order("abc")).values()
    found = build_report(of, ended(of, games, set_aside={"b": 5}))
    assert [(row.agent, row.place, row.set_aside) for row in found.rows] == [
        ("a", 1, None),
        ("c", 2, None),
        ("b", None, 5),
    ]


@pytest.mark.parametrize("kind", CONTESTS)
@pytest.mark.parametrize("share", [0.0, 0.4, 1.0])
def test_every_kind_can_be_reported_at_any_time_in_any_format(kind: str, share: float) -> None:
    of = contest(CONTESTS[kind], AGENTS)
    played = list(play_all(of.schedule, AGENTS, lively).values())
    found = build_report(of, ended(of, played[: round(share * len(played))], complete=share == 1))
    order = of.schedule.final_order(AGENTS, {one.game: one for one in played[: round(share * len(played))]})
    if order is not None:
        assert [(row.agent, row.place) for row in found.rows if row.place] == [(one.agent, one.place) for one in order]
    assert {row.agent for row in found.rows} == set(AGENTS)
    for name in FORMATS:
        assert formatter(name)(found)


def test_a_contest_whose_agents_were_nearly_all_set_aside_is_still_reported() -> None:
    for kind, schedule in CONTESTS.items():
        if schedule.agents_may_leave:
            of = contest(schedule, AGENTS)
            games = list(play_all(of.schedule, AGENTS, lively).values())[:40]
            found = build_report(of, ended(of, games, complete=False, set_aside=dict.fromkeys(AGENTS[1:], 5)))
            assert sum(row.place is not None for row in found.rows) <= 1, kind


# -- completeness, notes and conditions


def test_missing_games_are_reported() -> None:
    schedule = schedule_from_data({"kind": "round_robin", "games": 4})
    of = contest(schedule, "abc")
    played = list(play_all(schedule, "abc", lively).values())
    assert build_report(of, ended(of, played)).missing == []
    part = build_report(of, ended(of, played[:9], complete=False, not_played={10: "no room"}))
    assert part.missing == ["3 of 12 games are missing", "1 game could not be played"]
    assert part.not_played == {10: "no room"}
    ladder = contest({"kind": "ladder"}, "abc")
    assert build_report(ladder, ended(ladder, [], complete=False)).missing == ["a ladder has no end: 0 games so far"]
    asked = of_duel(pairs([(1, 0)]), "better(new,old)", complete=False)
    assert "the question is not settled" in asked.missing


def test_identical_games_are_listed_by_number() -> None:
    games = [
        outcome(("new", "old"), (1, 2), seed, moves_hash="same" if seed in (1, 3, 4) else f"{seed}")
        for seed in range(6)
    ]
    found = of_duel(games)
    assert [group.games for group in found.duplicates] == [[2, 4, 5]]
    assert found.counts.copies == 2
    assert any("2 games have exactly the same moves as another one" in note for note in found.notes)


def test_games_without_a_winner_are_noted() -> None:
    """They are a loss for both agents in every table; for Elo they are a draw, since somebody has to win there."""
    found = of_duel(
        [outcome(("new", "old"), (2, 2)), outcome(("old", "new"), (2, 2)), *pair("new", "old", 1, 1.0, 1.0)]
    )
    assert [(row.agent, row.wins, row.draws, row.losses) for row in found.rows] == [("new", 2, 0, 2), ("old", 0, 0, 4)]
    assert (found.duels[0].wins, found.duels[0].draws, found.duels[0].losses) == (2, 0, 2)
    assert found.duels[0].score == found.rows[0].points / found.rows[0].games == 0.5
    assert [note for note in found.notes if "no winner" in note] == [
        "2 games had no winner: a loss without points for every agent; for Elo and ratings, agents with the same rank "
        "drew"
    ]
    assert not [note for note in of_duel(pairs([(1.0, 0.5)])).notes if "no winner" in note]


def test_imaginary_draws_and_incomparable_groups_are_noted() -> None:
    of = contest({"kind": "round_robin"}, "abcd")
    games = [outcome("ab", (1, 2)), outcome("cd", (1, 1))]
    found = build_report(of, ended(of, games))
    assert any("the ratings of a and b include one imaginary draw each" in note for note in found.notes)
    games += [outcome("ba", (2, 2), seed) for seed in range(1, 30)]
    games += [outcome("ac", (1, 2), seed) for seed in range(1, 30)]
    found = build_report(of, ended(of, games[:1] + games[2:]))
    assert any("include one imaginary draw each" in note for note in found.notes)
    found = build_report(of, ended(of, games[:2] + games[2:31]))
    assert any("cannot be compared" in note for note in found.notes)


def test_paths_of_records_are_relative_to_the_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    match = contest(MATCH, ["new", "old"])
    ending = ended(match, pairs([(1, 0)]))
    assert build_report(match, ending, beside=FOLDER).games[0].record == "00001.jsonl"
    assert build_report(match, ending, beside=FOLDER.parent).games[0].record == "cup/00001.jsonl"
    assert build_report(match, ending, beside=FOLDER / "deep" / "er").games[1].record == "../../00002.jsonl"
    monkeypatch.chdir(tmp_path)
    assert (tmp_path / build_report(match, ending).games[0].record).resolve() == FOLDER / "00001.jsonl"


def test_terms_come_from_the_games() -> None:
    found = of_duel(pairs([(1, 0)]))
    assert (found.conditions.sandbox, found.conditions.clock, found.conditions.version) == ("rlimits", "fair", 3)
    assert found.conditions.limits == {"move": "1s"}
    assert of_duel([]).conditions.version is None


# -- highlights


def scored(names: Sequence[str], scores: Sequence[float], seed: int, **more: object) -> GameSummary:
    """A game with these scores."""
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    return outcome(names, ranks, seed, scores=scores, **more)


def test_a_deal_lost_from_every_seat_comes_before_a_single_lost_game() -> None:
    games = [
        *(scored(("new", "old"), (30, 1), 1), scored(("old", "new"), (20, 10), 1)),  # one each
        *(scored(("new", "old"), (12, 10), 2), scored(("old", "new"), (10, 14), 2)),  # new won both
        *(scored(("new", "old"), (12, 10), 3), scored(("old", "new"), (10, 12), 3)),  # and these
    ]
    highlights = of_duel(games).highlights
    assert [(highlight.reason, highlight.game) for highlight in highlights[:3]] == [
        ("lost", 4),
        ("lost", 5),
        ("lost", 1),
    ]
    assert highlights[0].why == "old lost to new, 10 to 14, as it did in all games of this deal"
    assert highlights[2].why == "old lost to new, 1 to 30"
    assert ("against the trend", 2) in [(highlight.reason, highlight.game) for highlight in highlights]


def test_upsets_are_those_of_the_weakest_over_the_strongest() -> None:
    strengths = {"a": 6.0, "b": 3.0, "c": 0.0}
    of = contest({"kind": "round_robin", "games": 20}, "abc")
    games = list(play_all(of.schedule, "abc", by_strength(strengths, 2)).values())
    upset = next(number for number, one in enumerate(games, 1) if set(one.game.seats) == {"a", "c"})
    seats = games[upset - 1].game.seats
    games[upset - 1] = outcome(seats, [1 if name == "c" else 2 for name in seats], games[upset - 1].game.seed)
    found = build_report(of, ended(of, games))
    first = next(highlight for highlight in found.highlights if highlight.reason == "upset")
    assert first.game == upset
    assert first.why.startswith("c (−")
    assert "was ahead of a (+" in first.why


def test_the_game_with_most_of_a_fault_is_picked() -> None:
    none: dict[str, int] = {}
    games = [
        scored(("new", "old"), (9, 5), 1, faults=(none, {"late": 1})),
        scored(("new", "old"), (9, 5), 2, faults=(none, {"late": 4})),
        scored(("new", "old"), (9, 5), 3, faults=({"illegal": 1}, none)),
    ]
    faults = [highlight for highlight in of_duel(games).highlights if highlight.reason == "fault"]
    assert all(highlight.reason in ("lost", "fault") for highlight in of_duel(games).highlights)
    assert not faults  # all three are there already, as games that old lost
    many = [scored(("new", "old"), (9 + seed, 5), seed) for seed in range(10, 14)]
    assert [
        (highlight.game, highlight.why)
        for highlight in of_duel([*games, *many]).highlights
        if highlight.reason == "fault"
    ] == [(2, "old was 4 times at fault (late) and lost"), (3, "new was at fault (illegal)")]


def test_no_game_is_picked_twice_and_all_are_in_the_list() -> None:
    for found in (made({"kind": "swiss"}, "abcdefgh"), made({"kind": "round_robin", "games": 8}, "ab"), hostile()):
        numbers = [highlight.game for highlight in found.highlights]
        assert 0 < len(numbers) == len(set(numbers))
        assert set(numbers) <= {game.number for game in found.games}


# -- timelines


def test_curves_end_where_the_table_is() -> None:
    found = made({"kind": "round_robin", "games": 30}, "abcd")
    timelines = {timeline.measure: timeline for timeline in found.timelines}
    assert set(timelines) == {"rating", "score"}
    for timeline in timelines.values():
        assert timeline.games[-1] == found.counts.counted
        assert len(timeline.games) <= MOST_POINTS
        for curve, row in zip(timeline.curves, found.rows, strict=True):
            assert curve.agent == row.agent
            assert len(curve.values) == len(timeline.games)
            assert row.score is not None
            assert row.rating is not None
            expected = row.score.value if timeline.measure == "score" else row.rating.value
            assert curve.values[-1] == pytest.approx(expected, abs=0.06)


def test_the_timeline_of_a_duel_has_an_interval_throughout() -> None:
    found = of_duel(pairs([(1, 0), (1, 1), (0, 0.5)] * 60))
    timeline = found.timelines[0]
    assert timeline.measure == "lead"
    (curve,) = timeline.curves
    ends = (curve.values[-1], curve.low[-1], curve.high[-1])
    assert ends == pytest.approx((found.duels[0].elo.value, found.duels[0].elo.low, found.duels[0].elo.high), abs=0.06)
    widths = [
        high - low for low, high in zip(curve.low, curve.high, strict=True) if low is not None and high is not None
    ]
    assert widths[-1] < widths[len(widths) // 4]


def test_ratings_of_a_very_large_contest_are_not_computed_again_and_again() -> None:
    names = [f"{number:03d}" for number in range(100)]
    schedule: Schedule = schedule_from_data({"kind": "round_robin"})
    of = contest(schedule, names)
    games = [outcome((one, other), (1, 2), 1) for one in names for other in names if one < other]
    found = build_report(of, ended(of, games))
    assert [timeline.measure for timeline in found.timelines] == ["score"]


# -- a real one


def test_a_contest_of_real_programs_is_reported(place: Path) -> None:
    agents = tuple(adder(place, name, number) for name, number in (("three", 3), ("two", 2), ("rude", "what?")))
    definition = Definition(name="real", protocol="count_up", agents=agents)
    of = make_contest(definition, {"kind": "round_robin", "games": 2}, place / "games", set_aside=0, workers=1)
    found = build_report(of, run_contest(of))
    assert found.complete
    assert found.game == "Count up"
    assert [(row.agent, row.wins, row.losses) for row in found.rows] == [("three", 4, 0), ("two", 2, 2), ("rude", 0, 4)]
    assert found.rows[2].faults == {"garbled": 12}
    assert found.rows[0].own_score == 9
    assert found.rows[0].think_us is not None
    assert all((place / game.record).is_file() for game in found.games)
    assert (found.conditions.sandbox, found.conditions.clock) == ("none", "fair")
    assert build_report(of, current_result(of)) == found
    for name in FORMATS:
        assert "three" in formatter(name)(found)
