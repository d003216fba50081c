"""No agent is late because the machine is busy, and a sleeper is still charged for its sleep."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import msgspec
import pytest

from arbiter.agents.ask.request import Request, Seat, TableRules
from arbiter.agents.ask.table import Table
from arbiter.agents.clock.charge import hard_limit_ns
from arbiter.agents.clock.schedstat import kernel_reports_waits
from arbiter.agents.launch import cores
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import programs
from arbiter.bench.concurrent_games import ConcurrentGames, play_concurrently
from arbiter.bench.worker import Task
from arbiter.config.limits import Limits, Source, resolve_limits
from tests.tools import missing

pytestmark = pytest.mark.slow

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
GAMES_PER_CORE = 3


@pytest.fixture
def crowded_core() -> Iterator[None]:
    """This process and all it starts on one core, which others want too."""
    with cores.pinned():
        crowd = [subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"]) for _ in range(CROWD)]
        yield
        for one in crowd:
            one.kill()
            one.wait()


@pytest.fixture
def crowded_elsewhere() -> Iterator[frozenset[int]]:
    """A core that others want too, each with as much right to it as an agent; this process is on another one."""
    usable = cores.usable()
    if len(usable) < 2:
        missing("two cores")
    with cores.pinned(0, 2):
        crowd = [
            subprocess.Popen([sys.executable, "-S", "-c", "while True: pass"], start_new_session=True)
            for _ in range(2 * CROWD)
        ]
        for one in crowd:
            cores.pin(one.pid, frozenset({usable[1]}))
        yield frozenset({usable[1]})
        for one in crowd:
            one.kill()
            one.wait()


def limits() -> Limits:
    return resolve_limits([Source("test", {"move": f"{LIMIT_MS}ms", "first_move": "60s"})])[0]


def seat(source: str, tmp_path: Path) -> Seat:
    return Seat(Launch([sys.executable, "-S", "-c", source], str(tmp_path), {"PATH": os.defpath}), limits(), "game")


def seconds(text: str) -> Request:
    return Request(0, f"{text}\n", lambda _: "")


@pytest.mark.usefixtures("crowded_core")
def test_an_agent_that_keeps_to_its_time_is_never_late_however_busy_the_machine(tmp_path: Path) -> None:
    assert kernel_reports_waits()
    with Table([seat(WORKER, tmp_path)], TableRules(clock="fair")) as table:
        table.ask([seconds("0")])
        answers = [table.ask([seconds("0.04")])[0] for _ in range(4)]

    assert [answer.fault for answer in answers] == [None] * 4
    assert all(answer.charged_ns <= LIMIT_MS * 1_000_000 for answer in answers)
    assert max(answer.wall_ns for answer in answers) > max(answer.charged_ns for answer in answers)


@pytest.mark.usefixtures("crowded_core")
@pytest.mark.parametrize("level", ["none", "auto"])
def test_an_agent_spawned_for_a_move_is_not_charged_for_the_spawning(level: str) -> None:
    """Arbiter and spawner have to wait for the core as well, before it runs and before it is heard."""
    command = programs.echo()
    with contextlib.ExitStack() as staying:
        home = programs.bench_sandbox(command, choose_sandbox(level).level, limits())
        if home:
            staying.enter_context(home)
        agent = Seat(programs.launch_for(command, home), limits(), "move", home)
        table = staying.enter_context(Table([agent], TableRules(clock="fair")))
        answers = [table.ask([seconds("0")])[0] for _ in range(8)]

    assert [answer.fault for answer in answers] == [None] * 8
    assert all(answer.waited_ns <= answer.wall_ns for answer in answers[1:])
    # A wait for this core lasts for several milliseconds; less than one is not measured.
    assert median(answer.charged_ns - answer.cpu_ns for answer in answers[1:]) < 2_000_000


def test_a_wait_for_a_core_counts_before_it_is_over(tmp_path: Path, crowded_elsewhere: frozenset[int]) -> None:
    # Beside the crowd, ten milliseconds of work take longer than the limit, and far less than the hard limit of 1.5 s.
    short = msgspec.structs.replace(limits(), move_ns=50_000_000)
    agent = msgspec.structs.replace(seat(WORKER, tmp_path), limits=short, cores=crowded_elsewhere)
    with Table([agent], TableRules(clock="fair")) as table:
        table.ask([seconds("0")])
        answers = [table.ask([seconds("0.01")])[0] for _ in range(3)]

    assert [answer.fault for answer in answers] == [None] * 3
    assert all(answer.charged_ns <= short.move_ns for answer in answers)


def test_the_cpu_clock_lets_a_sleeper_sleep_up_to_the_hard_limit(tmp_path: Path) -> None:
    with Table([seat(SLEEPER, tmp_path)], TableRules(clock="cpu")) as table:
        table.ask([seconds("0")])
        slept = table.ask([seconds("0.2")])[0]
        overslept = table.ask([seconds("60")])[0]

    assert slept.fault is None
    assert overslept.fault is not None
    assert overslept.wall_ns >= hard_limit_ns("cpu", LIMIT_MS * 1_000_000, all_counted=False)


def at_once(burn_us: int, moves: int) -> ConcurrentGames:
    """Play three games per core on two cores, in the default sandbox of this machine, with a limit of 50 ms per move."""
    two = tuple(cores.usable()[:2])
    task = Task(
        command=programs.burner(),
        burn_us=burn_us,
        limit_us=50_000,
        level=choose_sandbox("auto").level,
        moves=moves,
        cores=two,
    )
    return play_concurrently(task, GAMES_PER_CORE * len(two))


def test_agents_within_their_limit_are_not_late_when_games_share_a_core() -> None:
    crowd = at_once(burn_us=20_000, moves=8)
    assert len(crowd.moves) == 8 * crowd.workers
    assert crowd.late_by_charge == 0
    assert crowd.largest_charge_us <= 50_000
    # A stall of the core by its host is not work, although the kernel and the agent mistake it for that.
    assert sum(move.charged_us < 20_000 for move in crowd.moves) <= len(crowd.moves) // 20


def test_an_agent_that_works_five_milliseconds_too_long_is_late_every_time() -> None:
    crowd = at_once(burn_us=55_000, moves=3)
    assert len(crowd.moves) == 3 * crowd.workers
    assert crowd.late_by_charge == len(crowd.moves) - crowd.stalled, crowd.moves
    assert crowd.stalled <= 1
    assert crowd.smallest_charge_us >= 50_000
