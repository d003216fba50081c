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


# -- a line ------------------------------------------------------------------------------------------------


def test_a_line_answers_without_its_newline() -> None:
    question = line_question()
    assert not question.settle(START)
    question.hear(b"1 0\n", START + 5 * MS)
    assert verdict(question, START + 5 * MS) == (None, "1 0", START + 5 * MS)
    assert question.surplus == 0


def test_a_line_may_come_in_pieces() -> None:
    question = line_question()
    for moment, piece in enumerate((b"1", b" ", b"0"), 1):
        question.hear(piece, START + moment * MS)
        assert not question.settle(START + moment * MS)
    question.hear(b"\n", START + 9 * MS)
    assert verdict(question, START + 9 * MS) == (None, "1 0", START + 9 * MS)


def test_an_answer_ends_when_it_arrives_and_not_when_it_is_ruled_on() -> None:
    question = line_question()
    question.hear(b"1 0\n", DEADLINE)
    assert verdict(question, DEADLINE + 5 * MS) == (None, "1 0", DEADLINE)
    assert question.wall_ns == LIMIT


def test_an_empty_line_is_an_answer_for_the_rules_to_refuse() -> None:
    question = line_question()
    question.hear(b"\n", START)
    assert verdict(question, START) == (None, "", START)


def test_the_second_of_two_lines_is_surplus() -> None:
    question = line_question()
    question.hear(b"1 0\n1 1 0\n", START)
    assert verdict(question, START) == (None, "1 0", START)
    assert question.surplus == len(b"1 1 0\n")


def test_the_first_newline_ends_the_answer_even_if_a_later_piece_has_another() -> None:
    question = line_question()
    question.hear(b"1 ", START)
    question.hear(b"0\n2 ", START)
    question.hear(b"1\n", START)
    assert verdict(question, START) == (None, "1 0", START)
    assert question.surplus == len(b"2 1\n")


def test_no_surplus_without_a_line() -> None:
    question = line_question()
    question.hear(b"1 0", START)
    assert question.surplus == 0


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


def test_a_line_exactly_at_the_deadline_counts() -> None:
    question = line_question()
    question.hear(b"1 0\n", DEADLINE)
    assert verdict(question, DEADLINE) == (None, "1 0", DEADLINE)


def test_a_line_a_nanosecond_after_the_deadline_does_not_count() -> None:
    question = line_question()
    question.hear(b"1 0\n", DEADLINE + 1)
    assert verdict(question, DEADLINE + 1) == (LATE, "", DEADLINE + 1)


def test_a_line_in_time_counts_even_if_it_is_read_after_the_deadline() -> None:
    question = line_question()
    question.hear(b"1 0\n", DEADLINE - MS)
    fault, text, _ = verdict(question, DEADLINE + 3 * MS)
    assert (fault, text) == (None, "1 0")


def test_nothing_that_is_printed_renews_the_deadline() -> None:
    question = line_question(output_bytes=10_000)
    for moment in range(START, DEADLINE, MS):
        question.hear(b".", moment)
        assert not question.settle(moment)
        assert question.wake_ns == DEADLINE
    assert verdict(question, DEADLINE + 1) == (late_after(500), "." * 500, DEADLINE + 1)


def test_the_part_of_a_late_line_that_came_in_time_is_kept() -> None:
    question = line_question()
    question.hear(b"1 ", DEADLINE)
    question.hear(b"0\n", DEADLINE + 1)
    assert verdict(question, DEADLINE + 1) == (late_after(2), "1 ", DEADLINE + 1)


def test_a_line_that_was_never_ended_is_late() -> None:
    question = line_question()
    question.hear(b"1 0", START)
    assert not question.settle(DEADLINE)
    assert verdict(question, DEADLINE + 1) == (late_after(3), "1 0", DEADLINE + 1)


# -- floods ------------------------------------------------------------------------------------------------


def test_a_line_as_long_as_allowed_is_an_answer() -> None:
    question = line_question()
    question.hear(b"x" * 16 + b"\n", START)
    assert verdict(question, START) == (None, "x" * 16, START)


def test_a_line_longer_than_allowed_is_a_flood_and_only_the_allowed_part_is_its_text() -> None:
    question = line_question()
    question.hear(b"x" * 17 + b"\n", START)
    assert verdict(question, START) == (FLOODED, "x" * 16, START)


def test_a_flood_is_found_before_the_deadline_and_without_a_newline() -> None:
    question = line_question()
    question.hear(b"x" * 16, START)
    assert not question.settle(START)
    question.hear(b"x", START + MS)
    assert verdict(question, START + MS) == (FLOODED, "x" * 16, START + MS)


def test_a_good_line_with_a_flood_behind_it_is_still_an_answer() -> None:
    question = line_question()
    question.hear(b"1 0\n" + b"x" * 1000, START)
    assert verdict(question, START) == (None, "1 0", START)
    assert question.surplus == 1000


def test_an_agent_spawned_for_the_move_may_not_print_more_than_allowed_either() -> None:
    question = exit_question()
    question.hear(b"1 0\n" * 5, START)
    assert verdict(question, START) == (FLOODED, "1 0\n" * 4, START)


# -- until it exits ----------------------------------------------------------------------------------------


def test_spawned_for_the_move_it_has_answered_when_it_exits_and_not_before() -> None:
    question = exit_question()
    question.hear(b"1 1\n", START)
    question.hear(b"0", START)
    assert not question.settle(START + MS)
    question.exit(0, START + 2 * MS)
    assert verdict(question, START + 2 * MS) == (None, "1 1\n0", START + 2 * MS)
    assert question.surplus == 0


