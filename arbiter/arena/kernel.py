"""The connection below a request: when its last byte arrived, and one packet per response.

uvicorn hides the socket, so its protocols are extended to put it into the scope of every request.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import MutableMapping
from time import monotonic_ns
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

SOCKET = "arbiter.socket"
"""The key in the scope."""
GONE = "arbiter.gone"
"""The key of a future that is done when the client has closed the connection."""
HEADERS_S = 10
"""How long a client may take to send the head of a request."""
REQUEST_S = 20
"""How long it may take for the whole request."""
MOST_CONNECTIONS = 4000
MOST_PER_ADDRESS = 2000
"""A client that opens a connection for every move and leaves it open needs one every few milliseconds."""
_LAST_DATA_RECV = 52
"""The offset of tcpi_last_data_recv in struct tcp_info: milliseconds since data last arrived."""


_RTT = 68
"""The offset of tcpi_rtt: the smoothed round trip in microseconds."""


def _tcp_info(scope: MutableMapping[str, Any], offset: int) -> int | None:
    connection = scope.get(SOCKET)
    if connection is None:
        return None
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
        (value,) = struct.unpack_from("=I", info, offset)
    except (OSError, struct.error):  # not a TCP socket, or closed
        return None
    return int(value)


def round_trip_us(scope: MutableMapping[str, Any]) -> int:
    """Return how long a packet takes to this client and back; 0 if unknown."""
    return _tcp_info(scope, _RTT) or 0


def arrived_ns(scope: MutableMapping[str, Any]) -> int:
    """Return when the last data of this connection arrived in the kernel, by the monotonic clock."""
    now_ns = monotonic_ns()
    return now_ns - (_tcp_info(scope, _LAST_DATA_RECV) or 0) * 1_000_000


def _cork(connection: Any, on: bool) -> None:
    """Have the kernel hold back a partial packet, so that head and body of a response leave together."""
    try:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, int(on))
    except OSError:  # closed meanwhile
        return


class ArenaHttp(H11Protocol):
    """HTTP/1.1 with limits on slow requests and on connections, and with its socket in the scope."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._slow: asyncio.TimerHandle | None = None
        self._gone: asyncio.Future[None] = self.loop.create_future()
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            connection = scope[SOCKET] = self.transport.get_extra_info("socket")
            scope[GONE] = self._gone

            async def send_corked(message: Any) -> None:
                if message["type"] == "http.response.start":
                    _cork(connection, True)
                    await send(message)
                    return
                await send(message)
                _cork(connection, False)

            await inner(scope, receive, send_corked)

        self.app = app

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse a connection beyond the limits; else give it a while to send its first request."""
        super().connection_made(transport)
        same = 0
        if len(self.connections) > MOST_PER_ADDRESS:
            same = sum(self._is_from_here(other) for other in self.connections)
        if len(self.connections) > MOST_CONNECTIONS or same > MOST_PER_ADDRESS:
            transport.write(_BUSY)
            transport.close()
            return
        self._expect(HEADERS_S)

    def _is_from_here(self, other: object) -> bool:
        client = getattr(other, "client", None)
        return bool(client and self.client and client[0] == self.client[0])

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock of the connection."""
        self._expect(0)
        super().connection_lost(exc)
        if not self._gone.done():
            self._gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Take data. The time for a request is counted from its first byte, and no byte renews it."""
        before = self.cycle
        if self._slow is None and (before is None or before.response_complete):
            self._expect(HEADERS_S)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.cycle is not before:
            self._expect(REQUEST_S)
        if self.cycle is not None and not self.cycle.more_body:
            self._expect(0)

    def _expect(self, seconds: float) -> None:
        """Close the connection after this time; 0 for never."""
        if self._slow:
            self._slow.cancel()
        self._slow = self.loop.call_later(seconds, self._too_slow) if seconds else None

    def _too_slow(self) -> None:
        if not self.transport.is_closing():
            if self.cycle is None or self.cycle.response_complete:
                self.transport.write(_TOO_SLOW)
            self.transport.close()


class ArenaWebSocket(WSProtocol):
    """WebSocket with its socket in the scope."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[SOCKET] = self.transport.get_extra_info("socket")
            await inner(scope, receive, send)

        self.app = app


def _plain(status: str, text: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text)}\r\n"
    return f"{head}Connection: close\r\n\r\n{text}".encode()


_BUSY = _plain("503 Service Unavailable", "too many open connections; close those that you do not need")
_TOO_SLOW = _plain("408 Request Timeout", "the request took too long to arrive")
