"""Following games while hosts play them: some of their growing records are mirrored at the head.

Whoever looks at the folder of a contest (``--watch``, ``arbiter standings --follow``, the terminal) then sees running games as if they were
played here. A mirror is removed when the complete record has arrived, or when the game has to be played again. It never
has the result of its game: what a head that was killed leaves behind is an interrupted game. Only a record that arrived with
its checksum and its log counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from arbiter.cluster import rpc
from arbiter.cluster.slot import Excerpt
from arbiter.contest.progress import RunningGame
from arbiter.playing.job import Job
from arbiter.records.reader import MOST_BYTES

MOST_HOSTS, MOST_GAMES = 8, 16
"""Asked at a time, and followed at a time: enough for a screen, and no load for a cluster of any size."""
_EVERY_S, _SHARE = 1.0, 20
"""The interval between two requests to a host, and the share of the time they may take: one part in twenty."""
WORTH_S = 1.0
"""Shorter games are not followed, unless no game has ended for twice as long."""
_RESULT = b'\n{"type":"result"'
"""The line end before a result, and how that line begins: within a line, line ends are escaped."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class _Mirror:
    """What has arrived of one record."""

    def __init__(self, job: Job, excerpt: Excerpt) -> None:
        self.job, self.begun, self.core = job, excerpt.begun, excerpt.core
        self.size = 0
        self._tail = b""
        self._file: int | None = None

    def add(self, data: bytes) -> bool:
        """Append what is new, up to the result, and no more than a record may have; returns whether there was anything. A file that
        cannot be written is not shown; the game is not affected."""
        before, data = self.size, data[: MOST_BYTES - self.size]
        joined = self._tail + data
        if (end := joined.find(_RESULT)) >= 0:
            data = data[: max(0, end + 1 - len(self._tail))]
        with contextlib.suppress(OSError):
            if self._file is None:
                # Like the record of a game played here: nobody else reads the deal, and the lock says that it is written.
                self._file = os.open(self.job.path, _NEW, 0o600)
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            while data:
                written = os.write(self._file, data)
                self._tail = (self._tail + data[:written])[-len(_RESULT) :]
                self.size, data = self.size + written, data[written:]
        return self.size > before

    def close(self) -> None:
        """Remove it, unless the complete record has replaced it."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                if os.path.samestat(os.fstat(self._file), os.lstat(self.job.path)):
                    Path(self.job.path).unlink()
            os.close(self._file)


class Follower:
    """Mirrors the records of some games. The main thread says which games are on their way; the rest is in the loop of the
    Dask client."""

    def __init__(self, run: str, call: Callable[..., Any], changed: Callable[[], None]) -> None:
        """``call`` calls a function on the worker at an address, and ``changed`` is called when more is known."""
        self._run, self._call, self._changed = run, call, changed
        self._jobs: dict[int, Job] = {}
        self._mirrors: dict[int, _Mirror] = {}
        self._lock = threading.Lock()
        self.game_s: float | None = None
        """How long a game takes, once one has been measured."""
        self._last_end = time.monotonic()

    # -- in the main thread

    def begin(self, jobs: Sequence[Job]) -> None:
        """Note that games have been sent to hosts."""
        with self._lock:
            self._jobs.update((job.number, job) for job in jobs)

    def end(self, jobs: Sequence[Job]) -> None:
        """Remove the mirrors of games that have arrived, or have to be played again."""
        with self._lock:
            self._last_end = time.monotonic()
            for job in jobs:
                self._jobs.pop(job.number, None)
                if mirror := self._mirrors.pop(job.number, None):
                    mirror.close()

    @property
    def running(self) -> tuple[RunningGame, ...]:
        """The games that are followed, by number."""
        with self._lock:
            found = sorted((number, mirror) for number, mirror in self._mirrors.items() if mirror.size)
        return tuple(RunningGame(one.core, number, one.job.game.seats, one.job.path) for number, one in found)

    # -- in the loop of the client

    async def watch(self, addresses: Callable[[], Sequence[str]]) -> None:
        """Poll some hosts until cancelled."""
        while True:
            took_s, start = 0.0, time.monotonic()
            if self.game_s is None or self.game_s >= WORTH_S or start - self._last_end >= 2 * WORTH_S:
                with contextlib.suppress(OSError, LookupError, TypeError, msgspec.DecodeError):  # a host that is gone
                    await asyncio.gather(*(self._ask(address) for address in addresses()[:MOST_HOSTS]))
                took_s = time.monotonic() - start
            await asyncio.sleep(max(_EVERY_S, _SHARE * took_s))

    async def _ask(self, address: str) -> None:
        with self._lock:
            known = {number: (mirror.begun, mirror.size) for number, mirror in self._mirrors.items()}
        answer = await self._call(address, rpc.excerpts, self._run, known)
        self.take(msgspec.msgpack.decode(answer, type=list[Excerpt]))

    def take(self, excerpts: Sequence[Excerpt]) -> None:
        """Append excerpts from a host to the mirrors."""
        fresh = False
        with self._lock:
            for each in excerpts:
                job = self._jobs.get(each.number)
                if job is None:  # it has ended meanwhile
                    continue
                mirror = self._mirrors.get(each.number)
                if mirror and mirror.begun != each.begun:  # played again elsewhere
                    self._mirrors.pop(each.number).close()
                    mirror = None
                if mirror is None and len(self._mirrors) < MOST_GAMES and each.offset == 0:
                    mirror = self._mirrors[each.number] = _Mirror(job, each)
                if mirror and each.offset == mirror.size and mirror.add(each.data):
                    fresh = True
        if fresh:
            self._changed()
