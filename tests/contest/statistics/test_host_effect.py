"""Results that differ by host are distinguished from chance."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from arbiter.contest.scheduled import GameSummary, ScheduledGame
from arbiter.contest.statistics.host_effect import chi_squared_tail, host_effects, host_notes
from tests.contest.fake_game import finished

pytestmark = pytest.mark.slow


def games(deals: int, wins: Callable[[str, Random], bool], seed: int) -> list[GameSummary]:
    luck = Random(seed)
    found = []
    for number in range(deals):
        host = luck.choice(["one", "two", "three"])
        for seats in (("a", "b"), ("b", "a")):
            winner = "a" if wins(host, luck) else "b"
            ranks = tuple(1 if name == winner else 2 for name in seats)
            found.append(finished(ScheduledGame(seats, number), ranks, host=host))
    return found


def test_hosts_that_make_no_difference_are_seldom_accused() -> None:
    values = [host_effects(games(90, lambda _, luck: luck.random() < 0.6, seed))[0].p_value for seed in range(400)]
    assert sum(value < 0.05 for value in values) == pytest.approx(20, abs=14)
    assert sum(value < 0.5 for value in values) == pytest.approx(200, abs=40)


def test_a_host_on_which_an_agent_fails_is_named() -> None:
    slow = games(120, lambda host, luck: luck.random() < (0.2 if host == "two" else 0.7), 1)
    (first, *_) = host_notes(slow)
    assert first.startswith("results differ by host more than chance allows: a scores ")
    assert " on two" in first


def test_few_deals_and_games_of_this_machine_say_nothing() -> None:
    assert host_notes(games(6, lambda host, _: host == "two", 1)) == []
    assert host_effects([]) == []
    local = [finished(one.game, one.ranks) for one in games(90, lambda *_: True, 1)]
    assert host_effects(local) == []


@pytest.mark.parametrize(("statistic", "freedom", "tail"), [(3.841, 1, 0.05), (5.991, 2, 0.05), (29.588, 10, 0.001), (18.307, 10, 0.05)])  # fmt: skip
def test_the_tail_is_that_of_the_tables(statistic: float, freedom: int, tail: float) -> None:
    assert chi_squared_tail(statistic, freedom) == pytest.approx(tail, rel=0.07)
