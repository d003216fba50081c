"""The cost of recording a turn, compared with a bare write of the same bytes."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns

import msgspec

from arbiter.bench.compare import alternate
from arbiter.bench.whole_turn import throwaway_header
from arbiter.records.format import AnswerLine
from arbiter.records.writer import RecordWriter
from benchmarks.options import Options
from benchmarks.row import Row, compared

LINES, ROUNDS = 5000, 15


def rows(_: Options) -> Iterator[Row]:
    """Compare the record writer, which computes the digest and batches lines of fast turns, with bare writes."""
    with tempfile.TemporaryDirectory() as folder:
        found = alternate(lambda: _bare(Path(folder)), lambda: _ours(Path(folder)), ROUNDS)
    yield compared("recording a turn, against a write of the same bytes", found, "µs")


def _line(turn: int) -> AnswerLine:
    return AnswerLine(turn=turn, seat=turn % 2, move="1 3 0 1 2", wall_us=1482, cpu_us=1390, charged_us=1482)


def _ours(folder: Path) -> float:
    lines = [_line(turn) for turn in range(LINES)]
    path = folder / "ours.jsonl"
    with RecordWriter(path, throwaway_header()) as writer:
        start = perf_counter_ns()
        for line in lines:
            writer.answer(line)
        writer.flush()
        took_ns = perf_counter_ns() - start
    path.unlink()
    return took_ns / LINES / 1000


def _bare(folder: Path) -> float:
    lines = [msgspec.json.encode(_line(turn)) + b"\n" for turn in range(LINES)]
    path = folder / "bare.jsonl"
    file = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    start = perf_counter_ns()
    for line in lines:
        os.write(file, line)
    took_ns = perf_counter_ns() - start
    os.close(file)
    path.unlink()
    return took_ns / LINES / 1000
