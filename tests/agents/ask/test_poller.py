"""What the poller notices about the arbiter itself."""

from __future__ import annotations

import os
from collections.abc import Iterator
from time import monotonic_ns
from typing import Any

import pytest

from arbiter.agents.ask.poller import Poller

MS = 1_000_000


class Listener:
    """Hears by how much the poller was late."""

    def __init__(self) -> None:
        self.late: list[int] = []

    def overslept(self, late_ns: int) -> None:
        self.late.append(late_ns)


@pytest.fixture
def poller() -> Iterator[Poller]:
    one = Poller()
    yield one
    one.close()


def test_time_in_which_nobody_listened_is_noticed_as_well_as_a_late_wake_up(poller: Poller) -> None:
    listener: Any = Listener()
    idle, other = os.pipe()
    try:
        poller._watched[idle] = listener, listener
        poller.awake_ns = monotonic_ns() - 40 * MS  # stopped, or kept from its core, since it began to ask
        poller.wait(0)
        assert len(listener.late) == 1
        assert listener.late[0] >= 40 * MS
        assert monotonic_ns() - poller.awake_ns < 10_000 * MS
    finally:
        os.close(idle)
        os.close(other)
