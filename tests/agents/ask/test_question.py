"""One question and the ruling on it, with invented times: no process, no pipe, no clock."""

from __future__ import annotations

import pytest

from arbiter.agents.ask.question import EXIT_GRACE_NS, AnswerRules, Question, describe_exit
from arbiter.agents.ask.time_limit import TimeLimit
from arbiter.game import Fault, FaultKind

from .invented import MS, InventedMeter

START = 7_000 * MS
LIMIT = 500 * MS
DEADLINE = START + LIMIT
LATE = Fault(FaultKind.LATE, "no answer within 500ms")
FLOODED = Fault(FaultKind.FLOODED, "printed more than 16B in one turn")
CLOSED = Fault(FaultKind.CLOSED, "closed its standard output without answering")


def late_after(count: int) -> Fault:
    """Late, with part of a line."""
    return Fault(FaultKind.LATE, f"no answer within 500ms ({count} bytes came, but no end of line)")


def limit() -> TimeLimit:
    return TimeLimit("wall", InventedMeter(), LIMIT, START)


def line_question(**changes: int) -> Question:
    """A question to a long-lived agent."""
    return Question(AnswerRules("line", changes.get("output_bytes", 16)), limit())


def exit_question(*, strict_exit: bool = True) -> Question:
    """A question to an agent spawned for the move."""
    return Question(AnswerRules("exit", 16, strict_exit), limit())


def verdict(question: Question, now_ns: int) -> tuple[Fault | None, str, int]:
    """What it comes to at this time, which must be settled."""
    assert question.settle(now_ns)
    return question.fault, question.text, question.ended_ns


CRASHED = Fault(FaultKind.CRASHED, "exited with status 7")
SILENT = Fault(FaultKind.SILENT, "exited with status 0 without answering")
GOOD = (0, b"1 0\n")
Happened = bytes | int | None
"""Output, an exit with this status, or the end of output."""
Ruling = tuple[list[tuple[int, Happened]], int, Fault | None, str, int]
"""What happened after so many nanoseconds, when the question is looked at, the fault, the text, and when it ended."""

