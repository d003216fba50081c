"""One question and the ruling on it, with invented times: no process, no pipe, no clock."""

from __future__ import annotations

import pytest

from arbiter.agents.ask.exchange import EXIT_GRACE_NS, AnswerRules, Exchange, describe_exit
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


def line_exchange(**changes: int) -> Exchange:
    """A question to a long-lived agent."""
    return Exchange(AnswerRules("line", changes.get("output_bytes", 16)), limit())


def exit_exchange(*, strict_exit: bool = True) -> Exchange:
    """A question to an agent spawned for the move."""
    return Exchange(AnswerRules("exit", 16, strict_exit), limit())


def verdict(exchange: Exchange, now_ns: int) -> tuple[Fault | None, str, int]:
    """What it comes to at this time, which must be settled."""
    assert exchange.settle(now_ns)
    return exchange.fault, exchange.text, exchange.ended_ns


# -- a line ------------------------------------------------------------------------------------------------


def test_a_line_answers_without_its_newline() -> None:
    exchange = line_exchange()
    assert not exchange.settle(START)
    exchange.hear(b"1 0\n", START + 5 * MS)
    assert verdict(exchange, START + 5 * MS) == (None, "1 0", START + 5 * MS)
    assert exchange.surplus == 0


def test_a_line_may_come_in_pieces() -> None:
    exchange = line_exchange()
    for moment, piece in enumerate((b"1", b" ", b"0"), 1):
        exchange.hear(piece, START + moment * MS)
        assert not exchange.settle(START + moment * MS)
    exchange.hear(b"\n", START + 9 * MS)
    assert verdict(exchange, START + 9 * MS) == (None, "1 0", START + 9 * MS)


def test_an_answer_ends_when_it_arrives_and_not_when_it_is_ruled_on() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", DEADLINE)
    assert verdict(exchange, DEADLINE + 5 * MS) == (None, "1 0", DEADLINE)
    assert exchange.wall_ns == LIMIT


def test_an_empty_line_is_an_answer_for_the_rules_to_refuse() -> None:
    exchange = line_exchange()
    exchange.hear(b"\n", START)
    assert verdict(exchange, START) == (None, "", START)


def test_the_second_of_two_lines_is_surplus() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n1 1 0\n", START)
    assert verdict(exchange, START) == (None, "1 0", START)
    assert exchange.surplus == len(b"1 1 0\n")


def test_the_first_newline_ends_the_answer_even_if_a_later_piece_has_another() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 ", START)
    exchange.hear(b"0\n2 ", START)
    exchange.hear(b"1\n", START)
    assert verdict(exchange, START) == (None, "1 0", START)
    assert exchange.surplus == len(b"2 1\n")


def test_no_surplus_without_a_line() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0", START)
    assert exchange.surplus == 0


def test_an_answer_is_not_changed_by_what_comes_after_it_was_settled() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", START)
    assert exchange.settle(START)
    exchange.hear(b"4 17\n", START + MS)
    exchange.exit(1, START + MS)
    exchange.fail(Fault(FaultKind.MEMORY, "too late to matter"), START + MS)
    assert verdict(exchange, DEADLINE + 1) == (None, "1 0", START)
    assert exchange.surplus == 0


# -- the deadline ------------------------------------------------------------------------------------------


def test_a_line_exactly_at_the_deadline_counts() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", DEADLINE)
    assert verdict(exchange, DEADLINE) == (None, "1 0", DEADLINE)


def test_a_line_a_nanosecond_after_the_deadline_does_not_count() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", DEADLINE + 1)
    assert verdict(exchange, DEADLINE + 1) == (LATE, "", DEADLINE + 1)


def test_a_line_in_time_counts_even_if_it_is_read_after_the_deadline() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", DEADLINE - MS)
    fault, text, _ = verdict(exchange, DEADLINE + 3 * MS)
    assert (fault, text) == (None, "1 0")


def test_nothing_that_is_printed_renews_the_deadline() -> None:
    exchange = line_exchange(output_bytes=10_000)
    for moment in range(START, DEADLINE, MS):
        exchange.hear(b".", moment)
        assert not exchange.settle(moment)
        assert exchange.wake_ns == DEADLINE
    assert verdict(exchange, DEADLINE + 1) == (late_after(500), "." * 500, DEADLINE + 1)


