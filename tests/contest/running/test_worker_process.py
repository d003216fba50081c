"""A worker is a fork of the arbiter that has nothing of it, or a new interpreter where there are threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arbiter.playing.plan import encode_plan
from tests.contest.running.around import auction, plan_of, varied
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PROGRAM = """
import fcntl, json, os, signal, sys, threading
from pathlib import Path
from arbiter.contest.pool import Pool
from arbiter.contest.scheduled import ScheduledGame
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan, decode_plan

place, threads = Path(sys.argv[1]), int(sys.argv[2])
stay = threading.Event()
for _ in range(threads):
    threading.Thread(target=stay.wait).start()
signal.signal(signal.SIGUSR1, lambda *_: None)
locked = open(place / "lock", "w")
fcntl.flock(locked, fcntl.LOCK_EX)
print("said once")
with Pool(decode_plan((place / "plan.json").read_bytes(), Plan), "cup", 1) as pool:
    pool.begin(Job(ScheduledGame(("ann", "bob"), 1), 1, str(place / "x.jsonl")))
    done = [each for each in pool.wait()]
    while pool.in_hand:
        done += pool.wait()
    worker = Path("/proc", str(pool._workers[0].pid))
    status = dict(line.split(":", 1) for line in (worker / "status").read_text().splitlines())
    print(json.dumps({
        "errors": [each.error for _, each in done],
        "files": sorted(os.readlink(each) for each in (worker / "fd").iterdir()),
        "caught": int(status["SigCgt"], 16),
        "group": os.getpgid(int(worker.name)) == int(worker.name),
        "forked": (worker / "cmdline").read_bytes() == Path("/proc/self/cmdline").read_bytes(),
    }))
stay.set()
"""


def run_program(place: Path, threads: int) -> dict[str, Any]:
    contest = auction(place, varied(place, "ann", "bob"))
    (place / "plan.json").write_bytes(encode_plan(plan_of(contest)))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(place), str(threads)],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    first, found = done.stdout.splitlines()
    assert first == "said once"
    return dict(json.loads(found))


@pytest.mark.parametrize("threads", [0, 1])
def test_a_worker_is_forked_unless_there_are_threads_and_keeps_no_file_or_handler_of_ours(
    place: Path, threads: int
) -> None:
    found = run_program(place, threads)

    assert found["forked"] == (threads == 0)
    assert found["errors"] == [""]
    assert found["group"]
    assert not found["caught"] & (1 << 9), "SIGUSR1 is signal 10"
    kept = [path for path in found["files"] if not path.startswith("pipe:") and path != os.devnull]
    assert not any(str(place) in path for path in kept), kept
