"""A cluster of this machine's cores: Dask's own LocalCluster, which other machines can join."""

from __future__ import annotations

import contextlib
import ipaddress
import warnings
from collections.abc import Iterator
from pathlib import Path

from arbiter.agents.launch import cores
from arbiter.cluster.connect import check_cluster_libraries, security, silence_loggers
from arbiter.errors import UserError

WORKER_TTL = "60s"
"""A host that is silent for this long is given up, and its games are played elsewhere."""
_IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""What the Dask worker runs first: Ctrl-C reaches it, too, and would end it with a traceback before we close the cluster."""


@contextlib.contextmanager
def local_cluster(
    workers: int | None, host: str, port: int, scheduler_file: Path | None = None, tls: Path | None = None
) -> Iterator[str]:
    """Run a scheduler, and a Dask worker that plays ``workers`` games at a time; yield the scheduler's address.

    One Dask worker with a thread per core, not one per core: its threads only wait for the processes that play, and the
    scheduler has one connection per host instead of one per core. Raises UserError.
    """
    check_cluster_libraries()
    import dask
    from distributed import LocalCluster

    usable = max(1, len(cores.usable()))
    if workers is not None and workers > usable:
        raise UserError(
            f"--workers {workers}: this machine has {usable} usable cores, and a core plays one game at a time"
        )
    secure = security(tls)
    if not _is_loopback(host) and not secure.require_encryption:
        raise UserError(
            f"--host {host}: whoever reaches a Dask scheduler can run programs on its workers; give --tls, "
            "or set up TLS in Dask's configuration (distributed.comm.require-encryption)"
        )
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.scheduler.worker-ttl": WORKER_TTL}))
        silence_loggers()
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # about the ports of pages that we do not use
        try:
            cluster = LocalCluster(
                n_workers=1,
                threads_per_worker=workers or usable,
                host=host,
                scheduler_port=port,
                dashboard_address=None,
                security=secure,
                memory_limit=0,
                preload=[*dask.config.get("distributed.worker.preload", []), _IGNORE_INTERRUPTS],
                scheduler_kwargs={"scheduler_file": str(scheduler_file)} if scheduler_file else None,
            )
        except (OSError, RuntimeError, ValueError) as error:
            reason: BaseException = error
            while reason.__cause__:
                reason = reason.__cause__
            raise UserError(f"cannot start a cluster on {host} port {port}: {reason}") from None
        stack.enter_context(cluster)
        yield str(cluster.scheduler_address)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
