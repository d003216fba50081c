"""Survey the hosts of a cluster without playing, for ``arbiter cluster doctor``."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from arbiter.cluster import rpc
from arbiter.cluster.host import HostFacts, why_refused

if TYPE_CHECKING:
    from distributed import Client

PATIENCE_S = 30.0
"""For the answer of a host, which tries all sandbox levels for it."""


class Surveyed(msgspec.Struct, frozen=True, kw_only=True):
    """One Dask worker."""

    worker: str
    """Its address."""
    host: str
    threads: int
    facts: HostFacts | None
    """None if it could not be asked."""
    sandbox: str
    """The strongest level that works there; empty if it could not be asked."""
    problem: str
    """Why it would get no games; empty if nothing is wrong."""


def survey(client: Client) -> list[Surveyed]:
    """Ask every worker about its machine, those of one machine one after the other in the result."""
    workers: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    answers: list[object] = client.sync(_ask_all, client, [*workers])
    rows = [_surveyed(*known, answer) for known, answer in zip(workers.items(), answers, strict=True)]
    return sorted(rows, key=lambda row: (row.host, row.worker))


async def _ask_all(client: Any, addresses: Sequence[str]) -> list[object]:
    return await asyncio.gather(*(_ask(client, address) for address in addresses))


async def _ask(client: Any, address: str) -> object:
    """Return the answer of a worker, or the error. Dask would wait for a host that hangs until it gives it up."""
    asked = client.run(rpc.examine_host, workers=[address], on_error="return", asynchronous=True)
    try:
        return (await asyncio.wait_for(asked, PATIENCE_S)).get(address)
    except Exception as error:  # noqa: BLE001 - as with an error on the host
        return error


def _problem(answer: object) -> str:
    if isinstance(answer, TimeoutError):
        return f"no answer within {PATIENCE_S:g} s: it hangs, or cannot be reached"
    if isinstance(answer, OSError):
        return "the connection to it was lost"
    if isinstance(answer, ImportError | AttributeError):
        return f"arbiter is not installed there, or in another version ({answer})"
    return f"{type(answer).__name__}: {answer}".splitlines()[0][:200]


def _surveyed(address: str, worker: dict[str, Any], answer: object) -> Surveyed:
    threads = int(worker["nthreads"])
    if not isinstance(answer, tuple):
        return Surveyed(
            worker=address, host=str(worker["host"]), threads=threads, facts=None, sandbox="", problem=_problem(answer)
        )
    found, sandbox = msgspec.json.decode(answer[0], type=HostFacts), str(answer[1])
    return Surveyed(
        worker=address, host=found.host, threads=threads, facts=found, sandbox=sandbox, problem=why_refused(found)
    )
