"""The plugin of a Dask worker that plays the games of one run."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

import msgspec
from distributed.diagnostics.plugin import WorkerPlugin

from arbiter.agents.prepare.cache import Cache
from arbiter.cluster.host import HostFacts
from arbiter.cluster.payload import RunSpec
from arbiter.cluster.prepare_host import prepare_host
from arbiter.cluster.slot import Excerpt, HeadStopped, Slot
from arbiter.cluster.transfer import SentGame
from arbiter.contest.pool import WorkerNumbers
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan
from arbiter.records.format import HostInfo

if TYPE_CHECKING:
    from distributed import Worker

_CLOSING_S = 10


class CoreRange(msgspec.Struct, frozen=True):
    """The cores of its machine that a Dask worker plays on."""

    first: int
    """The number of its first core."""
    count: int
    """How many games it may play at the same time."""
    total: int
    """Games at the same time on the whole machine."""


class GamePlugin(WorkerPlugin):
    """Plays the games of one run on one Dask worker, and is closed with it."""

    def __init__(self, contest: str, plan: Plan, host: HostInfo, cores: CoreRange, files: contextlib.ExitStack) -> None:
        """``files`` removes the files of the run when it is closed."""
        self._contest, self._plan, self._host = contest, plan, host
        self._cores, self._files = cores, files
        self._last_used = time.monotonic()
        self._stopping, self._aborted = threading.Event(), threading.Event()
        self._changed = threading.Condition()
        self._idle: dict[int, Slot] = {}
        self._busy: dict[int, Slot] = {}

    @contextlib.contextmanager
    def _slot(self) -> Iterator[Slot]:
        """Take an idle slot, or open one, for the time of the block. A slot that fails is closed."""
        with self._changed:
            number, slot = self._idle.popitem() if self._idle else self._new_slot()
            self._busy[number] = slot
        healthy = False
        try:
            yield slot
            healthy = True
        finally:
            if not healthy:
                slot.close()
            with self._changed:
                del self._busy[number]
                self._last_used = time.monotonic()
                if healthy:
                    self._idle[number] = slot
                self._changed.notify_all()

    def _new_slot(self) -> tuple[int, Slot]:
        number = next(number for number in range(len(self._busy) + 1) if number not in self._busy)
        numbers = WorkerNumbers(self._cores.total, self._cores.first + number, self._host)
        return number, Slot(self._plan, self._contest, numbers, self._plan.save / str(number))

    def play(self, jobs: list[Job], wanted: Callable[[], bool]) -> list[SentGame]:
        """Play a batch; what has been played by then if the head stops, or if ``wanted`` returns False."""
        played: list[SentGame] = []
        with contextlib.suppress(HeadStopped), self._slot() as slot:
            for job in jobs:
                if self._stopping.is_set() or not wanted():
                    break
                played.append(slot.play(job, self._aborted))
        return played

    def excerpts(self, known: Mapping[int, tuple[int, int]]) -> list[Excerpt]:
        """Return what is new in the records that are being written."""
        with self._changed:
            busy = list(self._busy.values())
        return [found for slot in busy if (found := slot.excerpt(known))]

    @property
    def idle_s(self) -> float:
        """How long no game has been played here; 0 during a game."""
        with self._changed:
            return 0.0 if self._busy else time.monotonic() - self._last_used

    def stop_soon(self) -> None:
        """Finish the games being played, and start no more."""
        self._stopping.set()

    def close(self) -> None:
        """End all worker processes and their agents, in the middle of a game if need be, and remove all files."""
        self._stopping.set()
        self._aborted.set()
        with self._changed:
            for slot in self._busy.values():
                slot.wake()
            self._changed.wait_for(lambda: not self._busy, _CLOSING_S)
            idle, self._idle = self._idle, {}
        for slot in idle.values():
            slot.close()
        self._files.close()

    def teardown(self, worker: Worker) -> None:
        """Close with the Dask worker."""
        self.close()


def prepare_plugin(spec: RunSpec, found: HostFacts, cores: CoreRange, worker: str) -> GamePlugin:
    """Unpack and build the agents of a run on this machine. Raises UserError with the reason why it cannot play here."""
    host = HostInfo(name=found.host, cpu=found.cpu, cores=found.cores, speed=found.speed, worker=worker)
    cache = Cache("runs")
    cache.prune()
    with contextlib.ExitStack() as files:
        plan = prepare_host(spec, files.enter_context(cache.new_folder()))
        return GamePlugin(spec.contest, plan, host, cores, files.pop_all())
