"""Which agents are kept off the core, given the readings of all agents at the table."""

from __future__ import annotations

import pytest

from arbiter.agents.ask.crowding import Crowding

MS = 1_000_000


class Seat:
    """A seat whose readings a test sets, in milliseconds."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.label = f"{'abc'[index]} (player {index + 1})"
        self.notes: list[str] = []
        self.ran = self.waited = 0
        self.total: int | None = 1000
        self.readings = 0
        self.aside = False

    def ran_and_waited_ns(self) -> tuple[int, int]:
        return self.ran * MS, self.waited * MS

    def total_cpu_ns(self) -> int | None:
        self.readings += 1
        return None if self.total is None else self.total * MS

    def give_way(self) -> str:
        if self.aside:
            return ""
        self.aside = True
        return "stopped"

    def use(self, cpu: int) -> None:
        self.total = (self.total or 0) + cpu


class Table:
    """Three seats, of which the first is asked."""

    def __init__(self) -> None:
        self.seats = [Seat(index) for index in range(3)]
        self.asked, self.spinning, self.quiet = self.seats
        self.crowding = Crowding(self.seats)

    def think(self, *stretches: tuple[int, int, int]) -> None:
        """One question, with readings after each stretch: what the asked agent ran and waited, and another one used."""
        self.asked.ran = self.asked.waited = 0
        self.crowding.begin([self.asked])
        for ran, waited, used in stretches:
            self.asked.ran += ran
            self.asked.waited += waited
            self.spinning.use(used)
            self.crowding.check([self.asked])


@pytest.fixture
def table() -> Table:
    return Table()


def test_an_agent_that_spins_while_another_waits_is_kept_off_the_core(table: Table) -> None:
    table.think((5, 45, 45), (5, 45, 45))
    assert (table.spinning.aside, table.quiet.aside) == (True, False)
    assert table.asked.notes == [
        "waited while b (player 2) used 45ms of CPU time out of turn; from now on b (player 2) is stopped while others are "
        "asked"
    ]


def test_one_reading_is_not_enough(table: Table) -> None:
    table.think((5, 45, 45))
    assert not table.spinning.aside


def test_short_moves_are_compared_with_the_start_of_the_next(table: Table) -> None:
    table.think((5, 15, 15))
    table.think((5, 15, 15))
    assert table.spinning.aside


def test_cpu_time_between_questions_does_not_count_as_crowding(table: Table) -> None:
    table.think((5, 45, 0))
    table.spinning.use(500)
    table.think((5, 45, 0))
    assert not table.spinning.aside


def test_no_cpu_time_is_sampled_before_an_agent_waits(table: Table) -> None:
    for _ in range(3):
        table.think((50, 4, 50), (50, 0, 50))
    assert [seat.readings for seat in table.seats] == [0, 0, 0]


def test_others_on_a_busy_machine_are_not_blamed(table: Table) -> None:
    table.think((50, 45, 1), (50, 45, 1), (50, 45, 1))
    assert not table.spinning.aside


def test_an_agent_that_waited_before_and_now_sleeps_is_not_crowded(table: Table) -> None:
    table.think((5, 45, 0), (1, 0, 50), (1, 1, 50), (1, 1, 50))
    assert not table.spinning.aside


def test_a_crowding_agent_is_noted_once(table: Table) -> None:
    table.think((5, 45, 45), (5, 45, 45), (5, 45, 45))
    assert len(table.asked.notes) == 1


def test_seats_that_are_asked_together_or_have_no_process_are_not_read(table: Table) -> None:
    table.quiet.total = None
    table.crowding.begin([table.asked, table.spinning])
    table.asked.ran, table.asked.waited = 10, 100
    for _ in range(2):
        table.spinning.use(100)
        table.crowding.check([table.asked, table.spinning])
    assert table.spinning.readings == 0
    assert not any(seat.aside for seat in table.seats)
