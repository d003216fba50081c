"""Looking at the hosts of a cluster without playing, for ``arbiter cluster doctor``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from arbiter.cluster import rpc
from arbiter.cluster.host import HostFacts, why_refused

if TYPE_CHECKING:
    from distributed import Client


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
    dask: Any = client
    answers = dask.run(rpc.examine_host, workers=[*workers], on_error="return") if workers else {}
    rows = [_surveyed(address, worker, answers.get(address)) for address, worker in workers.items()]
    return sorted(rows, key=lambda row: (row.host, row.worker))


def _surveyed(address: str, worker: dict[str, Any], answer: object) -> Surveyed:
    threads = int(worker["nthreads"])
    if not isinstance(answer, tuple):
        problem = f"{type(answer).__name__}: {answer}".splitlines()[0][:200]
        if isinstance(answer, ImportError | AttributeError):
            problem = f"arbiter is not installed there, or in another version ({answer})"
        return Surveyed(
            worker=address, host=str(worker["host"]), threads=threads, facts=None, sandbox="", problem=problem
        )
    found, sandbox = msgspec.json.decode(answer[0], type=HostFacts), str(answer[1])
    return Surveyed(
        worker=address, host=found.host, threads=threads, facts=found, sandbox=sandbox, problem=why_refused(found)
    )