def test_the_part_of_a_late_line_that_came_in_time_is_kept() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 ", DEADLINE)
    exchange.hear(b"0\n", DEADLINE + 1)
    assert verdict(exchange, DEADLINE + 1) == (late_after(2), "1 ", DEADLINE + 1)


def test_a_line_that_was_never_ended_is_late() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0", START)
    assert not exchange.settle(DEADLINE)
    assert verdict(exchange, DEADLINE + 1) == (late_after(3), "1 0", DEADLINE + 1)


# -- floods ------------------------------------------------------------------------------------------------


def test_a_line_as_long_as_allowed_is_an_answer() -> None:
    exchange = line_exchange()
    exchange.hear(b"x" * 16 + b"\n", START)
    assert verdict(exchange, START) == (None, "x" * 16, START)


def test_a_line_longer_than_allowed_is_a_flood_and_only_the_allowed_part_is_its_text() -> None:
    exchange = line_exchange()
    exchange.hear(b"x" * 17 + b"\n", START)
    assert verdict(exchange, START) == (FLOODED, "x" * 16, START)


def test_a_flood_is_found_before_the_deadline_and_without_a_newline() -> None:
    exchange = line_exchange()
    exchange.hear(b"x" * 16, START)
    assert not exchange.settle(START)
    exchange.hear(b"x", START + MS)
    assert verdict(exchange, START + MS) == (FLOODED, "x" * 16, START + MS)


def test_a_good_line_with_a_flood_behind_it_is_still_an_answer() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n" + b"x" * 1000, START)
    assert verdict(exchange, START) == (None, "1 0", START)
    assert exchange.surplus == 1000


def test_an_agent_spawned_for_the_move_may_not_print_more_than_allowed_either() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n" * 5, START)
    assert verdict(exchange, START) == (FLOODED, "1 0\n" * 4, START)


# -- until it exits ----------------------------------------------------------------------------------------


def test_spawned_for_the_move_it_has_answered_when_it_exits_and_not_before() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 1\n", START)
    exchange.hear(b"0", START)
    assert not exchange.settle(START + MS)
    exchange.exit(0, START + 2 * MS)
    assert verdict(exchange, START + 2 * MS) == (None, "1 1\n0", START + 2 * MS)
    assert exchange.surplus == 0


