"""A real Dask cluster on the loopback address: a scheduler and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import psutil

from arbiter.cluster.players import cluster_players
from arbiter.contest.definition import Contest
from arbiter.contest.progress import ContestObserver, RunResult
from arbiter.contest.runner import run_contest

PATIENCE_S = 600


class Cluster:
    """A scheduler, and workers that are started by name. Use as a context manager."""

    def __init__(self, folder: Path, *, ttl: str = "300s") -> None:
        self._folder, self._ttl = folder, ttl
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self._started = 0
        self.start_scheduler()

    def start_scheduler(self) -> None:
        """Start it and wait until it answers. A busy machine may take longer for that than the arbiter waits."""
        from distributed import Client

        self.scheduler = self._start("dask_scheduler", "--host", "127.0.0.1", "--port", str(self.port))
        Client(self.address, timeout=PATIENCE_S, set_as_default=False).close()

    def start_worker(self, name: str, *words: str, environment: Mapping[str, str] | None = None) -> None:
        """Start a worker that plays one game at a time, with more options of its command and more of an environment."""
        self.workers[name] = self._start(
            "dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--name", name, "--local-directory",
            str(self._folder / "dask"), "--memory-limit", "0", *words, environment=environment,
        )  # fmt: skip

    def repair(self, workers: int) -> None:
        """Start what is missing: the scheduler, and workers with new names."""
        if self.scheduler.poll() is not None:
            for name in list(self.workers):
                self.kill(name)
            self.start_scheduler()
        for name in [name for name, worker in self.workers.items() if worker.poll() is not None]:
            del self.workers[name]
        while len(self.workers) < workers:
            self._started += 1
            self.start_worker(f"w{self._started}")

    def _start(self, module: str, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        environment = {**os.environ, **(environment or {}), "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": self._ttl}
        environment["DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT"] = "1s"
        log = (self._folder / f"{module}.log").open("ab")
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words, "--no-dashboard"],
            env=environment, stdout=log, stderr=log, cwd=self._folder,
        )  # fmt: skip

    def kill(self, name: str) -> None:
        """Kill a worker outright."""
        worker = self.workers.pop(name)
        worker.kill()
        worker.wait(PATIENCE_S)

    def worker_of(self, game_process: int) -> str:
        """Return the name of the worker that a process which plays games belongs to."""
        parent = psutil.Process(game_process).ppid()
        return next(name for name, worker in self.workers.items() if worker.pid == parent)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        for process in (*self.workers.values(), self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
        for process in (*self.workers.values(), self.scheduler):
            process.wait(PATIENCE_S)


def play(contest: Contest, address: str, observer: ContestObserver | None = None) -> RunResult:
    """Run a contest on a cluster, in this process."""
    with cluster_players(address) as players:
        return run_contest(contest, observer, players=players)


@contextlib.contextmanager
def playing(contest: Contest, address: str, observer: ContestObserver | None = None) -> Iterator[Future[RunResult]]:
    """Run a contest in a thread, for the time of the block at least."""
    with ThreadPoolExecutor(1) as threads:
        yield threads.submit(play, contest, address, observer)


class Damaging:
    """A proxy in front of the scheduler that changes one byte of the first record on its way to the head."""

    def __init__(self, port: int) -> None:
        self._target, self._listening = port, socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp://127.0.0.1:{self._listening.getsockname()[1]}"
        self.damaged = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._target))
                threading.Thread(target=self._copy, args=(near, far, False), daemon=True).start()
                threading.Thread(target=self._copy, args=(far, near, True), daemon=True).start()

    def _copy(self, source: socket.socket, target: socket.socket, towards_head: bool) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 20):
                at = data.find(b'"reason":"')
                if towards_head and at >= 0 and not self.damaged.is_set():
                    data = data[: at + 10] + b"?" + data[at + 11 :]
                    self.damaged.set()
                target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._listening.close()
