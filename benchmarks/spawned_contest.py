"""Whole matches of agents that are spawned for every move, compared with bare spawns of the same program on the same inputs.

:mod:`benchmarks.turns` measures single turns. A match adds the rules, the records, the ledger, the start of the workers, and the
libraries that a real program loads through the mounts of its sandbox.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

from arbiter.agents.launch import cores
from arbiter.agents.prepare.languages import find_tool
from arbiter.bench import floor
from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace
from arbiter.contest.definition import Definition
from arbiter.contest.making import make_contest
from arbiter.contest.runner import run_contest
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import Replay, input_text
from arbiter.records.writer import SUFFIX
from arbiter.registry import find_protocol
from benchmarks.options import Options
from benchmarks.row import Row

SOURCE = Path(__file__).parents[1] / "sample_agents" / "splendor" / "greedy.cpp"
GAMES, ROUNDS, PROMPTS = 60, 3, 100


def rows(_: Options) -> Iterator[Row]:
    """Measure the milliseconds per move of Splendor matches between two C++ programs, on one core."""
    with tempfile.TemporaryDirectory(prefix="arbiter-bench-", dir=Path.home()) as name:
        folder = Path(name)
        program = _linked_dynamically(folder)
        measured = [_round(program, folder / str(number)) for number in range(ROUNDS)]
    dynamic, built, bare, shell = (median(figures) for figures in zip(*measured, strict=True))
    ratio = median(each[0] / each[2] for each in measured)
    yield Row(f"a move in a match of {GAMES} games, C++ linked dynamically", dynamic, "ms", bare, ratio, most=1.3)
    yield Row("the same from its source, as the arbiter builds it", built, "ms", bare, built / bare)
    # As the Splendor contest's own arbiter starts agents; its rules and its log are not included.
    yield Row("moves per second, against a shell that starts the program", 1000 / built, "/s", 1000 / shell,
              shell / built, least=2)  # fmt: skip


def _linked_dynamically(folder: Path) -> Path:
    """Compile the agent as its author might have."""
    program, compiler = folder / "greedy", find_tool("g++|clang++|c++")
    if compiler is None:
        raise SystemExit("no C++ compiler is installed: nothing to measure")
    subprocess.run([compiler, "-O2", "-std=gnu++20", "-o", program, SOURCE], check=True)
    return program


def _round(program: Path, folder: Path) -> tuple[float, float, float, float]:
    """Return milliseconds per move: in a match of the program, in one of its source, of a bare spawn, and through a shell."""
    dynamic, record = _match(program, folder / "dynamic")
    built, _ = _match(SOURCE, folder / "built")
    prompts = _prompts(record)
    with cores.pinned():
        # The mean, as for a match: some positions take longer than others.
        bare = fmean(floor.spawns([str(program)], prompt, 1) for prompt in prompts) / 1000
        shell = fmean(_through_shell(program, prompt, folder) for prompt in prompts)
    return dynamic, built, bare, shell


def _through_shell(program: Path, prompt: str, folder: Path) -> float:
    """Return the milliseconds for a move that a shell starts with files for its input and output."""
    start = perf_counter()
    (folder / "input").write_text(prompt)
    subprocess.run(f"ulimit -t 10 && {program} < input > output 2> errors", shell=True, check=True, cwd=folder)
    (folder / "output").read_text()
    (folder / "errors").read_text()
    return (perf_counter() - start) * 1000


def _match(agent: Path, folder: Path) -> tuple[float, Record]:
    """Play the match; return its time per move, start and end included, and the record of one game."""
    folder.mkdir(parents=True)
    definition = Definition(
        name="bench",
        protocol="splendor",
        agents=(f"a={agent}", f"b={agent}"),
        seats=2,
        settings=GameSettings(),
        workspace=str(folder),
    )
    contest = make_contest(definition, {"kind": "round_robin", "games": GAMES}, folder)
    start = perf_counter()
    ending = run_contest(replace(contest, workers=1), lambda *_: None)
    took_ms = (perf_counter() - start) * 1000
    if not ending.complete:
        raise RuntimeError(f"the match was not finished: {ending.progress.notes}")
    records = [load_record(path) for path in contest.folder.glob(f"*{SUFFIX}")]
    return took_ms / sum(len(record.answers) for record in records), records[0]


def _prompts(record: Record) -> list[str]:
    """Return the prompts of all turns of a game."""
    replay = Replay(record, find_protocol("splendor", Workspace()))
    return [input_text(replay.game, record, line) for _, lines in replay for line in lines][:PROMPTS]
