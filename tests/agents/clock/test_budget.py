"""Clocks for a whole game: totals, increments and grace, as arithmetic and with agents that burn time."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from arbiter import play
from arbiter.agents.clock.budget import Budget
from arbiter.config.workspace import Workspace
from arbiter.records.reader import load_record
from arbiter.records.replay import Replay
from arbiter.registry import find_protocol
from tests.nullgame.place import write

MS = 1_000_000
BURNS = """
import sys, time
sys.stdin.readline()
for line in sys.stdin:
    until = time.process_time() + {seconds}
    while time.process_time() < until: pass
    print(1, flush=True)
"""


def test_without_a_total_there_is_nothing_to_count() -> None:
    budget = Budget(0, 0, 0, 0)
    assert not budget.in_use
    assert not budget.used_up
    assert budget.left_ns is None
    assert budget.allow(50 * MS) == 50 * MS


def test_an_answer_gets_at_most_what_is_left() -> None:
    budget = Budget(100 * MS, 0, 0, 0)
    assert budget.allow(70 * MS) == 70 * MS
    assert budget.spend(60 * MS) is None
    assert budget.allow(70 * MS) == 40 * MS
    budget.spend(40 * MS)
    assert budget.used_up


def test_every_turn_adds_the_increment_even_one_that_was_not_asked() -> None:
    budget = Budget(100 * MS, 10 * MS, 0, 0)
    budget.allow(1000 * MS)
    budget.spend(100 * MS)
    assert budget.left_ns == 10 * MS
    budget.skip()
    assert budget.left_ns == 20 * MS


def test_grace_forgives_this_many_overruns_within_the_margin() -> None:
    budget = Budget(0, 0, 2, 5 * MS)
    for _ in range(2):
        assert budget.allow(50 * MS) == 55 * MS
        assert budget.spend(53 * MS) == 3 * MS
    assert budget.allow(50 * MS) == 50 * MS
    assert budget.spend(53 * MS) is None


def test_answers_in_time_cost_no_grace() -> None:
    budget = Budget(0, 0, 1, 5 * MS)
    for _ in range(10):
        assert budget.allow(50 * MS) == 55 * MS
        assert budget.spend(50 * MS) is None


def test_grace_without_a_margin_is_none() -> None:
    assert not Budget(0, 0, 3, 0).in_use


@given(
    st.integers(1, 10**12),
    st.integers(0, 10**9),
    st.lists(st.tuples(st.integers(1, 10**11), st.floats(0, 1)), max_size=50),
)
def test_no_agent_gets_more_than_its_total_and_increments(
    total: int, increment: int, answers: list[tuple[int, float]]
) -> None:
    budget, spent = Budget(total, increment, 0, 0), 0
    for count, (limit, share) in enumerate(answers):
        if budget.used_up:
            budget.skip()
            continue
        allowed = budget.allow(limit)
        assert 0 < allowed <= limit
        used = int(allowed * share)
        budget.spend(used)
        spent += used
        assert spent <= total + count * increment
    assert budget.left_ns is not None
    assert budget.left_ns >= 0


def test_an_agent_that_has_used_up_its_time_is_not_asked_again(place: Path) -> None:
    bot = write(place / "bot.py", BURNS.format(seconds=0.06))
    report = play(
        "count_up",
        [shlex.join((sys.executable, str(bot)))],
        seed=1,
        options={"turns": 6},
        lifetime="game",
        limits={"move": "5s", "first_move": "5s", "total": "250ms"},
    )
    record = load_record(Path(report.games[0].record))
    kinds = [line.fault.kind if line.fault else "played" for line in record.answers]
    assert kinds[0] == "played"
    assert kinds[-1] == "late"
    last = record.answers[-1].fault
    assert last is not None
    assert last.detail == "has used up its 250ms for the game"
    left = [line.left_us for line in record.answers]
    assert left == sorted(left, key=lambda us: -(us or 0))
    assert left[-1] == 0
    assert record.header.seats[0].limits["total"] == "250ms"


def test_games_see_the_clocks_and_replays_show_them_the_same(place: Path) -> None:
    bot = write(place / "bot.py", BURNS.format(seconds=0.002))
    report = play(
        "count_up",
        [shlex.join((sys.executable, str(bot)))] * 2,
        seed=1,
        options={"turns": 4},
        lifetime="game",
        limits={"total": "60s"},
    )
    record = load_record(Path(report.games[0].record))
    replay = Replay(record, find_protocol("count_up", Workspace(place)))
    seen: list[dict[int, int]] = []
    replay.game.see_clocks = lambda left_us: seen.append(dict(left_us))  # type: ignore[method-assign]
    turns = [lines for _, lines in replay]
    assert seen[0] == {0: 60_000_000, 1: 60_000_000}
    for before, lines, after in zip(seen, turns, seen[1:], strict=False):
        assert after == before | {line.seat: line.left_us for line in lines}


def test_an_overrun_within_the_margin_is_noted_and_forgiven(place: Path) -> None:
    bot = write(place / "bot.py", BURNS.format(seconds=0.12))
    limits = {"move": "100ms", "first_move": "30s", "grace": "1", "margin": "30s"}
    report = play(
        "count_up",
        [shlex.join((sys.executable, str(bot)))],
        seed=1,
        options={"turns": 3},
        lifetime="game",
        limits=limits,
    )
    record = load_record(Path(report.games[0].record))
    assert [line.fault.kind if line.fault else "played" for line in record.answers] == ["played", "played", "late"]
    assert [note[:16] for note in record.answers[1].notes] == ["over its time by"]
    assert record.answers[1].notes[0].endswith(", forgiven")
