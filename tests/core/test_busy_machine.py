"""A busy machine costs nobody a game, and a sleeper pays for its sleep all the same."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents import cores
from arbiter.agents.clock import hard_limit_ns, kernel_tells
from arbiter.agents.place import Request, Seat
from arbiter.agents.process import Launch
from arbiter.agents.table import Table
from arbiter.game import FaultKind
from arbiter.limits import Limits, Source, resolve

WORKER = """
import sys, time
for line in sys.stdin:
    until = time.process_time() + float(line)
    while time.process_time() < until: pass
    print("done", flush=True)
"""
SLEEPER = """
import sys, time
for line in sys.stdin:
    time.sleep(float(line))
    print("done", flush=True)
"""
LIMIT_MS = 100
CROWD = 6


@pytest.fixture
def crowded_core() -> Iterator[None]:
    """This process and all it starts on one core, which others want too."""
    with cores.pinned():
        crowd = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(CROWD)]
        yield
        for one in crowd:
            one.kill()
            one.wait()


def limits() -> Limits:
    return resolve([Source("test", {"move": f"{LIMIT_MS}ms", "first_move": "60s"})])[0]


def seat(source: str, tmp_path: Path) -> Seat:
    return Seat(
        Launch([sys.executable, "-S", "-c", source], str(tmp_path), {"PATH": os.defpath}, "busy"), limits(), "game"
    )


def seconds(text: str) -> Request:
    return Request(0, f"{text}\n", lambda _: "")


@pytest.mark.usefixtures("crowded_core")
def test_an_agent_that_keeps_to_its_time_is_never_late_however_busy_the_machine(tmp_path: Path) -> None:
    assert kernel_tells()
    with Table([seat(WORKER, tmp_path)], clock="fair") as table:
        table.ask([seconds("0")])
        answers = [table.ask([seconds("0.04")])[0] for _ in range(8)]

    assert [answer.fault for answer in answers] == [None] * 8
    assert all(answer.charged_ns <= LIMIT_MS * 1_000_000 for answer in answers)
    assert max(answer.wall_ns for answer in answers) > max(answer.charged_ns for answer in answers)
    assert all(answer.wall_ns < hard_limit_ns(LIMIT_MS * 1_000_000) for answer in answers)


@pytest.mark.usefixtures("crowded_core")
def test_an_agent_that_works_too_long_is_late_on_a_busy_machine_too(tmp_path: Path) -> None:
    with Table([seat(WORKER, tmp_path)], clock="fair") as table:
        table.ask([seconds("0")])
        (answer,) = table.ask([seconds("0.3")])

    assert answer.fault is not None
    assert answer.fault.kind is FaultKind.LATE
    assert answer.charged_ns >= LIMIT_MS * 1_000_000


def test_a_sleeper_is_late(tmp_path: Path) -> None:
    with Table([seat(SLEEPER, tmp_path)], clock="fair") as table:
        table.ask([seconds("0")])
        (answer,) = table.ask([seconds("1.5")])

    assert answer.fault is not None
    assert answer.fault.kind is FaultKind.LATE


def test_the_cpu_clock_lets_a_sleeper_sleep_up_to_the_hard_limit(tmp_path: Path) -> None:
    with Table([seat(SLEEPER, tmp_path)], clock="cpu") as table:
        table.ask([seconds("0")])
        slept = table.ask([seconds("0.2")])[0]
        overslept = table.ask([seconds("60")])[0]

    assert slept.fault is None
    assert overslept.fault is not None
    assert overslept.wall_ns >= hard_limit_ns(LIMIT_MS * 1_000_000)