def test_it_is_late_if_it_does_not_exit_in_time_whatever_it_said() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    assert verdict(question, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


@pytest.mark.parametrize("code", [0, 1, -9])
def test_an_exit_after_the_deadline_is_late_whatever_the_exit_status(code: int) -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.exit(code, DEADLINE + 1)
    assert verdict(question, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


def test_an_exit_counts_from_when_it_was_noticed_however_long_reaping_takes() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.exit(0, START + 2 * MS)
    assert verdict(question, DEADLINE + 1) == (None, "1 0\n", START + 2 * MS)


def test_an_exit_exactly_at_the_deadline_counts() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.exit(0, DEADLINE)
    assert verdict(question, DEADLINE) == (None, "1 0\n", DEADLINE)


@pytest.mark.parametrize("question", [line_question(), exit_question()], ids=["line", "exit"])
def test_an_exit_without_output_is_silent(question: Question) -> None:
    question.exit(0, START)
    assert verdict(question, START) == (Fault(FaultKind.SILENT, "exited with status 0 without answering"), "", START)


def test_blanks_do_not_count_as_output() -> None:
    question = exit_question()
    question.hear(b" \r\n\t", START)
    question.exit(0, START)
    fault, _, _ = verdict(question, START)
    assert fault is not None
    assert fault.kind == FaultKind.SILENT


def test_a_last_line_without_its_newline_counts_once_a_long_lived_agent_has_ended() -> None:
    question = line_question()
    question.hear(b"1 0", START)
    question.exit(0, START)
    assert verdict(question, START) == (None, "1 0", START)


@pytest.mark.parametrize(
    ("code", "detail"),
    [(3, "exited with status 3"), (-11, "killed by signal 11 (SIGSEGV)"), (255, "exited with status 255")],
)
@pytest.mark.parametrize("strict_exit", [True, False])
def test_an_abnormal_exit_without_output_is_a_crash(code: int, detail: str, strict_exit: bool) -> None:
    question = exit_question(strict_exit=strict_exit)
    question.exit(code, START)
    assert verdict(question, START) == (Fault(FaultKind.CRASHED, detail), "", START)


def test_an_abnormal_exit_after_a_good_answer_is_a_crash_where_exits_are_strict() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.exit(1, START)
    assert verdict(question, START) == (Fault(FaultKind.CRASHED, "exited with status 1"), "1 0\n", START)


def test_an_abnormal_exit_after_a_good_answer_is_forgiven_where_they_are_not() -> None:
    question = exit_question(strict_exit=False)
    question.hear(b"1 0\n", START)
    question.exit(-11, START)
    assert verdict(question, START) == (None, "1 0\n", START)


def test_a_long_lived_agent_that_exits_abnormally_right_after_its_line_has_answered() -> None:
    question = line_question()
    question.hear(b"1 0\n", START)
    question.exit(-6, START)
    assert verdict(question, START) == (None, "1 0", START)


# -- closing standard output -------------------------------------------------------------------------------


@pytest.mark.parametrize("question", [line_question(), exit_question()], ids=["line", "exit"])
def test_an_agent_that_closes_its_output_without_answering_has_a_grace_period_to_exit(question: Question) -> None:
    question.close(START + MS)
    over = START + MS + EXIT_GRACE_NS
    assert question.wake_ns == over
    assert not question.settle(over - 1)
    assert verdict(question, over) == (CLOSED, "", over)


def test_an_exit_within_the_grace_period_is_ruled_as_an_exit() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.close(START + MS)
    question.exit(7, START + 2 * MS)
    assert verdict(question, START + 2 * MS) == (
        Fault(FaultKind.CRASHED, "exited with status 7"),
        "1 0\n",
        START + 2 * MS,
    )


def test_an_agent_that_answers_closes_its_output_and_lives_on_is_charged_until_it_is_killed() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.close(START + MS)
    over = START + MS + EXIT_GRACE_NS
    assert verdict(question, over) == (None, "1 0\n", over)


def test_an_agent_that_answers_just_in_time_and_lives_on_is_charged_all_its_time_and_not_late() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.close(DEADLINE - MS)
    assert verdict(question, DEADLINE + 5 * MS) == (None, "1 0\n", DEADLINE)


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


def test_output_closed_after_the_deadline_is_late_even_if_the_answer_was_printed_in_time() -> None:
    question = exit_question()
    question.hear(b"1 0\n", START)
    question.close(DEADLINE + 1)
    assert verdict(question, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


# -- faults found elsewhere, odd bytes ---------------------------------------------------------------------


def test_a_fault_found_elsewhere_settles_the_question() -> None:
    question = line_question()
    question.hear(b"1", START)
    question.fail(Fault(FaultKind.MEMORY, "uses 3GB"), START + MS)
    assert verdict(question, START + 2 * MS) == (Fault(FaultKind.MEMORY, "uses 3GB"), "1", START + MS)
    question.fail(Fault(FaultKind.PROCESSES, "the second is not the first"), START + 3 * MS)
    assert question.fault == Fault(FaultKind.MEMORY, "uses 3GB")


def test_bytes_that_are_not_text_are_replaced() -> None:
    question = line_question()
    question.hear(b"\xff\x00\xc3\n", START)
    assert verdict(question, START) == (None, "\ufffd\x00\ufffd", START)


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
