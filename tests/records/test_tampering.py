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
Change = Callable[[Lines], object]


def found(counted: Record, folder: Path, change: Change) -> list[str]:
    """Verify the counting game after a change."""
    return list(differences(load_record(tampered(counted, folder / "tampered.jsonl", change)), count_up.protocol))


def with_new_digest(change: Change) -> Change:
    """The same change, with the digest computed again."""

    def changed(lines: Lines) -> None:
        change(lines)
        header, *answers, result = [decode_line(json.dumps(line).encode()) for line in lines]
        digest = GameDigest(header)  # type: ignore[arg-type]
        for answer in answers:
            digest.add([answer])  # type: ignore[list-item]
        lines[-1]["digest"] = digest.close(result.ranks, result.scores)  # type: ignore[union-attr]

    return changed


def put(number: int, **values: Any) -> Change:
    """Set values in a line; -1 is the result, 0 the header."""
    return lambda lines: lines[number].update(values)


def other_outcome(lines: Lines) -> None:
    lines[1]["chance"] = [(lines[1]["chance"][0] + 1) % 6]


INVENTED = {"kind": "late", "detail": "no answer within 5s"}
NOTICED: dict[str, tuple[Change, str]] = {
    "a move": (put(2, move="1"), DIGEST),
    "a fault of another kind": (lambda lines: lines[5]["fault"].update(kind="crashed"), DIGEST),
    "a fault of no kind": (lambda lines: lines[5]["fault"].update(kind="lazy"), "'lazy' is not a valid FaultKind"),
    "a hidden fault": (lambda lines: lines[5].pop("fault"), "turn 5, seat 0: the move '0' is illegal: add 1, 2 or 3"),
    "an invented fault": (put(8, fault=INVENTED), "turn 8, seat 1: the fallback for late is '0', not '3'"),
    "a rank": (put(-1, ranks=[1, 2]), "the result is ranks [2, 1], "),
    "a score": (put(-1, scores=[100, 1]), "the record says ranks [2, 1], scores [100, 1]"),
    "the reason": (put(-1, reason="everybody went home"), "the reason or the data of the result differs"),
    "the data": (put(-1, data={"total": 0}), "the reason or the data of the result differs"),
    "the number of turns": (put(-1, turns=7), "the record has 8 turns, but its result says 7"),
    "a name": (lambda lines: lines[0]["seats"][0].update(name="somebody else"), DIGEST),
    "the seed": (put(0, seed=4), DIGEST),
    "an invalid setup": (put(0, setup=[]), "invalid setup: write the numbers 'start' and 'first'"),
    "an option": (lambda lines: lines[0]["options"].update(pace="fast"), DIGEST),
    "fewer turns": (lambda lines: lines[0]["options"].update(turns=7), "turn 8: the game was already over"),
    "an unknown option": (
        lambda lines: lines[0]["options"].update(cards=5),
        "the header: unknown count_up option 'cards'; choose from turns, bonus, pace",
    ),
    "a missing option": (lambda lines: lines[0]["options"].pop("turns"), "does not have a valid value for every option"),
    "a wrong option": (
        lambda lines: lines[0]["options"].update(turns="8"), "the header does not have a valid value for every option"
    ),
    "the version": (put(0, version=2), "played with version 2 of count_up; the installed version is 1"),
    "an outcome": (other_outcome, DIGEST),
    "an impossible outcome": (put(1, chance=[6]), "turn 1 cannot be replayed: the recorded outcome 6 is not below 6"),
    "a missing outcome": (put(1, chance=[]), "turn 1 cannot be replayed: the record has no outcome for a draw below 6"),
    "a surplus outcome": (
        lambda lines: lines[1]["chance"].append(1), "turn 2 cannot be replayed: 1 recorded outcomes were never drawn"
    ),
    "a last surplus outcome": (lambda lines: lines[8]["chance"].append(1), "1 recorded outcomes were never drawn"),
    "a dropped result": (lambda lines: lines.pop(), "the game is over, but the record has no result"),
    "the digest": (put(-1, digest="sha256:" + "0" * 64), DIGEST),
}  # fmt: skip
DESPITE_DIGEST: dict[str, tuple[Change, str]] = {
    "a move": (put(2, move="1"), "the result is ranks "),
    "an illegal move": (put(2, move="7"), "turn 2, seat 1: the move '7' is illegal: add 1, 2 or 3"),
    "no move": (put(2, move="x"), "turn 2, seat 1: the move 'x' is illegal: 'x' is not a number"),
    "no canonical move": (put(2, move="+2"), "turn 2, seat 1: the move '+2' is not canonical: must be '2'"),
    "a fallback": (put(5, move="3"), "turn 5, seat 0: the fallback for late is '0', not '3'"),
    "a fault that the rules contradict": (
        lambda lines: lines[3]["fault"].update(kind="illegal"), "turn 3, seat 0: the answer 'zehn' is garbled, not illegal"
    ),
    "a legal answer ruled illegal": (
        lambda lines: lines[4]["fault"].update(said="2"),
        "turn 4, seat 1: the answer '2' was ruled illegal, but the rules allow it",
    ),
    "a score": (put(-1, scores=[100, 1]), "the result is ranks "),
    "the seed": (put(0, seed=4), "the setup is not that of seed 4"),
    "the setup": (lambda lines: lines[0]["setup"].update(start=5), "the setup is not that of seed 3"),
    "a repeated answer": (
        lambda lines: lines.insert(3, lines[2]), "turn 2: seats [1, 1] answered, but seats [1] were to move"
    ),
    "an added turn": (
        lambda lines: lines.insert(9, {**lines[8], "turn": 9, "seat": 0}), "turn 9: the game was already over"
    ),
    "a wrong seat": (put(1, seat=1), "turn 1: seats [1] answered, but seats [0] were to move"),
}  # fmt: skip


