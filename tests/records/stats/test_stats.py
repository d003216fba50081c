"""Statistics count what is in the records, and the same for packed games as for files."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.records.format import AnnulledLine
from arbiter.records.packed.packing import pack_folder
from arbiter.records.reader import Record, find_records, load_record
from arbiter.records.scoring import points
from arbiter.records.search.query import Query
from arbiter.records.stats.document import TableStats
from arbiter.records.stats.opening_words import opening_in_words
from arbiter.records.stats.positions import explore
from arbiter.records.stats.selection import matching_records
from arbiter.records.stats.spread import quantile, step_us, time_step
from arbiter.records.stats.tally import Tally
from tests.nullgame import count_up
from tests.records import games


def some_games(folder: Path, *, same_deal: bool = False) -> list[Record]:
    """Eight games on three days, with times, agents and results of their own."""
    folder.mkdir(exist_ok=True)
    dice = random.Random(5)
    for number in range(8):
        path = folder / f"{number:02}.jsonl"
        games.counting(
            path,
            seed=0 if same_deal else number,
            wall_ns=1_000_000 * (number + 1),
            started=f"2026-11-0{1 + number % 3}T10:00:00.000Z",
        )
        _renamed(path, dice)
    games.bidding(folder / "bids.jsonl")
    return [load_record(path) for path in sorted(folder.glob("0*.jsonl"))]


def _renamed(path: Path, dice: random.Random) -> None:
    record = load_record(path)
    assert record.result is not None
    names = dice.sample(["ann", "bob", "cy"], 2)
    seats = [
        msgspec.structs.replace(seat, name=name, fingerprint=f"sha256:{dice.choice('ab')}")
        for seat, name in zip(record.header.seats, names, strict=True)
    ]
    ranks = dice.choice([[1, 2], [2, 1], [1, 1]])
    answers = []
    for line in record.answers:
        wall = dice.randrange(1, 90_000)
        answers.append(msgspec.structs.replace(line, wall_us=wall, cpu_us=wall // 2, charged_us=wall - wall // 9))
    lines = [
        msgspec.structs.replace(record.header, seats=seats),
        *answers,
        msgspec.structs.replace(record.result, ranks=ranks),
    ]
    path.write_bytes(msgspec.json.Encoder().encode_lines(lines))


def stats(folder: Path, query: Query | None = None, opening: int = 1) -> list[TableStats]:
    return tally(folder, query or Query(), opening).close(10)


def tally(folder: Path, query: Query, opening: int = 1) -> Tally:
    counted = Tally(query.agents, opening)
    for record in matching_records(folder, query):
        counted.add(record)
    return counted


def test_results_by_seat_and_agent(tmp_path: Path) -> None:
    records = some_games(tmp_path)
    counted, bids = stats(tmp_path)
    assert (counted.protocol, counted.seats, counted.games) == ("count_up", 2, 8)
    assert (bids.protocol, bids.seats, bids.games) == ("auction", 3, 1)
    for seat in counted.by_seat:
        ranks = [record.result.ranks for record in records if record.result]
        assert seat.won == sum(each[seat.seat] == 1 and each.count(1) == 1 for each in ranks)
        assert seat.drew == sum(each == [1, 1] for each in ranks)
        assert seat.points == sum(points(each, seat.seat, "places") for each in ranks) / 8
    expected: Counter[str] = Counter(name for record in records for name in record.names)
    assert {each.agent: each.games for each in counted.by_agent} == expected
    assert sum(each.games for each in counted.openings) == 8
    assert counted.openings[0].moves == ["1"]
    assert (counted.first, counted.last) == ("2026-11-01", "2026-11-03")


def test_an_opening_has_words_where_its_games_agree_on_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (1, 2):
        games.counting(tmp_path / f"{seed}.jsonl", seed=seed, started=f"2026-11-0{seed}T10:00:00.000Z")
    (opening,) = stats(tmp_path, opening=2)[0].openings
    assert (opening.moves, [Path(path).name for path in opening.examples]) == (["1", "2"], ["1.jsonl", "2.jsonl"])
    assert opening_in_words(opening, 2, count_up.protocol) == ["adds 1", "adds 2"]
    with monkeypatch.context() as patch:
        patch.setattr(
            count_up.CountUpDisplay, "describe", lambda shown, _, move: f"adds {move} to {sum(shown.game.scores)}"
        )
        assert opening_in_words(opening, 2, count_up.protocol) == [], "the bonus of the first turn differs"
        assert opening_in_words(opening, 1, count_up.protocol) == ["adds 1 to 0"]
    (tmp_path / "2.jsonl").unlink()
    assert opening_in_words(opening, 2, count_up.protocol) == []


def test_faults_by_day_and_think_time_by_turn(tmp_path: Path) -> None:
    records = some_games(tmp_path)
    counted = stats(tmp_path)[0]
    assert counted.period_days == 1
    for period in counted.faults:
        own = [record for record in records if record.header.started.startswith(period.start)]
        kinds = Counter(line.fault.kind for record in own for line in record.answers if line.fault)
        assert (period.games, period.faults, period.kinds) == (len(own), kinds.total(), kinds)
    for part in counted.think_time:
        times = [
            line.charged_us for record in records for line in record.answers if part.first <= line.turn <= part.last
        ]
        assert part.answers == len(times)
        assert part.longest_us == step_us(time_step(max(times)))
        assert step_us(time_step(int(sorted(times)[(len(times) - 1) // 2]))) == part.median_us


def test_only_the_named_agents_faults_and_times_count(tmp_path: Path) -> None:
    records = some_games(tmp_path)
    counted = stats(tmp_path, Query(agents=("ann",)))[0]
    own = [
        line for record in records if "ann" in record.names for line in record.answers
        if record.names[line.seat] == "ann"
    ]  # fmt: skip
    assert sum(part.answers for part in counted.think_time) == len(own)
    assert sum(period.faults for period in counted.faults) == sum(line.fault is not None for line in own)


def test_packed_games_count_as_files_do(tmp_path: Path) -> None:
    some_games(tmp_path)
    queries = [Query(), Query(agents=("ann",)), Query(won=("bob",)), Query(faults=("late",)), Query(seed=3)]
    before = [stats(tmp_path, query, opening) for query in queries for opening in (1, 3)]
    pack_folder(tmp_path)
    assert not list(tmp_path.glob("*.jsonl"))
    assert [stats(tmp_path, query, opening) for query in queries for opening in (1, 3)] == before
    games.counting(tmp_path / "new.jsonl", seed=99)
    assert stats(tmp_path)[0].games == 9


def test_times_that_are_not_known_do_not_count(tmp_path: Path) -> None:
    games.counting(tmp_path / "a.jsonl")
    assert stats(tmp_path)[0].think_time == []
    pack_folder(tmp_path)
    assert stats(tmp_path)[0].think_time == []


def test_annulled_games_are_left_out(tmp_path: Path) -> None:
    records = some_games(tmp_path)
    line = msgspec.json.encode(AnnulledLine(because="a test", when="2026-11-09T00:00:00Z"))
    records[0].path.write_bytes(records[0].path.read_bytes() + line + b"\n")
    for _ in range(2):
        counted = tally(tmp_path, Query(protocol="count_up"))
        assert (counted.annulled, counted.close(1)[0].games) == (1, 7)
        pack_folder(tmp_path)


def test_a_position_has_the_moves_of_all_games_in_it(tmp_path: Path) -> None:
    records = some_games(tmp_path, same_deal=True)
    for packed in (False, True):
        if packed:
            pack_folder(tmp_path)
        found = explore(records[0], 2, count_up.protocol, matching_records(tmp_path, Query()))
        assert (found.searched, found.games, len(found.moves)) == (8, 8, 1)
        (move,) = found.moves
        assert move.agents == Counter(record.names[move.seat] for record in records)
        assert (
            move.points
            == sum(points(record.result.ranks, move.seat, "places") for record in records if record.result) / 8
        )


def test_games_in_another_position_do_not_count(tmp_path: Path) -> None:
    records = some_games(tmp_path, same_deal=True)
    other = games.tampered(records[1], tmp_path / "other.jsonl", lambda lines: lines[1].update(move="3"))
    found = explore(load_record(other), 2, count_up.protocol, map(load_record, find_records([tmp_path])))
    assert (found.searched, found.games) == (9, 1)
    assert explore(load_record(other), 1, count_up.protocol, map(load_record, find_records([tmp_path]))).games == 9


@given(st.lists(st.integers(0, 1 << 40), min_size=1))
def test_the_scale_of_times_is_fine_enough(times: list[int]) -> None:
    counts = Counter(map(time_step, times))
    low = sorted(times)[(len(times) - 1) // 2]
    assert abs(step_us(quantile(counts, 0.5)) - low) <= max(1, 0.09 * low)


def test_no_time_that_a_record_states_is_too_long_for_the_scale() -> None:
    assert step_us(time_step(10**400)) >= 1 << 61