def test_it_is_late_if_it_does_not_exit_in_time_whatever_it_said() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    assert verdict(exchange, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


@pytest.mark.parametrize("code", [0, 1, -9])
def test_an_exit_after_the_deadline_is_late_whatever_the_exit_status(code: int) -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.exit(code, DEADLINE + 1)
    assert verdict(exchange, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


def test_an_exit_counts_from_when_it_was_noticed_however_long_reaping_takes() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.exit(0, START + 2 * MS)
    assert verdict(exchange, DEADLINE + 1) == (None, "1 0\n", START + 2 * MS)


def test_an_exit_exactly_at_the_deadline_counts() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.exit(0, DEADLINE)
    assert verdict(exchange, DEADLINE) == (None, "1 0\n", DEADLINE)


@pytest.mark.parametrize("exchange", [line_exchange(), exit_exchange()], ids=["line", "exit"])
def test_an_exit_without_output_is_silent(exchange: Exchange) -> None:
    exchange.exit(0, START)
    assert verdict(exchange, START) == (Fault(FaultKind.SILENT, "exited with status 0 without answering"), "", START)


def test_blanks_do_not_count_as_output() -> None:
    exchange = exit_exchange()
    exchange.hear(b" \r\n\t", START)
    exchange.exit(0, START)
    fault, _, _ = verdict(exchange, START)
    assert fault is not None
    assert fault.kind == FaultKind.SILENT


def test_a_last_line_without_its_newline_counts_once_a_long_lived_agent_has_ended() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0", START)
    exchange.exit(0, START)
    assert verdict(exchange, START) == (None, "1 0", START)


@pytest.mark.parametrize(
    ("code", "detail"),
    [(3, "exited with status 3"), (-11, "killed by signal 11 (SIGSEGV)"), (255, "exited with status 255")],
)
@pytest.mark.parametrize("strict_exit", [True, False])
def test_an_abnormal_exit_without_output_is_a_crash(code: int, detail: str, strict_exit: bool) -> None:
    exchange = exit_exchange(strict_exit=strict_exit)
    exchange.exit(code, START)
    assert verdict(exchange, START) == (Fault(FaultKind.CRASHED, detail), "", START)


def test_an_abnormal_exit_after_a_good_answer_is_a_crash_where_exits_are_strict() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.exit(1, START)
    assert verdict(exchange, START) == (Fault(FaultKind.CRASHED, "exited with status 1"), "1 0\n", START)


def test_an_abnormal_exit_after_a_good_answer_is_forgiven_where_they_are_not() -> None:
    exchange = exit_exchange(strict_exit=False)
    exchange.hear(b"1 0\n", START)
    exchange.exit(-11, START)
    assert verdict(exchange, START) == (None, "1 0\n", START)


def test_a_long_lived_agent_that_exits_abnormally_right_after_its_line_has_answered() -> None:
    exchange = line_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.exit(-6, START)
    assert verdict(exchange, START) == (None, "1 0", START)


# -- closing standard output -------------------------------------------------------------------------------


@pytest.mark.parametrize("exchange", [line_exchange(), exit_exchange()], ids=["line", "exit"])
def test_an_agent_that_closes_its_output_without_answering_has_a_grace_period_to_exit(exchange: Exchange) -> None:
    exchange.close(START + MS)
    over = START + MS + EXIT_GRACE_NS
    assert exchange.wake_ns == over
    assert not exchange.settle(over - 1)
    assert verdict(exchange, over) == (CLOSED, "", over)


def test_an_exit_within_the_grace_period_is_ruled_as_an_exit() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.close(START + MS)
    exchange.exit(7, START + 2 * MS)
    assert verdict(exchange, START + 2 * MS) == (
        Fault(FaultKind.CRASHED, "exited with status 7"),
        "1 0\n",
        START + 2 * MS,
    )


def test_an_agent_that_answers_closes_its_output_and_lives_on_has_answered_when_it_closed() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.close(START + MS)
    assert verdict(exchange, START + MS + EXIT_GRACE_NS) == (None, "1 0\n", START + MS)


def test_closing_again_does_not_extend_the_grace_period() -> None:
    exchange = exit_exchange()
    exchange.close(START + MS)
    exchange.close(START + 50 * MS)
    assert exchange.wake_ns == START + MS + EXIT_GRACE_NS


def test_the_grace_period_ends_with_the_deadline() -> None:
    exchange = exit_exchange()
    exchange.close(DEADLINE - MS)
    assert exchange.wake_ns == DEADLINE
    assert not exchange.settle(DEADLINE - 1)
    assert verdict(exchange, DEADLINE) == (CLOSED, "", DEADLINE)


def test_output_closed_after_the_deadline_is_late_even_if_the_answer_was_printed_in_time() -> None:
    exchange = exit_exchange()
    exchange.hear(b"1 0\n", START)
    exchange.close(DEADLINE + 1)
    assert verdict(exchange, DEADLINE + 1) == (LATE, "1 0\n", DEADLINE + 1)


# -- faults found elsewhere, odd bytes ---------------------------------------------------------------------


def test_a_fault_found_elsewhere_settles_the_question() -> None:
    exchange = line_exchange()
    exchange.hear(b"1", START)
    exchange.fail(Fault(FaultKind.MEMORY, "uses 3GB"), START + MS)
    assert verdict(exchange, START + 2 * MS) == (Fault(FaultKind.MEMORY, "uses 3GB"), "1", START + MS)
    exchange.fail(Fault(FaultKind.PROCESSES, "the second is not the first"), START + 3 * MS)
    assert exchange.fault == Fault(FaultKind.MEMORY, "uses 3GB")


def test_bytes_that_are_not_text_are_replaced() -> None:
    exchange = line_exchange()
    exchange.hear(b"\xff\x00\xc3\n", START)
    assert verdict(exchange, START) == (None, "\ufffd\x00\ufffd", START)


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