LINES: dict[str, Ruling] = {
    "a line answers without its newline": ([(5 * MS, b"1 0\n")], 5 * MS, None, "1 0", 5 * MS),
    "an answer ends when it arrives": ([(LIMIT, b"1 0\n")], LIMIT + 5 * MS, None, "1 0", LIMIT),
    "an empty line is left to the rules": ([(0, b"\n")], 0, None, "", 0),
    "a second line is surplus": ([(0, b"1 0\n1 1 0\n")], 0, None, "1 0", 0),
    "the first of two newlines ends it": ([(0, b"1 "), (0, b"0\n2 "), (0, b"1\n")], 0, None, "1 0", 0),
    "exactly at the deadline": ([(LIMIT, b"1 0\n")], LIMIT, None, "1 0", LIMIT),
    "a nanosecond after the deadline": ([(LIMIT + 1, b"1 0\n")], LIMIT + 1, LATE, "", LIMIT + 1),
    "in time, but read later": ([(LIMIT - MS, b"1 0\n")], LIMIT + 3 * MS, None, "1 0", LIMIT - MS),
    "part of it in time": ([(LIMIT, b"1 "), (LIMIT + 1, b"0\n")], LIMIT + 1, late_after(2), "1 ", LIMIT + 1),
    "never ended": ([(0, b"1 0")], LIMIT + 1, late_after(3), "1 0", LIMIT + 1),
    "as long as allowed": ([(0, b"x" * 16 + b"\n")], 0, None, "x" * 16, 0),
    "longer than allowed": ([(0, b"x" * 17 + b"\n")], 0, FLOODED, "x" * 16, 0),
    "a flood behind a good line": ([(0, b"1 0\n" + b"x" * 1000)], 0, None, "1 0", 0),
    "an exit without output": ([(0, 0)], 0, SILENT, "", 0),
    "an exit without a newline": ([(0, b"1 0"), (0, 0)], 0, None, "1 0", 0),
    "an abnormal exit after a line": ([GOOD, (0, -6)], 0, None, "1 0", 0),
    "bytes that are not text": ([(0, b"\xff\x00\xc3\n")], 0, None, "\ufffd\x00\ufffd", 0),
}
EXITS: dict[str, Ruling] = {
    "more than allowed": ([(0, b"1 0\n" * 5)], 0, FLOODED, "1 0\n" * 4, 0),
    "no exit": ([GOOD], LIMIT + 1, LATE, "1 0\n", LIMIT + 1),
    "an exit after the deadline": ([GOOD, (LIMIT + 1, 0)], LIMIT + 1, LATE, "1 0\n", LIMIT + 1),
    "an abnormal exit after the deadline": ([GOOD, (LIMIT + 1, -9)], LIMIT + 1, LATE, "1 0\n", LIMIT + 1),
    "an exit in time, but reaped later": ([GOOD, (2 * MS, 0)], LIMIT + 1, None, "1 0\n", 2 * MS),
    "an exit at the deadline": ([GOOD, (LIMIT, 0)], LIMIT, None, "1 0\n", LIMIT),
    "an exit without output": ([(0, 0)], 0, SILENT, "", 0),
    "blanks are no output": ([(0, b" \r\n\t"), (0, 0)], 0, SILENT, " \r\n\t", 0),
    "an abnormal exit": ([(0, 7)], 0, CRASHED, "", 0),
    "an abnormal exit after an answer": ([GOOD, (0, 7)], 0, CRASHED, "1 0\n", 0),
    "an exit after closing": ([GOOD, (MS, None), (2 * MS, 7)], 2 * MS, CRASHED, "1 0\n", 2 * MS),
    "closed, but lives on": ([GOOD, (MS, None)], MS + EXIT_GRACE_NS, None, "1 0\n", MS + EXIT_GRACE_NS),
    "closed just in time": ([GOOD, (LIMIT - MS, None)], LIMIT + 5 * MS, None, "1 0\n", LIMIT),
    "closed after the deadline": ([GOOD, (LIMIT + 1, None)], LIMIT + 1, LATE, "1 0\n", LIMIT + 1),
}


def rule(question: Question, ruling: Ruling) -> None:
    """Let things happen and check what it comes to."""
    happened, asked_ns, fault, text, ended_ns = ruling
    for after_ns, what in happened:
        if isinstance(what, bytes):
            question.hear(what, START + after_ns)
        elif what is None:
            question.close(START + after_ns)
        else:
            question.exit(what, START + after_ns)
    assert verdict(question, START + asked_ns) == (fault, text, START + ended_ns)


@pytest.mark.parametrize("case", LINES)
def test_a_line_is_ruled_on(case: str) -> None:
    rule(line_question(), LINES[case])


@pytest.mark.parametrize("case", EXITS)
def test_an_exit_is_ruled_on(case: str) -> None:
    rule(exit_question(), EXITS[case])


@pytest.mark.parametrize("heard", [b"1 0\n2 1\n", b"1 0\n" + b"x" * 1000, b"1 0\n", b"1 0"])
def test_what_follows_the_line_is_surplus(heard: bytes) -> None:
    question = line_question()
    question.hear(heard, START)
    question.settle(START)
    assert question.surplus == len(heard.partition(b"\n")[2])


@pytest.mark.parametrize("status", [1, -11])
def test_an_abnormal_exit_after_a_good_answer_is_forgiven_where_exits_are_not_strict(status: int) -> None:
    rule(exit_question(strict_exit=False), ([GOOD, (0, status)], 0, None, "1 0\n", 0))
    words = Fault(FaultKind.CRASHED, describe_exit(status))
    rule(exit_question(strict_exit=False), ([(0, status)], 0, words, "", 0))


# -- a line ------------------------------------------------------------------------------------------------