def test_what_is_not_part_of_the_game_is_not_verified(counted: Record, tmp_path: Path) -> None:
    assert found(counted, tmp_path, put(1, wall_us=10**9, cpu_us=5, kibitz=["I was slow"])) == []
    assert found(counted, tmp_path, with_new_digest(lambda lines: None)) == []


@pytest.mark.parametrize("change", NOTICED)
def test_a_change_is_noticed(counted: Record, tmp_path: Path, change: str) -> None:
    made, said = NOTICED[change]
    assert any(said in line for line in found(counted, tmp_path, made))


@pytest.mark.parametrize("change", DESPITE_DIGEST)
def test_a_change_with_a_new_digest_is_noticed(counted: Record, tmp_path: Path, change: str) -> None:
    made, said = DESPITE_DIGEST[change]
    assert found(counted, tmp_path, with_new_digest(made))[0].startswith(said)


def test_outcomes_that_are_not_those_of_the_seed_are_counted(counted: Record, tmp_path: Path) -> None:
    assert "1 random outcomes are not those of seed 3" in found(counted, tmp_path, with_new_digest(other_outcome))
    assert "6 random outcomes are not those of seed 4" in found(counted, tmp_path, with_new_digest(put(0, seed=4)))


def test_another_protocol(counted: Record) -> None:
    assert list(differences(counted, auction.protocol)) == ["the record is of count_up, not of auction"]


@pytest.mark.parametrize("swapped", [False, True], ids=["dropped", "swapped"])
@pytest.mark.parametrize("number", range(1, 9))
def test_a_line_that_is_not_in_its_place(counted: Record, tmp_path: Path, number: int, swapped: bool) -> None:
    def change(lines: Lines) -> None:
        line = lines.pop(number)
        if swapped:
            lines.insert(number % 8 + 1, line)

    said = f"found turn {number + 1} where turn {number} was expected: a line is missing or out of order"
    if number == 8:
        said = "found turn 8 where turn 1" if swapped else "the record has a result, but the game is not over"
    assert found(counted, tmp_path, change)[-1] == DIGEST
    assert found(counted, tmp_path, with_new_digest(change))[0].startswith(said)


def test_swapped_lines_of_simultaneous_moves(sold: Record, tmp_path: Path) -> None:
    def swap(lines: Lines) -> None:
        lines[1], lines[2] = lines[2], lines[1]

    record = load_record(tampered(sold, tmp_path / "tampered.jsonl", with_new_digest(swap)))
    assert list(differences(record, auction.protocol)) == [
        "turn 1: seats [1, 0, 2] answered, but seats [0, 1, 2] were to move"
    ]


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
