"""What agents are charged, in either lifetime: threads, children, sleepers, and attempts to look like a busy machine's victim."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents import cores
from arbiter.agents.answer import Answer
from arbiter.agents.place import Request, Seat
from arbiter.agents.process import Launch
from arbiter.agents.table import Table
from arbiter.game import FaultKind, Lifetime
from arbiter.limits import Limits, Source, resolve

MS = 1_000_000
LIMIT_MS = 150
PROLOGUE = """
import os, sys, threading, time
def burn(seconds, clock=time.thread_time):
    until = clock() + seconds
    while clock() < until: pass
def fork(seconds):
    child = os.fork()
    if child == 0:
        burn(seconds)
        os._exit(0)
    return child
def threads(count, seconds):
    all = [threading.Thread(target=burn, args=(seconds,)) for _ in range(count)]
    for one in all: one.start()
    for one in all: one.join()
def answer(work):
    exec(work)
    print("done", flush=True)
"""
LINES = PROLOGUE + "for line in sys.stdin: answer(line)\n"
ONCE = PROLOGUE + "answer(sys.stdin.readline())\n"


def launch(lifetime: Lifetime, folder: str = "/") -> Launch:
    """An agent that does whatever work it is told."""
    source = LINES if lifetime == "game" else ONCE
    return Launch([sys.executable, "-S", "-E", "-c", source], folder, {"PATH": "/usr/bin:/bin"}, "charge")


def limits_of(limit_ms: int) -> Limits:
    """So long for each move, and a long time for the first."""
    return resolve([Source("test", {"move": f"{limit_ms}ms", "first_move": "60s"})])[0]


def ask(work: str, lifetime: Lifetime, *, limit_ms: int = LIMIT_MS) -> Answer:
    """One answer of an agent that does this work, after one to get started; it may take a long time for that."""
    with Table([Seat(launch(lifetime), limits_of(limit_ms), lifetime)], clock="fair") as table:
        (ready,) = table.ask([Request(0, "pass\n", lambda _: "")])
        assert ready.fault is None
        return table.ask([Request(0, f"{work}\n", lambda _: "")])[0]


def is_late(answer: Answer) -> bool:
    return answer.fault is not None and answer.fault.kind is FaultKind.LATE


@pytest.fixture(params=["move", "game"])
def lifetime(request: pytest.FixtureRequest) -> Lifetime:
    found: Lifetime = request.param
    return found


@pytest.fixture
def _one_core() -> Iterator[None]:
    with cores.pinned():
        yield


@pytest.fixture
def _crowded(_one_core: None) -> Iterator[None]:
    crowd = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(4)]
    yield
    for one in crowd:
        one.kill()
        one.wait()


@pytest.mark.usefixtures("_crowded")
def test_work_within_the_limit_is_never_late_on_a_busy_core(lifetime: Lifetime) -> None:
    answer = ask("burn(0.05)", lifetime, limit_ms=400)
    assert answer.fault is None
    assert 50 * MS <= answer.charged_ns < 400 * MS
    assert answer.waited_ns > 0


@pytest.mark.usefixtures("_crowded")
def test_threads_that_crowd_their_core_buy_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("threads(8, 0.1)", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_the_time_of_all_threads_is_charged(lifetime: Lifetime) -> None:
    answer = ask("threads(4, 0.05)", lifetime, limit_ms=5000)
    assert answer.fault is None
    assert answer.cpu_ns >= 190 * MS
    assert answer.charged_ns >= 190 * MS


@pytest.mark.usefixtures("_crowded")
def test_a_child_that_burns_while_its_parent_waits_buys_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("os.waitpid(fork(0.4), 0)", lifetime))


@pytest.mark.usefixtures("_crowded")
def test_children_that_crowd_the_core_of_their_parent_buy_no_time(lifetime: Lifetime) -> None:
    assert is_late(ask("kids = [fork(5) for _ in range(6)]; burn(0.3)", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_children_that_were_waited_for_are_charged_with_the_process_that_ends() -> None:
    answer = ask("os.waitpid(fork(0.05), 0)", "move", limit_ms=5000)
    assert answer.fault is None
    assert answer.cpu_ns >= 50 * MS


@pytest.mark.usefixtures("_crowded")
def test_a_sleeper_pays_for_its_sleep_on_a_busy_core(lifetime: Lifetime) -> None:
    assert is_late(ask("time.sleep(30)", lifetime))


def test_to_sleep_first_and_to_work_at_the_deadline_is_late(lifetime: Lifetime) -> None:
    """At the deadline it is running, as if it had been waiting for a core."""
    assert is_late(ask("time.sleep(0.1); burn(0.12)", lifetime))


@pytest.mark.usefixtures("_crowded")
def test_to_sleep_first_and_to_work_at_the_deadline_is_late_on_a_busy_core(lifetime: Lifetime) -> None:
    assert is_late(ask("time.sleep(0.14); burn(0.12)", lifetime))


@pytest.mark.usefixtures("_one_core")
def test_to_stop_oneself_is_to_sleep(lifetime: Lifetime) -> None:
    assert is_late(ask("os.kill(os.getpid(), 19)", lifetime))


@pytest.mark.usefixtures("_crowded")
def test_seats_asked_at_once_on_one_core_are_charged_their_own_work(tmp_path: Path) -> None:
    with Table([Seat(launch("game", str(tmp_path)), limits_of(600), "game")] * 3, clock="fair") as table:
        table.ask([Request(seat, "pass\n", lambda _: "") for seat in range(3)])
        answers = table.ask([Request(seat, "burn(0.06)\n", lambda _: "") for seat in range(3)])
    assert [answer.fault for answer in answers] == [None] * 3
    for answer in answers:
        assert 60 * MS <= answer.cpu_ns <= answer.charged_ns < 600 * MS


@pytest.mark.usefixtures("_crowded")
def test_the_arbiters_own_waiting_is_not_charged() -> None:
    """The agent answers at once, again and again, while the arbiter has to wait for its core after each."""
    charged = [ask("burn(0.02)", "game", limit_ms=200) for _ in range(5)]
    assert [answer.fault for answer in charged] == [None] * 5
