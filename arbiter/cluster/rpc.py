"""The functions that the head calls on Dask workers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
from distributed import get_worker

from arbiter.agents.sandbox.levels import AUTO
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.cluster.archive_store import ArchiveStore
from arbiter.cluster.host import HostFacts, facts
from arbiter.cluster.payload import RunSpec
from arbiter.cluster.slot import Excerpt
from arbiter.cluster.worker_plugin import CoreRange, GamePlugin, prepare_plugin
from arbiter.errors import UserError
from arbiter.playing import plan as plans
from arbiter.playing.job import Job

if TYPE_CHECKING:
    from distributed import Worker

_ABANDONED_S = 600
"""A run that has had no game for this long is closed when another one is opened: its head was killed."""


def resource(run: str) -> str:
    """The Dask resource that stands for a core where games of this run may be played."""
    return f"arbiter-{run}"


async def inspect_host() -> bytes:
    """Return the facts of this machine."""
    return msgspec.json.encode(await asyncio.to_thread(facts))


async def examine_host() -> tuple[bytes, str]:
    """Return the facts of this machine and the strongest sandbox level that works here."""
    return await inspect_host(), (await asyncio.to_thread(choose_sandbox, AUTO)).level


async def missing_archives(keys: list[str]) -> list[str]:
    """Return which archives this machine lacks."""
    return ArchiveStore().missing(keys)


async def store_archive(key: str, data: bytes) -> None:
    """Keep an archive."""
    await asyncio.to_thread(ArchiveStore().add, key, data)


async def open_run(spec: bytes, found: bytes, cores: bytes, dask_worker: Worker) -> str:
    """Prepare to play; return why that is not possible, empty if it is."""
    wanted = plans.decode_plan(spec, RunSpec)
    where = msgspec.json.decode(cores, type=CoreRange)
    known = msgspec.json.decode(found, type=HostFacts)
    for name, other in list(dask_worker.plugins.items()):
        if isinstance(other, GamePlugin) and other.idle_s > _ABANDONED_S:
            await _close(dask_worker, name)
    try:
        plugin = await asyncio.to_thread(prepare_plugin, wanted, known, where, str(dask_worker.name))
    except UserError as error:
        return str(error)
    await dask_worker.plugin_add(plugin, name=resource(wanted.run))
    await dask_worker.set_resources(**{resource(wanted.run): where.count})
    return ""


async def excerpts(run: str, known: dict[int, tuple[int, int]], dask_worker: Worker) -> bytes:
    """Return what is new in the records that are being written here; ``known`` has what the head has of some of them."""
    found: list[Excerpt] = []
    if isinstance(plugin := dask_worker.plugins.get(resource(run)), GamePlugin):
        found = await asyncio.to_thread(plugin.excerpts, known)
    return msgspec.msgpack.encode(found)


async def stop_soon(run: str, dask_worker: Worker) -> None:
    """Finish the games being played, and start no more."""
    if isinstance(plugin := dask_worker.plugins.get(resource(run)), GamePlugin):
        plugin.stop_soon()


async def close_run(run: str, dask_worker: Worker) -> None:
    """End everything of a run on this machine, in the middle of a game if need be."""
    await _close(dask_worker, resource(run))


async def _close(worker: Worker, name: str) -> None:
    if isinstance(plugin := worker.plugins.pop(name, None), GamePlugin):
        await worker.set_resources(**{name: 0})
        await asyncio.to_thread(plugin.close)


def play_batch(run: str, jobs: bytes) -> list[bytes]:
    """Play the games of a batch one after the other: the task that Dask schedules."""
    worker = get_worker()
    plugin = worker.plugins[resource(run)]
    if not isinstance(plugin, GamePlugin):
        raise TypeError("not a plugin of arbiter")
    key = worker.get_current_task()

    def wanted() -> bool:
        # When its head is gone, Dask cancels a task but cannot interrupt it.
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    batch = msgspec.json.decode(jobs, type=list[Job])
    return [msgspec.msgpack.encode(each) for each in plugin.play(batch, wanted)]
