"""The turn loop, with a script in place of agents: no process is started here."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.game import Chance, Fault, FaultKind, Game
from arbiter.playing.referee import SAID_CHARACTERS
from arbiter.records.format import AnswerLine
from arbiter.records.reader import Record
from tests.nullgame import auction, count_up
from tests.nullgame.script import Said, Script, header_of, perform


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.jsonl"


def count(path: Path, *answers: Said, **options: object) -> Record:
    """Play a game of one seat with these answers."""
    header = header_of(count_up.protocol, 1, options={"turns": len(answers), **options})
    return perform(path, count_up.protocol, header, Script({0: answers}))


def only(path: Path, answer: Said) -> AnswerLine:
    """Return the record line of a single answer."""
    (line,) = count(path, answer).answers
    return line


def test_turns_are_numbered_from_1_and_seats_alternate(path: Path) -> None:
    header = header_of(count_up.protocol, 2, options={"turns": 4})
    header.setup = {"start": 0, "first": 1}
    record = perform(path, count_up.protocol, header, Script({0: ["1", "1"], 1: ["2", "2"]}))
    assert [(line.turn, line.seat, line.move) for line in record.answers] == [
        (1, 1, "2"),
        (2, 0, "1"),
        (3, 1, "2"),
        (4, 0, "1"),
    ]
    assert record.result is not None
    assert (record.result.turns, record.result.ranks, record.result.scores) == (4, [2, 1], [2.0, 4.0])


def test_every_seat_is_asked_with_its_prompt_and_may_be_briefed(path: Path) -> None:
    script = Script({0: ["1"]})
    header = header_of(count_up.protocol, 1, options={"turns": 1})
    header.setup = {"start": 40, "first": 0}
    perform(path, count_up.protocol, header, script)
    assert script.asked == [[(0, "seat 0 of 1\n", "40 1\n")]]


def test_simultaneous_moves_share_the_turn(path: Path) -> None:
    script = Script({0: ["1", "2"], 1: ["3", "4"]})
    record = perform(path, auction.protocol, header_of(auction.protocol, 2, options={"rounds": 2}), script)
    assert [(line.turn, line.seat, line.move) for line in record.answers] == [
        (1, 0, "1"),
        (1, 1, "3"),
        (2, 0, "2"),
        (2, 1, "4"),
    ]
    assert [len(turn) for turn in script.asked] == [2, 2]


def test_chance_is_written_on_the_last_line_of_its_turn(path: Path) -> None:
    header = header_of(auction.protocol, 2, seed=5, options={"rounds": 2})
    record = perform(path, auction.protocol, header, Script({0: ["1", "2"], 1: ["1", "2"]}))
    chance = Chance(5)
    drawn = [[chance.below(2), chance.below(9)] for _ in range(2)]
    assert [line.chance for line in record.answers] == [[], drawn[0], [], drawn[1]]


def test_an_answer_is_recorded_in_canonical_text_with_its_message(path: Path) -> None:
    line = only(path, "  +2 hello there ")
    assert (line.move, line.message, line.fault) == ("2", "hello there", None)


@pytest.mark.parametrize(
    ("answer", "kind", "detail", "move"),
    [
        ("0", "illegal", "add 1, 2 or 3", "0"),
        ("nine", "garbled", "'nine' is not a number", "0"),
        (Fault(FaultKind.LATE, "no answer within 5s"), "late", "no answer within 5s", "0"),
    ],
)
def test_a_fault_leads_to_the_fallback_move(path: Path, answer: Said, kind: str, detail: str, move: str) -> None:
    line = only(path, answer)
    assert line.fault is not None
    assert (line.fault.kind, line.fault.detail, line.move) == (kind, detail, move)


def test_the_salvaged_part_of_an_illegal_answer_counts(path: Path) -> None:
    line = only(path, "9")
    assert line.fault is not None
    assert line.move == "3"


def test_a_late_answer_is_not_read_even_if_it_is_legal(path: Path) -> None:
    line = only(path, Answer(0, "2", 1, Fault(FaultKind.LATE, "no answer within 5s")))
    assert line.fault is not None
    assert (line.move, line.fault.said) == ("0", "2")


def test_the_evidence_of_a_fault_is_kept(path: Path) -> None:
    crash = Answer(
        0, "2", 1, Fault(FaultKind.CRASHED, "exited with status 3"), stderr="Traceback", exit_code=3, kibitz=["hm"]
    )
    line = only(path, crash)
    assert line.fault is not None
    assert (line.fault.said, line.fault.stderr, line.fault.exit_code) == ("2", "Traceback", 3)
    assert line.kibitz == ["hm"]


def test_no_evidence_is_kept_against_a_good_answer(path: Path) -> None:
    line = only(path, Answer(0, "2", 1, stderr="noise", exit_code=0))
    assert line.fault is None
    assert b"noise" not in path.read_bytes()


@pytest.mark.parametrize(("length", "said_bytes"), [(SAID_CHARACTERS, 0), (SAID_CHARACTERS + 1, SAID_CHARACTERS + 1)])
def test_a_long_faulty_answer_is_cut_and_its_length_noted(path: Path, length: int, said_bytes: int) -> None:
    line = only(path, "x" * length)
    assert line.fault is not None
    assert (len(line.fault.said), line.fault.said_bytes) == (SAID_CHARACTERS, said_bytes)


def test_times_are_recorded_in_microseconds(path: Path) -> None:
    line = only(path, Answer(0, "1", 1, wall_ns=1_234_567, cpu_ns=999, charged_ns=1_000_000))
    assert (line.wall_us, line.cpu_us, line.charged_us) == (1234, 0, 1000)


def test_starts_and_notes_are_recorded(path: Path) -> None:
    line = only(path, Answer(0, "1", 1, started=True, notes=["dropped 5 bytes after the answer"]))
    assert line.started
    assert line.notes == ["dropped 5 bytes after the answer"]


def test_every_seat_gets_its_final_message_and_kibitz_afterwards_is_kept(path: Path) -> None:
    script = Script({0: ["1"], 1: ["9"]}, afterwards={1: ["good game", "bye"]})
    header = header_of(auction.protocol, 2, options={"rounds": 1})
    header.setup = {"prize": 4}
    record = perform(path, auction.protocol, header, script)
    assert script.final_messages == {0: "sold, you have 0\n", 1: "sold, you have 4\n"}
    assert record.result is not None
    assert record.result.afterwards == {1: ["good game", "bye"]}


def test_the_result_is_recorded_with_reason_and_data(path: Path) -> None:
    header = header_of(count_up.protocol, 1, options={"turns": 1})
    header.setup = {"start": 10, "first": 0}
    end = perform(path, count_up.protocol, header, Script({0: ["3"]})).result
    assert end is not None
    assert (end.ranks, end.scores, end.reason, end.data) == ([1], [3.0], "all turns were played", {"total": 13})


def test_the_observer_gets_every_answer_before_it_is_applied(path: Path) -> None:
    seen: list[tuple[int, int, str]] = []

    def watch(game: Game, line: AnswerLine) -> None:
        assert isinstance(game, count_up.CountUp)
        seen.append((line.turn, game.total, line.move))

    header = header_of(count_up.protocol, 1, options={"turns": 2})
    header.setup = {"start": 10, "first": 0}
    perform(path, count_up.protocol, header, Script({0: ["3", "2"]}), watch)
    assert seen == [(1, 10, "3"), (2, 13, "2")]
