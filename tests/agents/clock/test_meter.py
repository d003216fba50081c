"""What a question costs, with processes and machines that say whatever a test wants."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from arbiter.agents.ask.answer import Answer
from arbiter.agents.clock.charge import Clock
from arbiter.agents.clock.meter import Machine, Meter

MS = 1_000_000


class Threads:
    """Of an agent that has waited and rested so much."""

    def __init__(self, waited_ms: int, rests: int) -> None:
        self._waited_ns, self._rests = waited_ms * MS, rests

    def mark(self) -> bytes:
        return b"0 0 0"

    def rests(self) -> int:
        return 0

    def waited(self, mark: object, cpu_ns: int) -> dict[int, int]:
        return {1: self._waited_ns}

    def rested(self, rests: int, *, done: bool) -> bool:
        return self._rests > done


class Process:
    """That has used so much."""

    exit_code, pid = None, 1
    told = has_helped = False

    def __init__(self, waited_ms: int, rests: int) -> None:
        self.threads = Threads(waited_ms, rests)
        self.used_ns = 0

    def cpu_ns(self) -> int:
        return self.used_ns

    own_cpu_ns = cpu_ns

    def is_ready(self) -> bool:
        return True


class Own:
    """An arbiter that had to wait so long."""

    def __init__(self, waited_ms: int) -> None:
        self.waited_ns = waited_ms * MS

    def mark(self) -> bytes:
        return b""

    def since(self, _: bytes) -> int:
        return self.waited_ns

    def close(self) -> None:
        pass


class Stolen:
    """A host that took so much."""

    def __init__(self, taken_ms: int) -> None:
        self.taken_ns = taken_ms * MS

    def mark(self, _: int) -> bytes:
        return b""

    def since(self, _: bytes, cores: Iterable[int]) -> int:
        return self.taken_ns

    def ever(self) -> bool:
        return self.taken_ns > 0

    def close(self) -> None:
        pass


def times(
    wall: int,
    cpu: int,
    *,
    waited: int = 0,
    own: int = 0,
    stolen: int = 0,
    rests: int = 2,
    late: int = 0,
    clock: Clock = "fair",
) -> Answer:
    """In milliseconds."""
    machine: Any = Machine(Own(own), Stolen(stolen))  # type: ignore[arg-type]
    account = Meter(clock, machine, frozenset({0}))
    process: Any = Process(waited, rests)
    account.open(process, 0)
    process.used_ns = cpu * MS
    if late:
        account.oversleep(late * MS)
    account.look(wall * MS, done=True)
    answer = Answer(0)
    account.close(answer, wall * MS)
    assert answer.wall_ns == wall * MS
    assert answer.cpu_ns == cpu * MS
    return answer


@pytest.mark.parametrize(
    ("given", "waited", "charged"),
    [
        ({"wall": 50, "cpu": 20}, 0, 50),  # it has slept for the rest
        ({"wall": 50, "cpu": 20, "waited": 25}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 20, "own": 5}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 5, "stolen": 20}, 25, 25),
        ({"wall": 50, "cpu": 20, "waited": 25, "own": 25, "stolen": 40}, 30, 20),  # more than there was
        ({"wall": 500, "cpu": 20, "rests": 1}, 480, 20),  # it cannot have slept: the machine stood still
        ({"wall": 500, "cpu": 20, "rests": 1, "clock": "wall"}, 480, 500),
        ({"wall": 80, "cpu": 75, "rests": 1, "late": 55}, 60, 20),  # nor can it have worked while nobody was woken
        ({"wall": 80, "cpu": 75, "late": 55}, 55, 25),
        ({"wall": 80, "cpu": 75, "own": 60, "late": 60}, 5, 75),  # the arbiter had to wait for a core, that is all
        ({"wall": 80, "cpu": 20, "late": 55, "stolen": 60}, 60, 20),  # the kernel knows already
        ({"wall": 80, "cpu": 20, "late": 2}, 0, 80),  # timers are not exact
        ({"wall": 50, "cpu": 20, "clock": "cpu"}, 0, 20),
        ({"wall": 50, "cpu": 80}, 0, 50),  # several cores
    ],
)
def test_what_is_charged(given: dict[str, Any], waited: int, charged: int) -> None:
    answer = times(**given)
    assert (answer.waited_ns, answer.charged_ns) == (waited * MS, charged * MS)
