"""``verify`` finds changes made to a saved game after it was played."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.records.format import GameDigest, decode_line
from arbiter.records.reader import Record, load_record
from arbiter.records.verify import differences
from tests.nullgame import auction, count_up
from tests.records.games import Lines, tampered

DIGEST = "the digest does not match: the record was changed after the game"
Found = Callable[[Callable[[Lines], object]], list[str]]


@pytest.fixture
def found(counted: Record, tmp_path: Path) -> Found:
    """Return a function that verifies the counting game after a change."""
    return lambda change: list(
        differences(load_record(tampered(counted, tmp_path / "tampered.jsonl", change)), count_up.protocol)
    )


@pytest.fixture
def found_despite_digest(counted: Record, tmp_path: Path) -> Found:
    """Return a function that verifies the counting game after a change with a recomputed digest."""

    def with_new_digest(change: Callable[[Lines], object], lines: Lines) -> None:
        change(lines)
        fit_digest(lines)

    return lambda change: list(
        differences(
            load_record(tampered(counted, tmp_path / "tampered.jsonl", lambda lines: with_new_digest(change, lines))),
            count_up.protocol,
        )
    )


def fit_digest(lines: Lines) -> None:
    header, *answers, result = [decode_line(json.dumps(line).encode()) for line in lines]
    digest = GameDigest(header)  # type: ignore[arg-type]
    for answer in answers:
        digest.add([answer])  # type: ignore[list-item]
    lines[-1]["digest"] = digest.close(result.ranks, result.scores)  # type: ignore[union-attr]


def put(number: int, **values: Any) -> Callable[[Lines], object]:
    """Set values in a line; -1 is the result, 0 the header."""
    return lambda lines: lines[number].update(values)


def test_a_copy_has_no_differences(found: Found) -> None:
    assert found(lambda lines: None) == []


def test_the_recomputed_digest_of_an_unchanged_game_is_the_same(found_despite_digest: Found, found: Found) -> None:
    assert found_despite_digest(lambda lines: None) == []


def test_times_and_kibitz_are_not_verified(found: Found) -> None:
    assert found(put(1, wall_us=10**9, cpu_us=5, kibitz=["I was slow"])) == []


def test_a_changed_move(found: Found, found_despite_digest: Found) -> None:
    assert found(put(2, move="1"))[-1] == DIGEST
    assert found_despite_digest(put(2, move="1"))[0].startswith("the result is ranks ")


def test_an_impossible_move(found_despite_digest: Found) -> None:
    assert found_despite_digest(put(2, move="7")) == ["turn 2, seat 1: the move '7' is illegal: add 1, 2 or 3"]
    assert found_despite_digest(put(2, move="x")) == ["turn 2, seat 1: the move 'x' is illegal: 'x' is not a number"]


def test_a_move_that_is_not_canonical(found_despite_digest: Found) -> None:
    assert found_despite_digest(put(2, move="+2")) == ["turn 2, seat 1: the move '+2' is not canonical: must be '2'"]


def test_a_changed_fallback(found_despite_digest: Found) -> None:
    assert found_despite_digest(put(5, move="3")) == ["turn 5, seat 0: the fallback for late is '0', not '3'"]


def test_a_fault_kind_that_leads_to_the_same_move(found: Found) -> None:
    assert found(lambda lines: lines[5]["fault"].update(kind="crashed")) == [DIGEST]


def test_a_fault_kind_that_the_rules_contradict(found_despite_digest: Found) -> None:
    assert found_despite_digest(lambda lines: lines[3]["fault"].update(kind="illegal")) == [
        "turn 3, seat 0: the answer 'zehn' is garbled, not illegal"
    ]


def test_a_legal_answer_that_was_ruled_illegal(found_despite_digest: Found) -> None:
    assert found_despite_digest(lambda lines: lines[4]["fault"].update(said="2")) == [
        "turn 4, seat 1: the answer '2' was ruled illegal, but the rules allow it"
    ]


def test_an_unknown_kind_of_fault(found: Found) -> None:
    assert found(lambda lines: lines[5]["fault"].update(kind="lazy"))[0] == "'lazy' is not a valid FaultKind"


def test_a_fault_that_was_hidden(found: Found) -> None:
    assert found(lambda lines: lines[5].pop("fault"))[0] == "turn 5, seat 0: the move '0' is illegal: add 1, 2 or 3"


def test_a_fault_that_was_invented(found: Found) -> None:
    invented = {"kind": "late", "detail": "no answer within 5s"}
    assert found(put(8, fault=invented))[0] == "turn 8, seat 1: the fallback for late is '0', not '3'"


def test_a_changed_rank(found: Found) -> None:
    assert found(put(-1, ranks=[1, 2]))[0].startswith("the result is ranks [2, 1], ")


def test_a_changed_score(found: Found, found_despite_digest: Found) -> None:
    assert found(put(-1, scores=[100, 1]))[0].endswith("the record says ranks [2, 1], scores [100, 1]")
    assert len(found_despite_digest(put(-1, scores=[100, 1]))) == 1


def test_a_changed_reason_and_changed_data(found: Found) -> None:
    assert found(put(-1, reason="everybody went home")) == ["the reason or the data of the result differs"]
    assert found(put(-1, data={"total": 0})) == ["the reason or the data of the result differs"]


def test_a_changed_number_of_turns(found: Found) -> None:
    assert found(put(-1, turns=7)) == ["the record has 8 turns, but its result says 7"]


def test_a_changed_name(found: Found) -> None:
    assert found(lambda lines: lines[0]["seats"][0].update(name="somebody else")) == [DIGEST]


def test_a_changed_seed(found: Found, found_despite_digest: Found) -> None:
    assert found(put(0, seed=4))[-1] == DIGEST
    assert found_despite_digest(put(0, seed=4)) == [
        "the setup is not that of seed 4",
        "6 random outcomes are not those of seed 4",
    ]


def test_a_changed_setup(found_despite_digest: Found) -> None:
    assert found_despite_digest(lambda lines: lines[0]["setup"].update(start=5))[0] == "the setup is not that of seed 3"


def test_an_invalid_setup(found: Found) -> None:
    assert found(put(0, setup=[]))[0] == "invalid setup: write the numbers 'start' and 'first'"


def test_a_changed_option(found: Found) -> None:
    assert found(lambda lines: lines[0]["options"].update(pace="fast")) == [DIGEST]
    assert found(lambda lines: lines[0]["options"].update(turns=7))[0] == "turn 8: the game was already over"


def test_unknown_and_missing_options(found: Found) -> None:
    assert found(lambda lines: lines[0]["options"].update(cards=5))[0] == (
        "the header: unknown count_up option 'cards'; choose from turns, bonus, pace"
    )
    assert (
        found(lambda lines: lines[0]["options"].pop("turns"))[0]
        == "the header does not have a valid value for every option"
    )
    assert found(lambda lines: lines[0]["options"].update(turns="8"))[0] == (
        "the header does not have a valid value for every option"
    )


def test_another_version_of_the_protocol(found: Found) -> None:
    assert found(put(0, version=2))[0] == "played with version 2 of count_up; the installed version is 1"


def test_another_protocol(counted: Record) -> None:
    assert list(differences(counted, auction.protocol)) == ["the record is of count_up, not of auction"]


def test_a_changed_random_outcome(found: Found, found_despite_digest: Found) -> None:
    def change(lines: Lines) -> None:
        lines[1]["chance"] = [(lines[1]["chance"][0] + 1) % 6]

    assert found(change)[-1] == DIGEST
    assert "1 random outcomes are not those of seed 3" in found_despite_digest(change)


def test_an_impossible_a_missing_and_a_surplus_random_outcome(found: Found) -> None:
    assert found(put(1, chance=[6]))[0] == "turn 1 cannot be replayed: the recorded outcome 6 is not below 6"
    assert found(put(1, chance=[]))[0] == "turn 1 cannot be replayed: the record has no outcome for a draw below 6"
    assert found(lambda lines: lines[1]["chance"].append(1))[0] == (
        "turn 2 cannot be replayed: 1 recorded outcomes were never drawn"
    )
    assert found(lambda lines: lines[8]["chance"].append(1))[0] == "1 recorded outcomes were never drawn"


@pytest.mark.parametrize("number", range(1, 9))
def test_a_dropped_answer(found: Found, found_despite_digest: Found, number: int) -> None:
    assert found(lambda lines: lines.pop(number))[-1] == DIGEST
    assert found_despite_digest(lambda lines: lines.pop(number)) == (
        [f"found turn {number + 1} where turn {number} was expected: a line is missing or out of order"]
        if number < 8
        else ["the record has a result, but the game is not over"]
    )


def test_a_dropped_result(found: Found) -> None:
    assert found(lambda lines: lines.pop()) == ["the game is over, but the record has no result"]


def test_a_repeated_answer(found_despite_digest: Found) -> None:
    assert found_despite_digest(lambda lines: lines.insert(3, lines[2])) == [
        "turn 2: seats [1, 1] answered, but seats [1] were to move"
    ]


def test_an_added_turn(found_despite_digest: Found) -> None:
    assert found_despite_digest(lambda lines: lines.insert(9, {**lines[8], "turn": 9, "seat": 0})) == [
        "turn 9: the game was already over"
    ]


@pytest.mark.parametrize("number", range(1, 8))
def test_swapped_lines(found: Found, found_despite_digest: Found, number: int) -> None:
    def swap(lines: Lines) -> None:
        lines[number], lines[number + 1] = lines[number + 1], lines[number]

    assert found(swap)[-1] == DIGEST
    assert found_despite_digest(swap) == [
        f"found turn {number + 1} where turn {number} was expected: a line is missing or out of order"
    ]


def test_swapped_lines_of_simultaneous_moves(sold: Record, tmp_path: Path) -> None:
    def swap(lines: Lines) -> None:
        lines[1], lines[2] = lines[2], lines[1]
        fit_digest(lines)

    record = load_record(tampered(sold, tmp_path / "tampered.jsonl", swap))
    assert list(differences(record, auction.protocol)) == [
        "turn 1: seats [1, 0, 2] answered, but seats [0, 1, 2] were to move"
    ]


def test_a_move_of_the_wrong_seat(found_despite_digest: Found) -> None:
    assert found_despite_digest(put(1, seat=1)) == ["turn 1: seats [1] answered, but seats [0] were to move"]


def test_a_changed_digest(found: Found) -> None:
    assert found(put(-1, digest="sha256:" + "0" * 64)) == [DIGEST]


@pytest.mark.parametrize(
    "change",
    [
        put(1, seat=2),
        put(1, seat=-1),
        put(-1, afterwards={"5": ["hello"]}),
        put(-1, ranks=[1]),
        put(-1, scores=[1.0, 2.0, 3.0]),
        lambda lines: lines[0]["seats"].pop(),
        lambda lines: lines.insert(1, lines[0]),
        lambda lines: lines.insert(1, lines[-1]),
    ],
)
def test_an_invalid_record_is_refused(counted: Record, tmp_path: Path, change: Callable[[Lines], object]) -> None:
    with pytest.raises(UserError, match=r"tampered\.jsonl: "):
        load_record(tampered(counted, tmp_path / "tampered.jsonl", change))
