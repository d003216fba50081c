"""Hosts of a cluster that play a fake game: Dask workers in one process whose games are waits of a given length.

``python -m benchmarks.fake_hosts ADDRESS HOSTS CORES SECONDS`` runs until its standard input is closed. Everything else is real:
the head enrols these hosts, sends batches and receives records through an ordinary scheduler.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import Any

import msgspec
from distributed import Worker

from arbiter.cluster import rpc
from arbiter.cluster.host import facts
from arbiter.cluster.payload import RunSpec
from arbiter.cluster.rpc import resource
from arbiter.cluster.transfer import SentGame, _checksum
from arbiter.cluster.worker_plugin import CoreRange
from arbiter.contest.worker import Done
from arbiter.playing.job import Job
from arbiter.playing.plan import decode_plan
from arbiter.records.summary import GameSummary
from benchmarks.archive import SAMPLES

RECORD = (SAMPLES / "splendor.jsonl").read_bytes()
"""The record of every game, of a typical size."""


def fake(cores: int, game_s: float) -> None:
    """Replace the functions that the head calls by name, so that these run here instead."""
    real = facts()

    async def inspect_host(dask_worker: Worker) -> bytes:
        name = str(dask_worker.name)
        return msgspec.json.encode(msgspec.structs.replace(real, host=name, machine=name, cache_id=name, cores=cores))

    async def missing_archives(_: list[str]) -> list[str]:
        return []

    async def open_run(spec: bytes, _: bytes, cores: bytes, dask_worker: Worker) -> str:
        run = decode_plan(spec, RunSpec).run
        await dask_worker.set_resources(**{resource(run): msgspec.json.decode(cores, type=CoreRange).count})
        return ""

    async def nothing(*_: Any) -> bytes:
        return msgspec.msgpack.encode([])

    def play_batch(_: str, jobs: bytes) -> list[bytes]:
        batch = msgspec.json.decode(jobs, type=list[Job])
        time.sleep(len(batch) * game_s)
        return [msgspec.msgpack.encode(_played(job, game_s)) for job in batch]

    for name, function in {
        "inspect_host": inspect_host, "missing_archives": missing_archives, "open_run": open_run, "play_batch": play_batch,
        "stop_soon": nothing, "close_run": nothing, "excerpts": nothing,
    }.items():  # fmt: skip
        setattr(rpc, name, function)


def _played(job: Job, took_s: float) -> SentGame:
    outcome = GameSummary(
        protocol="count_up",
        seed=job.game.seed,
        seats=list(job.game.seats),
        stage=job.game.stage,
        ranks=[1, 2],
        scores=[1.0, 0.0],
        think_us=[9, 9],
        answers=[25, 25],
    )
    done = msgspec.json.encode(Done(job.number, outcome=outcome))
    return SentGame(job.number, done, RECORD, b"", took_s, _checksum(job.number, done, RECORD, b""))


async def serve(address: str, hosts: int, cores: int) -> None:
    """Run the workers until standard input is closed."""
    workers = [Worker(address, nthreads=cores, name=f"host{number}", memory_limit=0) for number in range(hosts)]
    await asyncio.gather(*workers)
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    fake(int(sys.argv[3]), float(sys.argv[4]))
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
