"""The players of a contest on a cluster: games go to Dask in batches, records are returned as bytes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import secrets
import select
from collections.abc import Coroutine, Iterator
from concurrent.futures import Future as LoopFuture
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import msgspec

from arbiter.cluster import rpc
from arbiter.cluster.batches import QUEUED, batch_size
from arbiter.cluster.enrolment import Enrolment
from arbiter.cluster.following import Follower
from arbiter.cluster.payload import pack_agents
from arbiter.cluster.transfer import decode_game, save_game
from arbiter.contest.progress import RunningGame
from arbiter.contest.worker import Done
from arbiter.errors import UserError
from arbiter.playing.job import Job
from arbiter.playing.plan import Plan
from arbiter.text import safe

if TYPE_CHECKING:
    from distributed import Client

_CLOSING_S = 15
_WEIGHT = 0.2
"""Of the latest batch in the mean time of a game."""


@dataclass(slots=True, eq=False)
class _Batch:
    """Games that are played one after the other on one core."""

    jobs: list[Job]
    host: str
    """The host it must be played on; empty for any."""
    future: Any
    """Dask's."""
    follower: LoopFuture[None] | None = None


class ClusterPool:
    """Plays games on a cluster; see :class:`arbiter.contest.players.Players`."""

    def __init__(
        self,
        client: Client,
        plan: Plan,
        contest: str,
        wake_up: int | None,
        *,
        most: int | None,
        allow_uncontained: bool,
    ) -> None:
        """Pack what hosts need. Raises UserError for an agent that cannot be sent."""
        self._client, self._wake_up = client, wake_up
        self._dask: Any = client  # the same, whose methods are not annotated
        self._run = secrets.token_hex(6)
        payload = pack_agents(plan, contest, self._run, allow_uncontained=allow_uncontained)
        self._readable, self._writable = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._enrolment = Enrolment(client, payload, most, self._wake)
        self._follower = Follower(self._run, self._enrolment.call, self._wake)
        self._results: queue.SimpleQueue[tuple[_Batch, list[bytes] | BaseException]] = queue.SimpleQueue()
        self._buffer: list[Job] = []
        self._in_flight: dict[_Batch, None] = {}
        self._sent = self._in_hand = 0
        self._game_s: float | None = None
        self._stopping = self._had_none = self._had_some = False
        self._watching: list[LoopFuture[None]] = []

    # -- in the main thread

    def __enter__(self) -> Self:
        self._watching = [self._start(self._enrolment.watch()), self._start(self._follower.watch(self._addresses))]
        try:
            # Until somebody can play, or there is something to say: the news are shown before the next wait.
            while not self._somebody_plays() and not self._enrolment.waits:
                if self._wait_for_events():
                    break
        except UserError:
            self.__exit__(None)
            raise
        return self

    def _somebody_plays(self) -> bool:
        """Return whether a worker has been ready to play in this run. Raises UserError if the scheduler is gone, or if no host
        can play."""
        if self._enrolment.lost:
            self._raise_lost()
        self._had_some = self._had_some or bool(self._enrolment.slots)
        if not self._had_some:
            self._enrolment.check_first_hosts()
        return self._had_some

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._stopping = True
        for watching in self._watching:
            watching.cancel()
        for batch in self._in_flight:
            if batch.follower:
                batch.follower.cancel()
            self._follower.end(batch.jobs)
        with contextlib.suppress(Exception):  # in whatever state the cluster is, this run is over
            if self._in_flight and not self._enrolment.lost:
                self._dask.cancel([batch.future for batch in self._in_flight], force=True)
        self._in_flight.clear()
        if not self._enrolment.lost:
            closing = self._start(self._enrolment.on_all(rpc.close_run, self._run))
            with contextlib.suppress(Exception):
                closing.result(_CLOSING_S)
        os.close(self._readable)
        os.close(self._writable)
        self._readable = self._writable = -1

    @property
    def in_hand(self) -> int:
        """Number of games in flight."""
        return self._in_hand

    @property
    def running(self) -> tuple[RunningGame, ...]:
        """Some of the games being played, with a mirror of their records here; very short games are left out."""
        return self._follower.running

    @property
    def free(self) -> bool:
        """Whether one more game can be begun: there is room for a batch, or a deal is not complete."""
        if self._buffer and self._buffer[-1].more:
            return True
        return not self._stopping and len(self._in_flight) < QUEUED * self._enrolment.slots

    def begin(self, job: Job) -> None:
        """Add a game to the next batch, which is sent when it is large enough and its deals are complete."""
        if self._buffer and self._buffer[0].host != job.host and not self._buffer[-1].more:
            self._flush()
        self._buffer.append(job)
        self._in_hand += 1
        wanted = batch_size(self._game_s, self._enrolment.slots, job.left)
        if len(self._buffer) >= wanted and not job.more:
            self._flush()

    def stop_soon(self) -> None:
        """Finish the games being played and drop the rest of every batch."""
        if not self._stopping:
            self._stopping = True
            self._in_hand -= len(self._buffer)
            self._buffer.clear()
            self._start(self._enrolment.on_all(rpc.stop_soon, self._run))

    def news(self) -> list[str]:
        """Return which workers have come, gone, or been refused."""
        found, self._enrolment.news = self._enrolment.news, []
        return found

    def wait(self) -> Iterator[tuple[Job, Done]]:
        """Wait until games or workers arrive, and yield the games that have ended. Raises UserError when the scheduler is
        lost."""
        self._flush()
        if self.in_hand or not self._enrolment.slots:
            self._wait_for_events()
        while not self._results.empty():
            batch, result = self._results.get()
            if batch in self._in_flight:
                del self._in_flight[batch]
                self._in_hand -= len(batch.jobs)
                yield from self._save_batch(batch, result)
        self._somebody_plays()
        self._send_again()

    def _save_batch(self, batch: _Batch, result: list[bytes] | BaseException) -> Iterator[tuple[Job, Done]]:
        jobs = {job.number: job for job in batch.jobs}
        if isinstance(result, BaseException):
            reason = "the workers that played it were lost" if "Killed" in type(result).__name__ else str(result)
            reason = reason.splitlines()[0] if reason else type(result).__name__
            self._follower.end(batch.jobs)
            yield from ((job, Done(job.number, f"cluster: {safe(reason, 400)}", lost=True)) for job in batch.jobs)
            return
        arrived = [sent for each in result if (sent := decode_game(each)) and sent.number in jobs]
        for sent in arrived:
            if job := jobs.pop(sent.number, None):
                done = save_game(sent, job)
                self._follower.end([job])
                yield job, done
        if arrived:
            latest = sum(sent.took_s for sent in arrived) / len(arrived)
            self._game_s = latest if self._game_s is None else (1 - _WEIGHT) * self._game_s + _WEIGHT * latest
            self._follower.game_s = self._game_s
        self._follower.end([*jobs.values()])
        for job in [] if self._stopping else jobs.values():
            yield job, Done(job.number, "cluster: its batch was cut short", lost=True)

    def _flush(self) -> None:
        """Send the games that were begun as one batch."""
        if self._buffer:
            jobs, self._buffer = self._buffer, []
            self._send(jobs, jobs[0].host)

    def _send(self, jobs: list[Job], host: str) -> None:
        """Submit a batch; to the host that has played other games of its deals, if that is there."""
        there = [one.address for one in self._enrolment.enrolled.values() if host and one.facts.host == host]
        self._sent += 1
        try:
            future = self._dask.submit(
                rpc.play_batch,
                self._run,
                msgspec.json.encode(jobs),
                key=f"arbiter-{self._run}-{self._sent}",
                workers=there or None,
                resources={rpc.resource(self._run): 1},
                retries=2,
                pure=False,
            )
        except Exception:  # noqa: BLE001 - the client has lost its scheduler
            self._raise_lost()
        batch = _Batch(jobs, host if there else "", future)
        self._in_flight[batch] = None
        self._follower.begin(jobs)
        batch.follower = self._start(self._follow(batch))

    def _send_again(self) -> None:
        """Send batches again that no worker can play now.

        Dask gives the tasks of a lost worker to others that have the resource. But it does not look for a worker again
        when one gets the resource later, or when the only host that a task was meant for is gone.
        """
        slots, hosts = self._enrolment.slots, self._enrolment.hosts
        stuck = [batch for batch in self._in_flight if batch.host and batch.host not in hosts]
        if slots and self._had_none:
            stuck = list(self._in_flight)
        self._had_none = not slots
        for batch in stuck if slots else ():
            del self._in_flight[batch]
            if batch.follower:
                batch.follower.cancel()
            with contextlib.suppress(Exception):
                self._dask.cancel([batch.future], force=True)
            self._send(batch.jobs, "")

    def _wait_for_events(self) -> bool:
        """Wait until something happens; returns whether that was a signal to this process."""
        poll = select.poll()
        for fd in [self._readable, *([] if self._wake_up is None else [self._wake_up])]:
            poll.register(fd, select.POLLIN)
        signalled = False
        for fd, _ in poll.poll():
            with contextlib.suppress(BlockingIOError):
                os.read(fd, 65536)
            signalled = signalled or fd == self._wake_up
        return signalled

    def _raise_lost(self) -> None:
        self._enrolment.lost = self._enrolment.lost or "connection closed"
        raise UserError(
            "the Dask scheduler is gone: finished games are saved, and the same command goes on when it is back"
        )

    def _start(self, work: Coroutine[Any, Any, None]) -> LoopFuture[None]:
        """Run a coroutine in the loop of the client."""
        loop: Any = self._client.loop
        return asyncio.run_coroutine_threadsafe(work, loop.asyncio_loop)

    # -- in the loop of the client

    def _addresses(self) -> list[str]:
        return [*self._enrolment.enrolled]

    async def _follow(self, batch: _Batch) -> None:
        """Wait for the result of a batch and hand it to the main thread."""
        from distributed.client import FutureCancelledError

        try:
            result: list[bytes] | BaseException = await batch.future
        except (FutureCancelledError, asyncio.CancelledError) as error:
            if not self._stopping and batch in self._in_flight:
                self._enrolment.lost = self._enrolment.lost or f"{type(error).__name__}"
            self._wake()
            return
        except Exception as error:  # noqa: BLE001 - a result of the batch like any other
            result = error
        self._results.put((batch, result))
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # the pipe is full, or closed already
            os.write(self._writable, b"x")
