"""The server of an arena."""

from __future__ import annotations

import gc
import resource
import secrets
import socket
import ssl
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil
import uvicorn

from arbiter.arena.app import Arena, make_arena_app
from arbiter.arena.connection import ArenaHttp, ArenaWebSocket
from arbiter.arena.open_connections import OpenConnections
from arbiter.arena.params import BODY_BYTES
from arbiter.errors import UserError

IDLE_S = 120
"""How long a connection may stay open between requests."""
_BACKLOG = 2048
SWITCH_S = 0.0005
"""The interpreter's switch interval: how long a thread may run while others wait."""
TOKEN_FILE = "organiser-token"


def make_arena_server(
    arena: Arena, certificate: Path | None = None, key: Path | None = None, on_start: Callable[[], None] = lambda: None
) -> uvicorn.Server:
    """Return the server; ``run(sockets=[...])`` serves until ``should_exit`` is set."""
    app = make_arena_app(arena)
    # A game's thread runs for a fraction of a millisecond at a time; the default interval of 5 ms would delay moves.
    sys.setswitchinterval(SWITCH_S)
    config = uvicorn.Config(
        app,
        http=partial(ArenaHttp, others=OpenConnections()),  # type: ignore[arg-type]
        ws=ArenaWebSocket,
        loop="auto",
        lifespan="on",
        log_level="error",
        access_log=False,
        server_header=False,
        timeout_keep_alive=IDLE_S,
        timeout_graceful_shutdown=3,
        ws_max_size=BODY_BYTES,
        backlog=_BACKLOG,
        ssl_certfile=certificate,
        ssl_keyfile=key,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            on_start()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.closing = lambda: True  # ends event streams
            await super().shutdown(sockets=sockets)

    return Server(config)


def prepare_process() -> None:
    """Prepare this process for serving: raise the limit on open files, and shorten garbage collections."""
    gc.collect()
    gc.freeze()  # permanent objects such as modules are not scanned again
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(hard, 65_536) if hard != resource.RLIM_INFINITY else 65_536
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def hosts_of(host: str) -> list[str]:
    """Return addresses of this machine, IP addresses first: host names are unknown in many networks."""
    if host not in ("0.0.0.0", "::"):
        return [f"[{host}]" if ":" in host else host]
    found = [each for card in psutil.net_if_addrs().values() for each in card if each.family == socket.AF_INET]
    numbers = [each.address for each in found if not each.address.startswith("127.")]
    return [*numbers, socket.gethostname()]


def organiser_token(folder: Path) -> str:
    """Return the organiser's token, stored in the arena's folder in a file that only its owner can read. Raises UserError."""
    file = folder / TOKEN_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if file.exists() and (token := file.read_text(encoding="ascii").strip()):
            return token
        token = secrets.token_urlsafe(24)
        file.unlink(missing_ok=True)  # an empty token would let everybody in
        file.touch(mode=0o600, exist_ok=False)
        file.write_text(token + "\n", encoding="ascii")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise UserError(
            f"cannot store the organiser's token in {str(file)!r}: {why}; choose another --folder"
        ) from None
    return token


def check_certificate(certificate: Path, key: Path) -> None:
    """Raise UserError unless the two files are a certificate and its private key."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except OSError as error:  # an SSLError is one, too
        raise UserError(
            f"--tls: {str(certificate)!r} and {str(key)!r} must be a certificate and its key "
            f"in PEM files: {error.strerror or error}"
        ) from None
