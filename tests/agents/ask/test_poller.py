"""What the poller emits, and what it notices about the arbiter itself."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from time import monotonic_ns
from typing import Any

import pytest

from arbiter.agents.ask import poller as poller_module
from arbiter.agents.ask.poller import Poller

MS = 1_000_000


class Listener:
    """Notes all events, and by how much the poller was late."""

    def __init__(self) -> None:
        self.late: list[tuple[int, int, int]] = []
        self.waits: list[int] = []
        self.events: list[tuple[str, bytes]] = []

    def heard(self, chunk: bytes, _: int) -> bool:
        self.events.append(("heard", chunk))
        return True

    def heard_stderr(self, chunk: bytes, _: int) -> bool:
        self.events.append(("heard_stderr", chunk))
        return True

    def exited(self, _: int) -> None:
        self.events.append(("exited", b""))

    def writable(self) -> None:
        self.events.append(("writable", b""))

    def held_up(self, wait_ns: int) -> None:
        self.waits.append(wait_ns)

    def overslept(self, slept_ns: int, meant_ns: int, busy_ns: int) -> None:
        self.late.append((slept_ns, meant_ns, busy_ns))


@pytest.fixture
def poller() -> Poller:
    return Poller()


def test_time_in_which_the_arbiter_did_not_poll_is_noticed_as_well_as_a_late_wake_up(poller: Poller) -> None:
    listener: Any = Listener()
    idle, other = os.pipe()
    try:
        poller._watched[idle] = listener, listener
        poller.awake_since(monotonic_ns() - 40 * MS)  # stopped, or kept from its core, since it began to ask
        poller.wait(0)
        assert len(listener.late) == 1
        assert listener.late[0][2] >= 40 * MS
        assert monotonic_ns() - poller._awake_ns < 10_000 * MS
    finally:
        os.close(idle)
        os.close(other)


def test_a_stop_before_a_sleep_is_distinguished_from_one_during_it(
    poller: Poller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped for 40 ms before it fell asleep for 10 ms, and woken 30 ms late."""
    times = iter([100 * MS, 140 * MS])
    monkeypatch.setattr(poller_module, "monotonic_ns", lambda: next(times))
    listener: Any = Listener()
    idle, other = os.pipe()
    try:
        poller._watched[idle] = listener, listener
        poller.awake_since(60 * MS)
        poller.wait(10 * MS)
        assert listener.late == [(40 * MS, 10 * MS, 40 * MS)]
    finally:
        os.close(idle)
        os.close(other)


class Pipes:
    """What the poller needs of a process: the reading ends of two pipes, and of one that stands for its pidfd."""

    stdin = -1

    def __init__(self) -> None:
        (self.stdout, self.out), (self.stderr, self.err), (self.pidfd, self.end) = (
            os.pipe2(os.O_NONBLOCK) for _ in "123"
        )

    def exit(self) -> None:
        os.write(self.end, b"!")

    def close(self) -> None:
        for fd in (self.stdout, self.out, self.stderr, self.err, self.pidfd, self.end):
            os.close(fd)


@pytest.fixture
def process() -> Iterator[Any]:
    one = Pipes()
    yield one
    one.close()


@pytest.mark.parametrize("undisturbed", [True, False])
def test_everything_is_heard_before_the_exit_that_ends_the_wait(
    poller: Poller, process: Any, undisturbed: bool
) -> None:
    listener: Any = Listener()
    poller.watch(process, listener, undisturbed=undisturbed)
    poller.awake_since(monotonic_ns())
    os.write(process.out, b"answer")
    os.write(process.err, b"kibitz")
    process.exit()
    poller.wait(3_600_000 * MS)
    assert listener.events == [("heard", b"answer"), ("heard_stderr", b"kibitz"), ("exited", b"")]
    assert not poller.listens_to(process.stdout)


def test_output_does_not_end_the_wait_for_an_undisturbed_process_but_is_heard_after_it(
    poller: Poller, process: Any
) -> None:
    listener: Any = Listener()
    poller.watch(process, listener, undisturbed=True)
    start_ns = monotonic_ns()
    poller.awake_since(start_ns)
    os.write(process.out, b"answer")
    poller.wait(3 * MS)
    assert monotonic_ns() >= start_ns + 3 * MS
    assert listener.events == [("heard", b"answer")]
    os.write(process.err, b"kibitz")
    poller.wait(3_600_000 * MS)  # from now on output ends it
    assert listener.events[1:] == [("heard_stderr", b"kibitz")]
    assert listener.waits == []


def test_an_undisturbed_process_is_not_charged_for_waiting_until_its_output_is_read(
    poller: Poller, process: Any
) -> None:
    listener: Any = Listener()
    poller.watch(process, listener, undisturbed=True)
    poller.awake_since(monotonic_ns())
    os.write(process.out, bytes(65536))
    poller.wait(3 * MS)
    assert len(listener.waits) == 1
    assert listener.waits[0] >= 3 * MS


def test_lines_on_standard_error_are_gathered_and_keep_no_answer_waiting(poller: Poller, process: Any) -> None:
    """Else an agent could wake the arbiter for every byte."""
    listener, polls, timeouts = Listener(), poller.poll, list[float]()

    class Polls:
        register, unregister = polls.register, polls.unregister

        def poll(self, timeout_ms: float) -> list[tuple[int, int]]:
            timeouts.append(timeout_ms)
            if len(timeouts) > 1:
                os.write(process.out, b"answer")
            return polls.poll(timeout_ms)

    poller.watch(process, listener)  # type: ignore[arg-type]
    poller.awake_since(monotonic_ns())
    os.write(process.err, b"kibitz")
    poller.poll = Polls()  # type: ignore[assignment]
    poller.wait(3_600_000 * MS)
    assert listener.events == [("heard_stderr", b"kibitz"), ("heard", b"answer")]
    assert timeouts == [3_600_000, poller_module._LOG_MS]


def test_an_undisturbed_process_can_be_forgotten(poller: Poller, process: Any) -> None:
    listener: Any = Listener()
    poller.watch(process, listener, undisturbed=True)
    poller.forget(process)
    poller.awake_since(monotonic_ns())
    os.write(process.out, b"answer")
    poller.wait(0)
    assert listener.events == []


def test_an_agent_that_uses_up_the_epoll_watches_of_its_user_is_still_watched(
    process: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last watch would be one for room in its input, which it has left unread in a small pipe."""
    monkeypatch.delattr(select, "epoll")
    poller, listener = Poller(), Listener()
    theirs, process.stdin = os.pipe2(os.O_NONBLOCK)
    unread = bytes(1 << 20)
    try:
        poller.watch(process, listener)  # type: ignore[arg-type]
        rest = poller.write(process, unread, listener)  # type: ignore[arg-type]
        assert 0 < len(rest) < len(unread)
        assert os.read(theirs, len(unread))
        poller.awake_since(monotonic_ns())
        poller.wait(3_600_000 * MS)
        assert listener.events == [("writable", b"")]
    finally:
        os.close(theirs)
        os.close(process.stdin)
