"""A whole match of agents that are spawned for every move, compared with bare spawns of the same program on the same inputs.

:mod:`benchmarks.turns` measures single turns. A match adds the rules, the records, the ledger, the start of the workers, and the
libraries that a real program loads through the mounts of its sandbox.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean, median
from time import perf_counter

from arbiter.agents.building.builder import Builder
from arbiter.agents.launch import cores
from arbiter.agents.prepare.resolve import resolve_agent
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.bench import floor
from arbiter.contest.definition import Definition
from arbiter.contest.making import make_contest
from arbiter.contest.runner import run_contest
from arbiter.game_settings import GameSettings
from arbiter.records.reader import Record, load_record
from arbiter.records.replay import Replay, input_text
from arbiter.records.writer import SUFFIX
from arbiter.registry import find_protocol
from arbiter.workspace import Workspace
from benchmarks.options import Options
from benchmarks.row import Row

AGENT = Path(__file__).parents[1] / "sample_agents" / "splendor" / "greedy.cpp"
GAMES, ROUNDS, PROMPTS = 60, 3, 100
MOST = 1.3


def rows(_: Options) -> Iterator[Row]:
    """Measure the milliseconds per move of a Splendor match between two C++ programs, on one core."""
    command = Builder(choose_sandbox("auto")).build(resolve_agent(str(AGENT), None, Workspace())).command
    measured: list[tuple[float, float]] = []
    for _round in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="arbiter-bench-", dir=Path.home()) as folder:
            cost_ms, record = _match(Path(folder))
            with cores.pinned():
                # The mean, as for the match: some positions take longer than others.
                bare_ms = fmean(floor.spawns(command, prompt, 1) for prompt in _prompts(record)) / 1000
            measured.append((cost_ms, bare_ms))
    cost = median(cost for cost, _ in measured)
    bare = median(bare for _, bare in measured)
    ratio = median(cost / bare for cost, bare in measured)
    yield Row(f"a move in a match of {GAMES} games, spawned C++", cost, "ms", bare, ratio, most=MOST)


def _match(folder: Path) -> tuple[float, Record]:
    """Play the match; return its time per move, start and end included, and the record of one game."""
    definition = Definition(
        name="bench",
        protocol="splendor",
        agents=(f"a={AGENT}", f"b={AGENT}"),
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
