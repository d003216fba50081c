"""The workers of a cluster as the head knows them: who may play, on how many cores, and who was refused and why.

Runs in the event loop of the Dask client. Workers come and go at any time; a worker counts as enrolled only as long as the
scheduler says that it has the resource of this run, so one that was restarted is enrolled again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from arbiter.cluster import rpc
from arbiter.cluster.host import HostFacts, why_refused
from arbiter.cluster.payload import Payload
from arbiter.cluster.worker_plugin import CoreRange
from arbiter.errors import UserError
from arbiter.playing.plan import encode_plan
from arbiter.text import count, safe

if TYPE_CHECKING:
    from distributed import Client

_EVERY_S = 0.5
_SLOWEST_S = 5.0
"""The polling interval for a cluster of a thousand workers."""
_LONG_S = 5.0
"""After this time without a worker that is ready, the user is told what is waited for."""


class Enrolled(msgspec.Struct, frozen=True):
    """A Dask worker that plays games."""

    address: str
    facts: HostFacts
    cores: CoreRange


class Enrolment:
    """Keeps track of the workers of one run."""

    def __init__(self, client: Client, payload: Payload, most: int | None, changed: Callable[[], None]) -> None:
        """``most`` caps the games played at the same time; ``changed`` is called when something has happened."""
        self._client, self._payload, self._most, self._changed = client, payload, most, changed
        self._spec = encode_plan(payload.spec)
        self.enrolled: dict[str, Enrolled] = {}
        self.slots = 0
        """How many games can be played at the same time."""
        self.refused: dict[str, str] = {}
        """Addresses, each with a line that names host and reason."""
        self.pending: dict[str, asyncio.Task[None]] = {}
        self.present = 0
        """Workers of the cluster, whether they may play or not."""
        self.lost = ""
        """Why the scheduler was lost."""
        self.has_surveyed = False
        self.news: list[str] = []
        self.waits = False
        """Whether the news have said that games cannot begin yet."""
        self._began_s = time.monotonic()
        self._sending: dict[str, asyncio.Lock] = {}
        self._cores: dict[str, tuple[str, CoreRange]] = {}
        """Machine and cores by address, also of workers that are being enrolled."""

    @property
    def hosts(self) -> list[str]:
        """Names of the machines that play."""
        return sorted({one.facts.host for one in self.enrolled.values()})

    def check_first_hosts(self) -> None:
        """Say once in the news what the first game waits for. Raises UserError if no host can play."""
        waiting = self.pending or not self.has_surveyed
        if self.refused and not waiting:
            raise UserError("no host of the cluster can play:\n" + "\n".join(self.refused.values()))
        if not self.waits and not waiting:
            self.news.append("cluster: waiting for workers, there are none")
            self.waits = True
        if not self.waits and self.pending and time.monotonic() - self._began_s > _LONG_S:
            self.news.append(f"cluster: waiting for {count(len(self.pending), 'worker')} to get ready")
            self.waits = True

    async def watch(self) -> None:
        """Poll the cluster until cancelled."""
        try:
            while True:
                workers = await self._workers()
                self._forget(workers)
                for address, worker in workers.items():
                    if address not in self.enrolled and address not in self.refused and address not in self.pending:
                        self.pending[address] = asyncio.create_task(self._enrol(address, worker))
                self.has_surveyed = True
                self._changed()
                await asyncio.sleep(min(_SLOWEST_S, _EVERY_S + len(workers) / 200))
        except asyncio.CancelledError:
            for task in self.pending.values():
                task.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - however the connection was lost
            self.lost = f"{type(error).__name__}: {error}".splitlines()[0]
            self._changed()

    async def _workers(self) -> dict[str, Any]:
        if self._client.scheduler is None or self._client.status != "running":
            raise ConnectionError("the connection to the scheduler was lost")
        known = await asyncio.wait_for(self._client.scheduler.identity(n_workers=-1), 30)
        workers: dict[str, Any] = known["workers"]
        self.present = len(workers)
        return workers

    def _forget(self, workers: dict[str, Any]) -> None:
        """Drop workers that are gone, or have restarted at the same address."""
        name = rpc.resource(self._payload.spec.run)
        for address in [*self.enrolled]:
            if not workers.get(address, {}).get("resources", {}).get(name):
                gone = self.enrolled.pop(address)
                self.slots -= gone.cores.count
                self._cores.pop(address, None)
                self.news.append(f"cluster: worker {_label(gone.facts.host, address)} is gone")
        for address in [*self.refused]:
            if address not in workers:
                del self.refused[address]

    async def _enrol(self, address: str, worker: dict[str, Any]) -> None:
        host = worker.get("host") or address
        try:
            found = msgspec.json.decode(await self.call(address, rpc.inspect_host), type=HostFacts)
            host = found.host
            reason = why_refused(found) or await self._open(address, worker, found)
        except asyncio.CancelledError:
            raise
        except UserError as error:
            reason = str(error)
        except (ImportError, AttributeError) as error:
            reason = f"arbiter is not installed there, or in another version ({error})"
        except Exception as error:  # noqa: BLE001 - whatever goes wrong there, that worker gets no games
            reason = f"{type(error).__name__}: {error}".splitlines()[0][:300]
        finally:
            self.pending.pop(address, None)
        if reason:
            self._cores.pop(address, None)
            self.refused[address] = f"cluster: {_label(host, address)} is refused: {safe(reason, 400)}"
            self.news.append(self.refused[address])
        self._changed()

    async def _open(self, address: str, worker: dict[str, Any], found: HostFacts) -> str:
        cores = self._choose_cores(address, int(worker["nthreads"]), found)
        if not cores.count:
            return f"all {found.cores} cores are taken by other workers of that machine, or by --workers"
        async with self._sending.setdefault(found.cache_id, asyncio.Lock()):
            for key in await self.call(address, rpc.missing_archives, [*self._payload.archives]):
                await self.call(address, rpc.store_archive, key, self._payload.archives[key])
        where, seen = msgspec.json.encode(cores), msgspec.json.encode(found)
        if reason := await self.call(address, rpc.open_run, self._spec, seen, where):
            return str(reason)
        self.enrolled[address] = Enrolled(address, found, cores)
        self.slots += cores.count
        games = "1 game" if cores.count == 1 else f"{cores.count} games"
        self.news.append(
            f"cluster: {_label(found.host, address)} plays {games} at a time ({safe(found.cpu, 80)}, speed {found.speed:g})"
        )
        return ""

    def _choose_cores(self, address: str, threads: int, found: HostFacts) -> CoreRange:
        """Choose cores of the machine that no other worker there has."""
        others = [cores for machine, cores in self._cores.values() if machine == found.machine]
        taken = {core for other in others for core in range(other.first, other.first + other.count)}
        first = next(core for core in range(found.cores + 1) if core not in taken)
        free = next((core for core in range(first, found.cores) if core in taken), found.cores) - first
        cap = free if self._most is None else self._most - sum(one.count for _, one in self._cores.values())
        cores = CoreRange(first, max(0, min(threads, free, cap)), found.cores)
        self._cores[address] = (found.machine, cores)
        return cores

    async def call(self, address: str, function: Any, *args: Any) -> Any:
        """Call a function on one worker."""
        return (await self._client.run(function, *args, workers=[address], asynchronous=True))[address]

    async def on_all(self, function: Any, *args: Any) -> None:
        """Call a function on all enrolled workers, ignoring failures."""
        if addresses := [*self.enrolled]:
            await self._client.run(function, *args, workers=addresses, on_error="ignore", asynchronous=True)


def _label(host: str, address: str) -> str:
    return f"{safe(host, 80)} ({safe(address, 80)})"
