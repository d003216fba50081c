"""The summary of a game is the same whether it is counted while the game is played or read from the record."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from arbiter import play
from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import ScheduledGame, SummaryCounter, summarise
from tests.nullgame import auction
from tests.nullgame.place import adder, bidder
from tests.nullgame.script import header_of


@pytest.mark.parametrize("protocol", ["count_up", "auction"])
def test_a_game_that_was_played_is_summarised_as_its_record_is(place: Path, protocol: str) -> None:
    agent = adder if protocol == "count_up" else bidder
    for game in play(protocol, [agent(place, "a", 1), agent(place, "b", 2)], games=2, seed=1).games:
        assert game == summarise(load_record(Path(game.record)))


def test_figures_are_by_seat(counted: Record) -> None:
    game = summarise(counted)
    for seat in range(2):
        own = [line for line in counted.answers if line.seat == seat]
        times = [line.charged_us for line in own]
        assert (game.answers[seat], game.think_us[seat], game.slowest_us[seat]) == (len(own), sum(times), max(times))
    faults = [(line.turn, line.seat, line.fault.kind, line.fault.detail) for line in counted.answers if line.fault]
    assert [(each.turn, each.seat, each.kind, each.detail) for each in game.faults] == faults
    assert game.fault_counts() == [{"garbled": 1, "late": 1}, {"illegal": 1, "crashed": 1}]
    assert counted.result
    assert (game.turns, game.ranks, game.data) == (8, counted.result.ranks, counted.result.data)


def test_a_game_that_was_cut_off_has_no_result(counted: Record, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(b"".join(counted.path.read_bytes().splitlines(keepends=True)[:4]))
    game = summarise(load_record(path))
    assert (game.finished, game.ranks, game.scores, game.duration_us, game.turns) == (False, [], [], None, 3)
    assert (game.ending(0), sum(game.answers)) == (None, 3)


def test_an_annulled_game_says_why(counted: Record, tmp_path: Path) -> None:
    path = tmp_path / "annulled.jsonl"
    path.write_bytes(counted.path.read_bytes() + b'{"type":"annulled","because":"a power failure","when":""}\n')
    assert summarise(load_record(path)).annulled == "a power failure"
    assert summarise(counted).annulled is None


@pytest.mark.parametrize(
    ("turns", "technical"),
    [((1,), True), ((2,), False), ((1, 2), True), ((), False)],
    ids=["first turn", "later", "both", "never"],
)
def test_only_a_start_that_fails_before_any_agent_has_run_is_technical(turns: tuple[int, ...], technical: bool) -> None:
    counter = SummaryCounter(header_of(auction.protocol, 2))
    for turn in (1, 2, 3):
        fault = FaultInfo(kind="not started", detail="no memory") if turn in turns else None
        counter.add(AnswerLine(turn=turn, seat=turn % 2, move="0", fault=fault, wall_us=1, cpu_us=1, charged_us=1))
    assert counter.close("", None, "").technical is technical


def test_a_summary_names_its_game_and_its_second_scores(counted: Record) -> None:
    game = msgspec.structs.replace(summarise(counted), data={"rounds": [3, 4], "one": [3]})
    assert game.game == ScheduledGame(tuple(game.seats), game.seed, game.stage)
    assert game.second_scores("rounds") == [3.0, 4.0]
    assert [game.second_scores(name) for name in ("", "one", "none")] == [None, None, None]
