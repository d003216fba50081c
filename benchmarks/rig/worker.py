"""One worker of the rig: asks an agent that does a fixed amount of work, on a machine disturbed as in its scenario.

Run as ``python -m benchmarks.rig.worker``. It reads its assignment as one line of JSON and appends the times of every answer to
a file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path
from time import process_time_ns

import msgspec

from arbiter.agents.ask.answer import Answer
from arbiter.agents.ask.request import Seat
from arbiter.agents.ask.table import RESTARTS, Table
from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.bench.programs import bench_sandbox, launch_for
from arbiter.config.limits import Source, resolve_limits
from arbiter.game import FaultKind
from benchmarks.rig import disturb
from benchmarks.rig.scenarios import LIMIT_US, Scenario

QUESTIONS = 200
"""Questions per table."""
CROWDED_US = 15_000
"""More CPU time than any work within the limit needs: a shared core is slower, but not by this much."""


class Assignment(msgspec.Struct, frozen=True):
    """The task of a worker."""

    scenario: Scenario
    command: str
    works: tuple[int, ...]
    """Rounds of work, in turn."""
    answers: int
    number: int
    workers: int
    level: Level
    path: str
    """The file for the times."""


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """One answer; times in microseconds."""

    rounds: int
    wall: int
    cpu: int
    waited: int
    charged: int
    late: bool
    readings: str = ""
    """The meter's readings, if the charge differs much from the CPU time, or the CPU time from the work."""


def main() -> None:
    """Do one assignment."""
    assignment = msgspec.json.decode(sys.stdin.buffer.readline(), type=Assignment)
    scenario = assignment.scenario
    limits = resolve_limits([Source("rig", {"move": f"{LIMIT_US}us", "first_move": "60s"})])[0]
    with contextlib.ExitStack() as stack:
        stack.enter_context(cores.pinned(assignment.number, assignment.workers))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="rig-", dir="/var/tmp")))
        if scenario.hog:
            stack.enter_context(disturb.memory_cgroup())
        program = folder / "agent"  # a separate file, so that its pages belong to this worker
        shutil.copy(assignment.command, program)
        with program.open("rb") as file:
            os.fsync(file.fileno())
        disturb.drop(str(program))
        sandbox = bench_sandbox((str(program),), assignment.level, limits)
        if sandbox:
            stack.enter_context(sandbox).box()
        for _ in range(scenario.burners if assignment.number < len(cores_of(assignment)) else 0):
            stack.enter_context(disturb.disturber("burn"))
        if scenario.stop == "arbiter":
            stack.enter_context(disturb.disturber("stop", os.getpid()))
        elif scenario.stop == "spawner" and sandbox:
            stack.enter_context(disturb.disturber("stop", sandbox.head_pid))
        seat = Seat(launch_for((str(program),), sandbox), limits, scenario.lifetime, sandbox)
        _ask_all(assignment, seat, str(program))


def cores_of(assignment: Assignment) -> range:
    """Return the numbers of the first worker on each core."""
    return range(min(assignment.workers, os.cpu_count() or 1))


def _ask_all(assignment: Assignment, seat: Seat, program: str) -> None:
    asked = 0
    with Path(assignment.path).open("ab") as file:
        while asked < assignment.answers:
            with Table([seat]) as table:
                table.ask_one(0, "0\n", lambda _: "")
                faults = 0
                for _ in range(min(QUESTIONS, assignment.answers - asked)):
                    if assignment.scenario.cold:
                        disturb.drop(program)
                    rounds = assignment.works[asked % len(assignment.works)]
                    answer = table.ask_one(0, f"{rounds}\n", lambda _: "")
                    file.write(msgspec.json.encode(_timing(rounds, answer, table)) + b"\n")
                    asked += 1
                    if answer.fault:
                        if answer.fault.kind is not FaultKind.LATE:
                            raise RuntimeError(f"the agent faulted: {answer.fault}")
                        faults += 1
                        if seat.lifetime != "move":
                            if faults > RESTARTS:
                                break
                            table.ask_one(0, "0\n", lambda _: "")
            file.flush()


def _timing(rounds: int, answer: Answer, table: Table) -> Timing:
    late = answer.fault is not None
    odd = late or answer.charged_ns > answer.cpu_ns + 3_000_000 or answer.cpu_ns > CROWDED_US * 1000
    readings = repr(table._seats[0]._meter._readings) if odd else ""
    wall, cpu, waited = answer.wall_ns // 1000, answer.cpu_ns // 1000, answer.waited_ns // 1000
    return Timing(rounds, wall, cpu, waited, answer.charged_ns // 1000, late, readings)


if __name__ == "__main__":
    main()
    sys.stdout.write(f"{process_time_ns()}\n")