def test_a_line_may_come_in_pieces() -> None:
    question = line_question()
    for moment, piece in enumerate((b"1", b" ", b"0"), 1):
        question.hear(piece, START + moment * MS)
        assert not question.settle(START + moment * MS)
    question.hear(b"\n", START + 9 * MS)
    assert verdict(question, START + 9 * MS) == (None, "1 0", START + 9 * MS)


def test_an_answer_is_not_changed_by_what_comes_after_it_was_settled() -> None:
    question = line_question()
    question.hear(b"1 0\n", START)
    assert question.settle(START)
    question.hear(b"4 17\n", START + MS)
    question.exit(1, START + MS)
    question.fail(Fault(FaultKind.MEMORY, "too late to matter"), START + MS)
    assert verdict(question, DEADLINE + 1) == (None, "1 0", START)
    assert question.surplus == 0


# -- the deadline ------------------------------------------------------------------------------------------


def test_nothing_that_is_printed_renews_the_deadline() -> None:
    question = line_question(output_bytes=10_000)
    for moment in range(START, DEADLINE, MS):
        question.hear(b".", moment)
        assert not question.settle(moment)
        assert question.wake_ns == DEADLINE
    assert verdict(question, DEADLINE + 1) == (late_after(500), "." * 500, DEADLINE + 1)


# -- floods ------------------------------------------------------------------------------------------------


def test_a_flood_is_found_before_the_deadline_and_without_a_newline() -> None:
    question = line_question()
    question.hear(b"x" * 16, START)
    assert not question.settle(START)
    question.hear(b"x", START + MS)
    assert verdict(question, START + MS) == (FLOODED, "x" * 16, START + MS)


# -- until it exits ----------------------------------------------------------------------------------------


def test_spawned_for_the_move_it_has_answered_when_it_exits_and_not_before() -> None:
    question = exit_question()
    question.hear(b"1 1\n", START)
    question.hear(b"0", START)
    assert not question.settle(START + MS)
    question.exit(0, START + 2 * MS)
    assert verdict(question, START + 2 * MS) == (None, "1 1\n0", START + 2 * MS)
    assert question.surplus == 0


# -- closing standard output -------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [line_question(), exit_question()], ids=["line", "exit"])
def test_an_agent_that_closes_its_output_without_answering_has_a_grace_period_to_exit(question: Question) -> None:
    question.close(START + MS)
    over = START + MS + EXIT_GRACE_NS
    assert question.wake_ns == over
    assert not question.settle(over - 1)
    assert verdict(question, over) == (CLOSED, "", over)


def test_closing_again_does_not_extend_the_grace_period() -> None:
    question = exit_question()
    question.close(START + MS)
    question.close(START + 50 * MS)
    assert question.wake_ns == START + MS + EXIT_GRACE_NS


def test_the_grace_period_ends_with_the_deadline() -> None:
    question = exit_question()
    question.close(DEADLINE - MS)
    assert question.wake_ns == DEADLINE
    assert not question.settle(DEADLINE - 1)
    assert verdict(question, DEADLINE) == (CLOSED, "", DEADLINE)


# -- faults found elsewhere, odd bytes ---------------------------------------------------------------------


def test_a_fault_found_elsewhere_settles_the_question() -> None:
    question = line_question()
    question.hear(b"1", START)
    question.fail(Fault(FaultKind.MEMORY, "uses 3GB"), START + MS)
    assert verdict(question, START + 2 * MS) == (Fault(FaultKind.MEMORY, "uses 3GB"), "1", START + MS)
    question.fail(Fault(FaultKind.PROCESSES, "the second is not the first"), START + 3 * MS)
    assert question.fault == Fault(FaultKind.MEMORY, "uses 3GB")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        (0, "exited with status 0"),
        (3, "exited with status 3"),
        (-9, "killed by signal 9 (SIGKILL)"),
        (-63, "killed by signal 63"),
    ],
)
def test_exit_codes_in_words(code: int, text: str) -> None:
    assert describe_exit(code) == text
