"""When a question is settled."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics.elo import expected_score
from arbiter.contest.statistics.question import parse_question
from arbiter.contest.statistics.until import OpenQuestion, QuestionAnswer, evaluate
from tests.contest.fake_game import finished
from tests.contest.statistics.making import played

TWO = [ScheduledGame(seats, seed) for seed in range(400) for seats in (("new", "old"), ("old", "new"))]


def results(schedule: Sequence[ScheduledGame], score: float, seed: int = 1) -> dict[ScheduledGame, GameSummary]:
    """Games without draws in which ``new`` gets so many points."""
    rng = random.Random(seed)
    found = {}
    for scheduled in schedule:
        ahead = rng.random() < score
        ranks = (1, 2) if (scheduled.seats[0] == "new") == ahead else (2, 1)
        found[scheduled] = finished(scheduled, ranks)
    return found


def ask(text: str, schedule: Sequence[ScheduledGame] = TWO, score: float = 0.5) -> QuestionAnswer:
    return evaluate(parse_question(text), schedule, results(schedule, score))


def test_a_better_agent_is_a_yes() -> None:
    answer = ask("better(new,old,elo1=50)", score=0.65)
    assert (answer.verdict, answer.settled) == ("yes", True)
    assert answer.elo is not None
    assert answer.elo.low > 0
    assert answer.games == answer.settled_after == 106
    assert answer.sentence == "new is better than old: yes, +108 Elo (95 % interval: +34 to +182), after 106 games"


def test_an_agent_that_is_not_better_is_a_no() -> None:
    answer = ask("better(new,old,elo1=50)", score=0.4)
    assert (answer.verdict, answer.settled) == ("no", True)
    assert answer.sentence.startswith("new is better than old: no, not by 50 Elo, −")


def test_an_open_question_is_not_yet() -> None:
    answer = ask("better(new,old)", TWO[:40], score=0.6)
    assert (answer.verdict, answer.settled, answer.settled_after) == ("not yet", False, None)
    assert answer.sentence.startswith("new is better than old: not yet, +")
    assert answer.sentence.endswith("after 40 games")


@pytest.mark.parametrize(
    ("score", "told"), [(1.0, "it won every game, at least +"), (0.0, "it lost every game, at most −")]
)
def test_an_infinite_lead_is_reported_by_its_finite_bound(score: float, told: str) -> None:
    answer = ask("better(new,old,elo1=100)", score=score)
    assert told in answer.sentence
    assert "∞" not in answer.sentence


def test_agents_that_have_not_met_are_reported() -> None:
    answer = evaluate(parse_question("better(new,old)"), TWO, {})
    assert answer.sentence == "new is better than old: not yet, no complete deal between them"


def test_bounds_other_than_zero_are_reported() -> None:
    answer = ask("better(new,old,elo0=-60,elo1=0)", score=0.6)
    assert answer.sentence.startswith("new is better than old: yes, by more than −60 Elo, +")


def test_enough_games() -> None:
    answer = ask("games(101)")
    assert (answer.verdict, answer.games, answer.settled_after) == ("yes", 102, 102)
    assert answer.sentence == "101 games played: yes, 102 so far"
    assert ask("games(801)").sentence == "801 games played: not yet, 800 so far"


def test_a_lead_that_is_known_well_enough() -> None:
    answer = ask("precision(new,old,40)", score=0.55)
    assert answer.settled
    assert answer.elo is not None
    assert 38 < answer.elo.margin <= 40
    assert answer.sentence.startswith("the lead of new over old is known to ±40 Elo: yes, +")


def test_ratings_that_are_known_well_enough() -> None:
    """Of two agents each rating is half the lead."""
    answer = ask("precision(20)", score=0.55)
    assert answer.settled
    assert answer.sentence.startswith("every rating is known to ±20 Elo: yes, the least certain is ")
    assert answer.games == pytest.approx(ask("precision(new,old,40)", score=0.55).games, rel=0.1)
    assert not ask("precision(5)", score=0.55).settled


def test_ratings_are_not_known_before_every_agent_has_played() -> None:
    later = [ScheduledGame(("new", "late"), 1), ScheduledGame(("late", "new"), 1)]
    answer = ask("precision(300)", [*TWO, *later])
    assert not answer.settled
    assert "not all agents can be compared yet" in answer.sentence
    assert ask("precision(300)", TWO).settled


def test_agents_that_agree_by_chance_do_not_end_a_search_for_precision() -> None:
    splits = {scheduled: finished(scheduled, (1, 2)) for scheduled in TWO}  # the first seat wins, always
    answer = evaluate(parse_question("precision(20)"), TWO, splits)
    assert answer.settled_after is not None
    assert answer.settled_after > 60


def test_at_larger_tables_two_are_compared_by_who_is_ahead() -> None:
    games = played(random.Random(2), {"a": 0.6, "b": 0.0, "c": 0.0, "d": 0.0}, 4, 100)
    schedule = [one.game for one in games]
    answer = evaluate(parse_question("better(a,b,elo1=50)"), schedule, {one.game: one for one in games})
    assert answer.verdict == "yes"
    assert answer.settled_after is not None
    assert answer.settled_after % 4 == 0


def test_half_a_pair_is_not_counted() -> None:
    watch, everything = OpenQuestion(parse_question("games(3)"), TWO), results(TWO, 0.5)
    assert watch.answer({scheduled: everything[scheduled] for scheduled in TWO[:1]}).games == 0
    assert watch.answer({scheduled: everything[scheduled] for scheduled in TWO[:3]}).games == 2
    assert watch.answer({scheduled: everything[scheduled] for scheduled in TWO[:4]}).settled


def test_pairs_may_be_scheduled_far_apart() -> None:
    order = [*TWO[0:6:2], *TWO[1:6:2]]
    everything = results(TWO, 0.5)
    watch = OpenQuestion(parse_question("games(2)"), order)
    assert watch.answer({scheduled: everything[scheduled] for scheduled in order[:3]}).games == 0
    assert watch.answer({scheduled: everything[scheduled] for scheduled in order[:4]}).settled_after == 4


def test_a_schedule_may_grow() -> None:
    watch, everything = OpenQuestion(parse_question("games(8)"), TWO[:6]), results(TWO, 0.5)
    assert watch.answer(everything).games == 6
    watch.extend(TWO[6:12])
    assert watch.answer(everything).settled_after == 8


def test_a_game_without_a_partner_counts_alone() -> None:
    schedule = [ScheduledGame(("new", "old"), seed) for seed in range(300)]
    answer = ask("better(new,old,elo1=80)", schedule, score=expected_score(120))
    assert answer.verdict == "yes"
    assert answer.elo is not None
    assert answer.elo.pairs == answer.elo.games == answer.settled_after


QUESTIONS = st.sampled_from(
    ["better(new,old,elo1=60)", "precision(new,old,60)", "precision(30)", "games(77)", "better(new,old)"]
)


@settings(max_examples=25, deadline=None)
@given(QUESTIONS, st.floats(0.3, 0.7), st.integers(1, 16), st.randoms(use_true_random=False))
def test_any_number_of_workers_gives_the_same_answer(text: str, score: float, workers: int, rng: random.Random) -> None:
    schedule = TWO[:300]
    everything = results(schedule, score)
    expected = evaluate(parse_question(text), schedule, everything)
    watch, done = OpenQuestion(parse_question(text), schedule), {}
    waiting = list(reversed(schedule))
    running: list[ScheduledGame] = []
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(waiting.pop())
        scheduled = running.pop(rng.randrange(len(running)))
        done[scheduled] = everything[scheduled]
        answer = watch.answer(done)
        if answer.settled:
            assert answer == expected
    assert answer == expected


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["better(new,old,elo1=60)", "games(77)"]), st.floats(0.2, 0.8))
def test_no_shorter_prefix_of_the_schedule_settles_it(text: str, score: float) -> None:
    everything = results(TWO, score)
    answer = evaluate(parse_question(text), TWO, everything)
    if answer.settled_after is not None:
        cut = answer.settled_after
        assert evaluate(parse_question(text), TWO[:cut], everything) == answer
        # Cut one game earlier its last pair would be half a pair, which a schedule does not have.
        assert not evaluate(parse_question(text), TWO[: cut - 2], everything).settled
        later = {scheduled: everything[scheduled] for scheduled in TWO if scheduled != TWO[cut - 1]}
        assert not evaluate(parse_question(text), TWO, later).settled
