"""What runs on a Dask worker: the station, where games are played. The head calls the functions at the end of this module."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from distributed import get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from arbiter import plan as plans
from arbiter.agents.sandbox.levels import AUTO
from arbiter.agents.sandbox.trial import choose_sandbox
from arbiter.cluster.host import HostFacts, cluster_folder, facts
from arbiter.cluster.parcels import Offer
from arbiter.cluster.shipping import Shipped, ship
from arbiter.cluster.unpacking import ParcelStore, prepare_host
from arbiter.contest.pool import Pool, WorkerNumbers
from arbiter.contest.worker import Job
from arbiter.errors import UserError
from arbiter.plan import Plan
from arbiter.records.format import HostInfo

if TYPE_CHECKING:
    from distributed import Worker

_ABANDONED_S = 600
"""A station that has had no game for this long is closed when another one is opened: its head was killed."""
_CLOSING_S = 10
_MOST_NEWS = 256 << 10
"""Bytes of a running game that are sent at a time."""


class HeadStopped(Exception):
    """The head has stopped in the middle of a game."""


class CoreRange(msgspec.Struct, frozen=True):
    """The cores of its machine that a station uses."""

    first: int
    """The number of its first core."""
    lanes: int
    """How many games it may play at the same time."""
    of: int
    """Games at the same time on the whole machine."""


class Excerpt(msgspec.Struct, frozen=True):
    """What is new in the record of a game that is being played."""

    number: int
    lane: int
    """The number of the core among those of the machine that play."""
    begun: int
    """Tells this play of the game from others."""
    offset: int
    data: bytes


def resource(run: str) -> str:
    """The Dask resource that stands for a core where games of this run may be played."""
    return f"arbiter-{run}"


class _Lane:
    """One core: a pool of one worker process, and a pipe that wakes up the thread that waits for its game."""

    def __init__(self, station: Station, number: int) -> None:
        self._readable, self.writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.folder = station.folder / "games" / str(number)
        self.folder.mkdir(exist_ok=True)
        position = station.position
        numbers = WorkerNumbers(position.of, position.first + number, station.host)
        self._stack = contextlib.ExitStack()
        self.pool = self._stack.enter_context(Pool(station.plan, station.contest, 1, self._readable, numbers))
        self.number = numbers.first
        self._playing: tuple[Job, int] | None = None

    def play(self, job: Job, aborted: threading.Event) -> Shipped:
        """Play a game. Raises HeadStopped, and UserError if no worker process can be started."""
        local = msgspec.structs.replace(job, path=str(self.folder / f"{job.number}.jsonl"))
        for path in self.folder.iterdir():  # files of an interrupted game
            path.unlink()
        start = time.perf_counter()
        self._playing = local, time.monotonic_ns()
        self.pool.begin(local)
        try:
            while True:
                for _, done in self.pool.wait():
                    return ship(local, done, time.perf_counter() - start)
                if aborted.is_set():
                    raise HeadStopped
        finally:
            self._playing = None

    def excerpt(self, known: Mapping[int, tuple[int, int]]) -> Excerpt | None:
        """Return what is new in the record that is being written; None if there is nothing."""
        if (playing := self._playing) is None:
            return None
        job, begun = playing
        before, size = known.get(job.number, (begun, 0))
        offset = size if before == begun else 0
        try:
            with Path(job.path).open("rb") as file:
                file.seek(offset)
                data = file.read(_MOST_NEWS)
        except OSError:  # not yet, or not any more
            return None
        return Excerpt(job.number, self.number, begun, offset, data) if data else None

    def close(self) -> None:
        """End the worker process: in the middle of a game if need be."""
        self._stack.close()
        os.close(self._readable)
        os.close(self.writable)


class Station(WorkerPlugin):
    """Plays the games of one run on one Dask worker. As a plugin of the worker it is closed with it."""

    def __init__(self, offer: Offer, plan: Plan, host: HostInfo, position: CoreRange, folder: Path) -> None:
        self.contest, self.plan, self.host = offer.contest, plan, host
        self.position, self.folder = position, folder
        self.last_used = time.monotonic()
        self.stopping, self._aborted = threading.Event(), threading.Event()
        self._changed = threading.Condition()
        self._idle: list[_Lane] = []
        self._busy: list[_Lane] = []
        self._made = 0

    @contextlib.contextmanager
    def _lane(self) -> Iterator[_Lane]:
        with self._changed:
            lane = self._idle.pop() if self._idle else None
            if lane is None:
                lane, self._made = _Lane(self, self._made), self._made + 1
            self._busy.append(lane)
        healthy = False
        try:
            yield lane
            healthy = True
        finally:
            with self._changed:
                self._busy.remove(lane)
                self.last_used = time.monotonic()
                if healthy:
                    self._idle.append(lane)
                self._changed.notify_all()
            if not healthy:
                lane.close()
                with self._changed:
                    self._made = min(self._made, len(self._idle) + len(self._busy))

    def play(self, jobs: list[Job], wanted: Any) -> list[Shipped]:
        """Play a batch; what has been played by then if the head stops, or if ``wanted`` returns False."""
        played: list[Shipped] = []
        with contextlib.suppress(HeadStopped), self._lane() as lane:
            for job in jobs:
                if self.stopping.is_set() or not wanted():
                    break
                played.append(lane.play(job, self._aborted))
        return played

    def excerpts(self, known: Mapping[int, tuple[int, int]]) -> list[Excerpt]:
        """Return what is new in the records that are being written."""
        with self._changed:
            busy = list(self._busy)
        return [found for lane in busy if (found := lane.excerpt(known))]

    @property
    def idle_s(self) -> float:
        """How long no game has been played here; 0 during a game."""
        with self._changed:
            return 0.0 if self._busy else time.monotonic() - self.last_used

    def close(self) -> None:
        """End all worker processes and their agents, in the middle of a game if need be, and remove all files."""
        self.stopping.set()
        self._aborted.set()
        with self._changed:
            for lane in self._busy:
                with contextlib.suppress(OSError):
                    os.write(lane.writable, b"x")
            self._changed.wait_for(lambda: not self._busy, _CLOSING_S)
            idle, self._idle = self._idle, []
        for lane in idle:
            lane.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def teardown(self, worker: Worker) -> None:
        """Close with the Dask worker."""
        self.close()


def _new_folder(run: str) -> Path:
    """Make a folder for a station, locked for as long as this process lives, and remove those of processes that are gone."""
    folder = cluster_folder() / "runs"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    guard = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(guard, fcntl.LOCK_EX)
        for old in folder.iterdir():
            if old.is_dir() and not old.is_symlink() and _is_abandoned(old):
                shutil.rmtree(old, ignore_errors=True)
        new = Path(tempfile.mkdtemp(prefix=f"{run}-", dir=folder))
        fcntl.flock(os.open(new, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), fcntl.LOCK_EX)
        return new
    finally:
        os.close(guard)


def _is_abandoned(folder: Path) -> bool:
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True


def _make(offer: Offer, found: HostFacts, position: CoreRange, worker: str) -> Station:
    folder = _new_folder(offer.run)
    info = HostInfo(name=found.host, cpu=found.cpu, cores=found.cores, speed=found.speed, worker=worker)
    try:
        plan = prepare_host(offer, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    ParcelStore().prune()
    return Station(offer, plan, info, position, folder)


# -- called by the head


async def inspect() -> bytes:
    """Return the facts of this machine."""
    return msgspec.json.encode(await asyncio.to_thread(facts))


async def examine_host() -> tuple[bytes, str]:
    """Return the facts of this machine and the strongest sandbox level that works here."""
    return await inspect(), (await asyncio.to_thread(choose_sandbox, AUTO)).level


async def missing_archives(keys: list[str]) -> list[str]:
    """Return which archives this machine lacks."""
    return ParcelStore().missing(keys)


async def deliver(key: str, data: bytes) -> None:
    """Keep an archive."""
    await asyncio.to_thread(ParcelStore().add, key, data)


async def open_station(offer: bytes, found: bytes, position: bytes, dask_worker: Worker) -> str:
    """Prepare to play; return why that is not possible, empty if it is."""
    wanted = plans.decode_plan(offer, Offer)
    where = msgspec.json.decode(position, type=CoreRange)
    known = msgspec.json.decode(found, type=HostFacts)
    for name, other in list(dask_worker.plugins.items()):
        if isinstance(other, Station) and other.idle_s > _ABANDONED_S:
            await _close(dask_worker, name)
    try:
        station = await asyncio.to_thread(_make, wanted, known, where, str(dask_worker.name))
    except UserError as error:
        return str(error)
    await dask_worker.plugin_add(station, name=resource(wanted.run))
    await dask_worker.set_resources(**{resource(wanted.run): where.lanes})
    return ""


async def excerpts(run: str, known: dict[int, tuple[int, int]], dask_worker: Worker) -> bytes:
    """Return what is new in the records that are being written here; ``known`` has what the head has of some of them."""
    found: list[Excerpt] = []
    if isinstance(station := dask_worker.plugins.get(resource(run)), Station):
        found = await asyncio.to_thread(station.excerpts, known)
    return msgspec.msgpack.encode(found)


async def stop_soon(run: str, dask_worker: Worker) -> None:
    """Finish the games being played, and start no more."""
    if isinstance(station := dask_worker.plugins.get(resource(run)), Station):
        station.stopping.set()


async def close_station(run: str, dask_worker: Worker) -> None:
    """End everything of a run on this machine, in the middle of a game if need be."""
    await _close(dask_worker, resource(run))


async def _close(worker: Worker, name: str) -> None:
    if isinstance(station := worker.plugins.pop(name, None), Station):
        await worker.set_resources(**{name: 0})
        await asyncio.to_thread(station.close)


def play_batch(run: str, jobs: bytes) -> list[bytes]:
    """Play the games of a batch one after the other: the task that Dask schedules."""
    worker = get_worker()
    station = worker.plugins[resource(run)]
    if not isinstance(station, Station):
        raise TypeError("no station of arbiter")
    key = worker.get_current_task()

    def wanted() -> bool:
        # When its head is gone, Dask cancels a task but cannot interrupt it.
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    batch = msgspec.json.decode(jobs, type=list[Job])
    return [msgspec.msgpack.encode(each) for each in station.play(batch, wanted)]
