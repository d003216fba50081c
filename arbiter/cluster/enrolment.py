"""The workers of a cluster as the head knows them: who may play, on how many cores, and who was refused and why.

Runs in the event loop of the Dask client. Workers come and go at any time; a worker counts as enrolled only as long as the
scheduler says that it has the resource of this run, so one that was restarted is enrolled again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from arbiter.cluster import station
from arbiter.cluster.host import HostFacts, why_refused
from arbiter.cluster.parcels import Consignment
from arbiter.cluster.station import CoreRange
from arbiter.errors import UserError
from arbiter.plan import encode_plan
from arbiter.text import safe

if TYPE_CHECKING:
    from distributed import Client

_EVERY_S = 0.5
_SLOWEST_S = 5.0
"""Between two looks at a cluster of a thousand workers."""


class Enrolled(msgspec.Struct, frozen=True):
    """A Dask worker that plays games."""

    address: str
    facts: HostFacts
    position: CoreRange


class Enrolment:
    """Keeps track of the workers of one run."""

    def __init__(self, client: Client, goods: Consignment, most: int | None, changed: Callable[[], None]) -> None:
        """``most`` caps the games played at the same time; ``changed`` is called when something has happened."""
        self._client, self._goods, self._most, self._changed = client, goods, most, changed
        self._offer = encode_plan(goods.offer)
        self.enrolled: dict[str, Enrolled] = {}
        self.lanes = 0
        """How many games can be played at the same time."""
        self.refused: dict[str, str] = {}
        """Addresses, each with a line that names host and reason."""
        self.pending: dict[str, asyncio.Task[None]] = {}
        self.present = 0
        """Workers of the cluster, whether they may play or not."""
        self.lost = ""
        """Why the scheduler was lost."""
        self.looked = False
        self.news: list[str] = []
        self._places: dict[str, asyncio.Lock] = {}
        self._positions: dict[str, tuple[str, CoreRange]] = {}
        """Machine and cores by address, also of workers that are being enrolled."""

    @property
    def hosts(self) -> list[str]:
        """Names of the machines that play."""
        return sorted({one.facts.host for one in self.enrolled.values()})

    async def watch(self) -> None:
        """Look at the cluster until cancelled."""
        try:
            while True:
                workers = await self._workers()
                self._forget(workers)
                for address, worker in workers.items():
                    if address not in self.enrolled and address not in self.refused and address not in self.pending:
                        self.pending[address] = asyncio.create_task(self._enrol(address, worker))
                self.looked = True
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
        """Drop workers that are gone, or were restarted at the same address."""
        name = station.resource(self._goods.offer.run)
        for address in [*self.enrolled]:
            if not workers.get(address, {}).get("resources", {}).get(name):
                gone = self.enrolled.pop(address)
                self.lanes -= gone.position.lanes
                self._positions.pop(address, None)
                self.news.append(f"cluster: worker {_label(gone.facts.host, address)} is gone")
        for address in [*self.refused]:
            if address not in workers:
                del self.refused[address]

    async def _enrol(self, address: str, worker: dict[str, Any]) -> None:
        host = worker.get("host") or address
        try:
            found = msgspec.json.decode(await self.call(address, station.inspect), type=HostFacts)
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
            self._positions.pop(address, None)
            self.refused[address] = f"cluster: {_label(host, address)} is refused: {safe(reason, 400)}"
            self.news.append(self.refused[address])
        self._changed()

    async def _open(self, address: str, worker: dict[str, Any], found: HostFacts) -> str:
        position = self._position(address, int(worker["nthreads"]), found)
        if not position.lanes:
            return f"all {found.cores} cores are taken by other workers of that machine, or by --workers"
        async with self._places.setdefault(found.place, asyncio.Lock()):
            for key in await self.call(address, station.missing_archives, [*self._goods.parcels]):
                await self.call(address, station.deliver, key, self._goods.parcels[key])
        where, seen = msgspec.json.encode(position), msgspec.json.encode(found)
        if reason := await self.call(address, station.open_station, self._offer, seen, where):
            return str(reason)
        self.enrolled[address] = Enrolled(address, found, position)
        lanes = position.lanes
        self.lanes += lanes
        games = "1 game" if lanes == 1 else f"{lanes} games"
        self.news.append(
            f"cluster: {_label(found.host, address)} plays {games} at a time ({safe(found.cpu, 80)}, speed {found.speed:g})"
        )
        return ""

    def _position(self, address: str, threads: int, found: HostFacts) -> CoreRange:
        """Choose cores of the machine that no other worker there has."""
        others = [position for machine, position in self._positions.values() if machine == found.machine]
        taken = {core for other in others for core in range(other.first, other.first + other.lanes)}
        first = next(core for core in range(found.cores + 1) if core not in taken)
        free = next((core for core in range(first, found.cores) if core in taken), found.cores) - first
        cap = free if self._most is None else self._most - sum(one.lanes for _, one in self._positions.values())
        position = CoreRange(first, max(0, min(threads, free, cap)), found.cores)
        self._positions[address] = (found.machine, position)
        return position

    async def call(self, address: str, function: Any, *args: Any) -> Any:
        """Call a function on one worker."""
        return (await self._client.run(function, *args, workers=[address], asynchronous=True))[address]

    async def on_all(self, function: Any, *args: Any) -> None:
        """Call a function on all enrolled workers, ignoring failures."""
        if addresses := [*self.enrolled]:
            await self._client.run(function, *args, workers=addresses, on_error="ignore", asynchronous=True)


def _label(host: str, address: str) -> str:
    return f"{safe(host, 80)} ({safe(address, 80)})"
