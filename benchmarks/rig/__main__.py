"""Prove the clock on a disturbed machine (``make proof``): no agent within its limit is late, every agent over it is.

Results are kept in a folder; an interrupted run continues where it stopped.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path
from time import perf_counter, perf_counter_ns

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.text import format_table
from benchmarks.agents import compiled
from benchmarks.rig.scenarios import LIMIT_US, OVERRUN_US, SCENARIOS, WORK_US, Scenario
from benchmarks.rig.worker import Assignment, Timing

CORES = 2
OVERRUNS = 20
"""The number of answers within the limit per overrun."""
TRIALS = 400


def main() -> None:
    """Run the chosen scenarios and print how every answer was ruled."""
    parser = argparse.ArgumentParser(prog="make proof", description=__doc__)
    add = parser.add_argument
    add(
        "--answers",
        type=int,
        default=100_000,
        metavar="N",
        help="answers within the limit, over all scenarios  [default: 100000]",
    )
    add("--only", action="append", choices=[one.name for one in SCENARIOS], help="only this scenario; repeatable")
    add("--level", default="auto", help="sandbox level  [default: auto]")
    add(
        "--folder",
        type=Path,
        default=Path("/var/tmp/arbiter-proof"),
        help="where results are kept  [default: %(default)s]",
    )
    add("--fresh", action="store_true", help="forget earlier results")
    add("--odd", type=int, default=5, metavar="N", help="show the readings of the N largest charges  [default: 5]")
    chosen = parser.parse_args()
    if chosen.fresh:
        shutil.rmtree(chosen.folder, ignore_errors=True)
    chosen.folder.mkdir(parents=True, exist_ok=True)
    agent = compiled("steady")[0]
    per_us = _rounds_per_us(agent)
    scenarios = [one for one in SCENARIOS if not chosen.only or one.name in chosen.only]
    each = -(-chosen.answers // len(scenarios))
    rows, failed = [], False
    level = choose_sandbox(chosen.level).level
    for scenario in scenarios:
        for what, works, answers in (("within", WORK_US, each), ("beyond", (OVERRUN_US,), -(-each // OVERRUNS))):
            start = perf_counter()
            rounds = tuple(round(us * per_us) for us in works)
            timings = _run(scenario, what, agent, rounds, answers=answers, level=level, folder=chosen.folder)
            late = sum(one.late for one in timings)
            wrong = late if what == "within" else len(timings) - late
            failed = failed or wrong > 0
            most = max(one.charged for one in timings) / 1000
            least = min(one.charged for one in timings) / 1000
            walls = sum(one.wall > LIMIT_US for one in timings)
            seconds = f"{perf_counter() - start:.1f}"
            rows.append((scenario.name, what, len(timings), walls, late, wrong, f"{least:.1f}", f"{most:.1f}", seconds))
            print(f"{scenario.name}, {what} the limit: {wrong} of {len(timings)} wrong, {seconds} s", file=sys.stderr)
            for one in (
                sorted(timings, key=lambda one: -one.charged)[: chosen.odd]
                if what == "within"
                else [one for one in timings if not one.late][: chosen.odd]
            ):
                print("   ", one, file=sys.stderr)
    headers = ["scenario", "work", "answers", "late by wall", "late", "wrong", "least ms", "most ms", "seconds"]
    print(format_table(rows, headers, right=range(2, len(headers))))
    sys.exit(failed)


def _rounds_per_us(agent: str) -> float:
    """Return how many rounds per microsecond the agent computes undisturbed: the best of many trials.

    It is measured by the wall clock: after the host has taken time from this machine, the kernel subtracts steal time even from CPU
    time that was really used.
    """
    rounds, best_ns = 2000, 1 << 62
    with subprocess.Popen([agent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("Popen was asked for pipes")
        for _ in range(TRIALS):
            start_ns = perf_counter_ns()
            process.stdin.write(b"%d\n" % rounds)
            process.stdin.flush()
            process.stdout.readline()
            best_ns = min(best_ns, perf_counter_ns() - start_ns)
        process.stdin.close()
    return rounds * 1000 / best_ns


def _run(
    scenario: Scenario, what: str, agent: str, works: tuple[int, ...], *, answers: int, level: Level, folder: Path
) -> list[Timing]:
    workers = scenario.games * min(CORES, len(cores.usable()))
    paths = [folder / f"{scenario.name}.{what}.{number}.jsonl" for number in range(workers)]
    started = []
    for number, path in enumerate(paths):
        left = -(-answers // workers) - len(_read(path))
        if left > 0:
            assignment = Assignment(scenario, agent, works, left, number, workers, level, str(path))
            process = subprocess.Popen(
                [sys.executable, "-m", "benchmarks.rig.worker"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
            )
            if process.stdin is None:
                raise AssertionError("Popen was asked for a pipe")
            process.stdin.write(msgspec.json.encode(assignment) + b"\n")
            process.stdin.close()
            started.append(process)
    if sum(process.wait() != 0 for process in started):
        raise SystemExit(f"a worker failed in the scenario {scenario.name}")
    return [timing for path in paths for timing in _read(path)]


def _read(path: Path) -> list[Timing]:
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [msgspec.json.decode(line, type=Timing) for line in lines if line.endswith(b"\n")]


if __name__ == "__main__":
    main()
