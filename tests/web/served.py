"""A server in this process, and requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arbiter.web.library import Library
from arbiter.web.serve import Address, listen, make_viewer_server


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    address: Address
    library: Library

    def url(self, path: str = "/") -> str:
        return self.address.url(path)

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=600)

    def get(self, path: str, headers: dict[str, str] | None = None, method: str = "GET") -> Answered:
        """Send one request, with the path exactly as given."""
        connection = self.connect()
        try:
            connection.request(method, path, headers=headers or {})
            response = connection.getresponse()
            return Answered(
                response.status, {name.lower(): text for name, text in response.getheaders()}, response.read()
            )
        finally:
            connection.close()


@contextlib.contextmanager
def serving(library: Library, host: str = "127.0.0.1") -> Iterator[Served]:
    """Serve a library for the time of the block."""
    address = listen(host, 0)
    server = make_viewer_server(library, address)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [address.listening]}, daemon=True)
    thread.start()
    try:
        yield Served(address, library)
    finally:
        server.should_exit = True
        thread.join(10)


class Events:
    """The server-sent events of one connection."""

    def __init__(self, served: Served, path: str) -> None:
        self._connection = served.connect()
        self._connection.request("GET", path)
        self._response = self._connection.getresponse()
        self.status = self._response.status

    def next(self) -> tuple[str, Any]:
        """Wait for the next event; comments are left out."""
        name = ""
        while True:
            line = self._response.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                return name, json.loads(line.removeprefix("data: "))

    def ended(self) -> bool:
        """Wait until the server ends the stream; False if it sends another event instead."""
        return not any(line.startswith(b"event: ") for line in self._response)

    def close(self) -> None:
        self._connection.close()
