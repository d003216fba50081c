"""Connecting to a Dask scheduler."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arbiter.errors import UserError, not_installed

if TYPE_CHECKING:
    from distributed import Client

_TIMEOUT_S = 10


CERTIFICATES = ("ca.pem", "cert.pem", "key.pem")
"""Files in the folder of ``--tls``: the CA, and this machine's certificate with its private key."""


def check_cluster_libraries() -> None:
    """Raise UserError unless the extra ``cluster`` is installed."""
    if problem := not_installed("a cluster", "distributed"):
        raise UserError(problem)


def security(tls: Path | None) -> Any:
    """Return Dask's security settings: with the certificates in a folder, or those of its configuration. Raises UserError."""
    from distributed.security import Security

    if tls is None:
        return Security()
    ca, cert, key = (str(tls / name) for name in CERTIFICATES)
    for path in (ca, cert, key):
        if not os.access(path, os.R_OK):
            raise UserError(f"--tls: cannot read {path!r}: no such file, or permission denied")
    roles = {
        f"tls_{role}_{what}": value
        for role in ("client", "scheduler", "worker")
        for what, value in (("cert", cert), ("key", key))
    }
    return Security(tls_ca_file=ca, require_encryption=True, **roles)


def connect(where: str, tls: Path | None = None) -> Client:
    """Return a client of the scheduler at an address or described by a scheduler file. Raises UserError."""
    check_cluster_libraries()
    from distributed import Client

    silence_loggers()
    secure = security(tls)
    address = where if "://" in where or not secure.require_encryption else f"tls://{where}"
    try:
        if Path(where).is_file():
            address = json.loads(Path(where).read_text())["address"]
        _try_to_connect(address, secure)
        return Client(address, timeout=_TIMEOUT_S, security=secure, set_as_default=False)
    except (OSError, ValueError, TypeError, KeyError, TimeoutError, RuntimeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise UserError(
            f"no Dask scheduler at {where!r} ({reason[:200]}): give its address, such as tcp://10.0.0.1:8786, or its "
            "scheduler file; 'arbiter cluster start' starts one here"
        ) from None


def silence_loggers() -> None:
    """Silence Dask, which reports lost connections with tracebacks: what they mean for the contest is said by us."""
    # Dask gives some of its loggers levels of their own, so that of their parent is not enough.
    # Tasks that it gives up are reported by asyncio, which nothing else in this process uses.
    for name in ("asyncio", "distributed", "tornado", *logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("asyncio", "distributed", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)


def _try_to_connect(address: str, secure: Any) -> None:
    """Open a connection to the scheduler and close it again; raises what Dask raises when nobody answers.

    A ``Client`` that cannot connect is closed by the garbage collector, in whichever thread that runs. If it is the
    thread of the next client while that one starts, each waits for the other. So none is made before somebody answers.
    """
    from distributed.comm.core import connect as open_comm

    async def attempt() -> None:
        comm = await open_comm(address, timeout=_TIMEOUT_S, **secure.get_connection_args("client"))
        await comm.close()

    asyncio.run(attempt())
