"""The socket, the server and the browser."""

from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arbiter.errors import UserError

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from arbiter.web.library import Library
    from arbiter.web.person import People


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are."""

    host: str
    listening: socket.socket
    token: str = ""
    """Empty on the loopback address."""

    @property
    def port(self) -> int:
        """The port that is listened on."""
        return int(self.listening.getsockname()[1])

    def url(self, path: str = "/") -> str:
        """Return the address of a page, with the token if one is needed."""
        any_address = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}
        host = any_address.get(self.host, f"[{self.host}]" if ":" in self.host else self.host)
        return f"http://{host}:{self.port}{path}" + (f"?token={self.token}" if self.token else "")


def listen(host: str, port: int) -> Address:
    """Open the socket to serve on; port 0 takes a free one. Raises UserError."""
    from arbiter.web.security import is_loopback, new_token

    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        of_host = not port or isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        where, advice = (
            (host, "choose another with --host") if of_host else (f"{host} port {port}", "choose another with --port")
        )
        raise UserError(f"cannot listen on {where}: {error.strerror or error}; {advice}") from None
    return Address(host, listening, "" if is_loopback(host) else new_token())


def make_viewer_server(
    library: Library, address: Address, title: str = "", on_start: Callable[[], None] = lambda: None
) -> uvicorn.Server:
    """Return the server of a library's pages; ``run(sockets=[address.listening])`` serves until it is told to exit.

    ``on_start`` is called when it serves, and when Ctrl-C is what ends it.
    """
    from arbiter.web.app import make_viewer_app
    from arbiter.web.security import AccessPolicy

    access = AccessPolicy(address.port, address.token, own_user=True)
    return _server(lambda closing: make_viewer_app(library, access, title, closing), on_start)


def serve_people(people: People, address: Address) -> uvicorn.Server:
    """Return the server of the pages of people who play."""
    from arbiter.web.person_app import make_person_app
    from arbiter.web.security import AccessPolicy

    access = AccessPolicy(address.port, address.token, own_user=True, posts=True)
    return _server(lambda closing: make_person_app(people, access, closing))


def _server(
    make: Callable[[Callable[[], bool]], ASGIApp], on_start: Callable[[], None] = lambda: None
) -> uvicorn.Server:
    import uvicorn

    servers: list[uvicorn.Server] = []  # the application is made before its server, which it asks whether it is closing
    config = uvicorn.Config(
        make(lambda: servers[0].should_exit),
        http="h11",  # limits the size of a request's head; httptools does not
        ws="none",
        proxy_headers=False,  # a user of this machine could pass for another one: uvicorn trusts X-Forwarded-For from here
        log_level="error",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=2,
    )

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            on_start()

    servers.append(Server(config))
    return servers[0]


def open_browser(url: str) -> bool:
    """Open a page in the browser of the desktop; return False if there is none. Never starts a browser for terminals."""
    if not any(os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME")):
        return False
    import webbrowser

    return webbrowser.open(url)
