"""Packed games: bytes per game, CPU time to pack, and the time to search and open a game among many.

The games are synthesised from the sample games in the repository: every copy has its own random times, deal and digest. Moves and
results are those of the sample and compress to almost nothing, so the sizes here do not apply to real games: 'arbiter archive pack
--sizes' shows those.
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from arbiter.agents.prepare.build import cache_folder
from arbiter.records.format import Header
from arbiter.records.packed import columns
from arbiter.records.packed.archive import Archive, _opened
from arbiter.records.packed.columns import VERSION, PackedGame, schema, writing
from arbiter.records.packed.gathering import GROUP_GAMES
from arbiter.records.reader import Record, check_record, load_record
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from benchmarks.options import Options
from benchmarks.row import Row

SAMPLES = Path(__file__).resolve().parent.parent / "matches" / "samples"
MILLION, LOOSE = 1_000_000, 40_000
AGENTS = ("greedy", "lookahead", "planner", "builder", "random")
_encode = msgspec.json.Encoder().encode_lines


def rows(_: Options) -> Iterator[Row]:
    """Pack games of every protocol, and search a million games of Splendor."""
    with tempfile.TemporaryDirectory() as folder:
        for sample in sorted(SAMPLES.glob("*.jsonl")):
            yield from _sizes(load_record(sample), Path(folder) / "archive-000001.parquet")
        yield from _whole_command(Path(folder) / "loose")
    yield from _million(million())


def synthesised(record: Record, number: int, *, kibitz: bool) -> bytes:
    """Return a game like a real one, with its own agents, deal, times and digest."""
    dice = random.Random(number)
    header = msgspec.structs.replace(
        record.header, seed=number // 2, game=number, setup=_shuffled(record.header, random.Random(number // 2)),
        seats=[msgspec.structs.replace(seat, name=dice.choice(AGENTS)) for seat in record.header.seats],
        started=f"20{20 + number % 7}-{1 + number % 12:02}-{1 + number % 28:02}T{number % 24:02}:{number % 60:02}:00.{number % 1000:03}Z",
    )  # fmt: skip
    answers = []
    for line in record.answers:
        wall = max(200, int(line.wall_us * dice.lognormvariate(0, 0.05)))
        cpu, waited = int(wall * dice.uniform(0.95, 0.995)), dice.randrange(200) if line.waited_us else 0
        answers.append(
            msgspec.structs.replace(
                line, wall_us=wall, cpu_us=cpu, waited_us=waited, charged_us=min(wall, max(cpu, wall - waited)),
                kibitz=[f"{text} {dice.randrange(100)}" for text in line.kibitz] if kibitz else [],
            )
        )  # fmt: skip
    assert record.result is not None
    digest = hashlib.sha256(str(number).encode()).hexdigest()
    result = msgspec.structs.replace(record.result, digest=f"sha256:{digest}", afterwards={})
    return _encode([header, *answers, result])


def _shuffled(header: Header, dice: random.Random) -> object:
    """Return the setup with every list of different numbers in another order."""

    def again(value: object) -> object:
        if isinstance(value, dict):
            return {key: again(each) for key, each in value.items()}
        if isinstance(value, list):
            if value and all(isinstance(each, int) for each in value) and len(set(value)) == len(value):
                return dice.sample(value, len(value))
            return [again(each) for each in value]
        return value

    return again(header.setup)


def _sizes(record: Record, path: Path) -> Iterator[Row]:
    games = [synthesised(record, number, kibitz=False) for number in range(250)]
    start = process_time()
    with pq.ParquetWriter(path, schema(), **writing()) as writer:
        writer.write_table(_table(games))
    wrote = process_time() - start
    assert [game.record for game in Archive(path).games(0)] == games
    name = record.header.protocol
    per_game = sum(Archive(path).sizes().values()) / len(games)
    yield Row(f"{name}: bytes per packed game with the moves of one sample", per_game, "B")
    yield Row(f"{name}: games made into rows per second of CPU time", len(games) / wrote, "")
    yield Row(f"{name}: bytes per game as a file", sum(map(len, games)) / len(games), "B")


def one_row_group() -> pa.Table:
    """Return synthesised games of Splendor, a quarter of them with kibitz."""
    record = load_record(SAMPLES / "splendor.jsonl")
    return _table([synthesised(record, number, kibitz=number % 4 == 0) for number in range(GROUP_GAMES)])


def _table(games: Sequence[bytes]) -> pa.Table:
    named = {Path(f"{number:07}.jsonl"): data for number, data in enumerate(games)}
    return columns.table(
        [columns.row(PackedGame(path.name, data, {}, 0), check_record(path, data)) for path, data in named.items()]
    )


def make_archive(folder: Path, games: int, table: pa.Table, step: int = 100_000) -> None:
    """Write archives of the games of one row group, repeated with other names, dates, seeds and digests."""
    folder.mkdir(parents=True)
    for first in range(0, games, step):
        with pq.ParquetWriter(folder / f"archive-{first // step + 1:06}.parquet", schema(), **writing()) as writer:
            for start in range(first, min(first + step, games), len(table)):
                writer.write_table(_renamed(table, start))


def _renamed(table: pa.Table, start: int) -> pa.Table:
    """Return the games numbered from ``start``: one per minute since 2020, each deal played twice."""
    numbers = range(start, start + len(table))
    for name, values in {
        "name": [f"{number:07}.jsonl" for number in numbers],
        "started": [(_2020 + 60 * number) * 1_000_000 + number * 7919 % 1000 * 1000 for number in numbers],
        "ended": [(_2020 + 60 * number + 30) * 1_000_000 + number * 7907 % 1000 * 1000 for number in numbers],
        "seed": [str(number // 2) for number in numbers],
        "digest": [f"sha256:{hashlib.sha256(str(number).encode()).hexdigest()}" for number in numbers],
    }.items():
        field = schema().field(name)
        table = table.set_column(table.schema.get_field_index(name), field, pa.array(values, field.type))
    return table


_2020 = 1_577_836_800
"""The start of that year, in seconds since 1970."""


def million() -> Path:
    """Return a folder with archives of a million games, which is created once (in several minutes, 1.3 GB) and kept."""
    table = one_row_group()
    layout = hashlib.sha256(repr((VERSION, sorted(writing().items()), table.to_pydict())).encode()).hexdigest()[:12]
    folder = cache_folder().parent / "benchmarks" / f"million-{layout}"
    if not folder.exists():
        for old in folder.parent.glob("million-*"):  # those of another layout
            shutil.rmtree(old, ignore_errors=True)
        partial = folder.with_name(f"{folder.name}.partial")
        make_archive(partial, MILLION, table)
        partial.rename(folder)
    return folder


def _million(folder: Path) -> Iterator[Row]:
    queries = {
        "agent": Query(agents=("greedy",), limit=20),
        "result": Query(won=("greedy",), limit=20),
        "fault": Query(faults=("late",), limit=20),
        "seed": Query(seed=77, limit=20),
        "date": Query(since_us=1_700_000_000_000_000, limit=20),
        "protocol": Query(protocol="splendor", limit=20),
        "kibitz": Query(kibitz="in 5 turns, then card 77", limit=20),
    }
    for what, query in queries.items():
        most = 3.0 if what == "kibitz" else 0.3
        yield Row(f"a million packed games: by {what}", _least(partial(search, folder, query)), "s", most=most)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield Row("a million packed games: peak memory of the searches", memory, "MB", most=500)
    opening = _least(lambda: load_record(folder / f"{MILLION // 2:07}.jsonl")) * 1000
    yield Row("a million packed games: open the 500,000th", opening, "ms", most=50)


def _least(work: Callable[[], object]) -> float:
    """Return the shortest time of three runs, each of which opens the archives again."""
    times = []
    for _ in range(3):
        _opened.cache_clear()
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def _whole_command(folder: Path) -> Iterator[Row]:
    """Pack loose games with the command, as its users do: reading, comparing and deleting them included."""
    record = load_record(SAMPLES / "splendor.jsonl")
    folder.mkdir()
    games = [synthesised(record, number, kibitz=False) for number in range(LOOSE // 10)]
    for number in range(LOOSE):
        (folder / f"{number:07}.jsonl").write_bytes(games[number % len(games)])
    os.sync()  # otherwise the first fsync of the command would wait until all of these files are on the disk
    start, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "arbiter", "archive", "pack", str(folder), "--quiet"], check=True)
    took, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    yield Row("arbiter archive pack: games per second", LOOSE / took, "/s", least=2000)
    yield Row("arbiter archive pack: games per second of CPU time", LOOSE / cpu, "/s")
