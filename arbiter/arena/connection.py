"""Connections: limits on slow requests, large headers and many connections, and one packet per response.

uvicorn hides the socket, so its protocol classes are extended to put it into the scope of every request. It writes the headers
and the body of a response separately, so writes are held back until both are there.
"""

from __future__ import annotations

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from arbiter.arena.open_connections import CoalescingTransport, OpenConnections
from arbiter.arena.tcp_info import BACKPRESSURE, DISCONNECTED, SOCKET

HEAD_BYTES = 16 * 1024
"""The limit on the headers of a request, and on the trailers of a chunked body."""
HEADERS_S = 10
"""How long a client may take to send the headers of a request."""
REQUEST_S = 20
"""How long a client may take to send a whole request."""
MOST_WAITING = 16
"""How many pipelined requests may wait for earlier ones to be answered."""


class ArenaHttp(HttpToolsProtocol):
    """HTTP/1.1 with limits on slow requests, large headers and connections, and with the socket in the scope."""

    def __init__(self, *args: Any, others: OpenConnections, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._others = others
        self.address = ""
        self._timeout: asyncio.TimerHandle | None = None
        self._gone: asyncio.Future[None] = self.loop.create_future()
        self._in_head = False
        """Whether the headers of a request have begun but not ended."""
        self._head_bytes = self._unread = 0
        """Bytes of header lines in this request; approximate bytes of an unfinished line, or between chunks."""
        self._repeated = False
        """Whether the parser is being fed headers that have been handled already."""
        self._inner = self.app
        self.app = self._serve

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        transport: Any = self.transport
        scope[SOCKET], scope[DISCONNECTED] = self._socket, self._gone
        scope[BACKPRESSURE] = lambda: self.flow.write_paused

        async def send_joined(message: Any) -> None:
            if message["type"] == "http.response.start":
                transport.cork()
            try:
                await send(message)
            finally:
                if message["type"] != "http.response.start":
                    transport.uncork()

        await self._inner(scope, receive, send_joined)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Refuse a connection beyond the limits; otherwise start the timeout of its first request."""
        super().connection_made(transport)
        self._socket = transport.get_extra_info("socket")
        self.transport = CoalescingTransport(transport, lambda: self._others.remove(self))  # type: ignore[assignment]
        self.address = str(self.client[0]) if self.client else "unknown"
        if self._others.add(self):
            self._set_timeout(HEADERS_S)
        else:
            self._refuse(_BUSY)

    def on_response_complete(self) -> None:
        """Note since when the connection is idle."""
        super().on_response_complete()
        if self.cycle.response_complete and not self._in_head:
            self._others.is_idle(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout, and wake all waiters of the client."""
        self._set_timeout(0)
        self._others.remove(self)
        super().connection_lost(exc)
        if not self._gone.done():
            self._gone.set_result(None)

    def data_received(self, data: bytes) -> None:
        """Parse data. The timeout of a request starts with its first byte, and no later byte renews it."""
        if self.transport.is_closing():
            return
        self._others.is_busy(self)
        before = self.cycle
        self._unset_keepalive_if_required()
        self._unread += len(data)
        try:
            if self._feed(data):
                self._set_timeout(0)
                self.handle_websocket_upgrade()
                return
        except httptools.HttpParserError as error:
            self._refuse(_TOO_LARGE if self._head_bytes > HEAD_BYTES else _plain("400 Bad Request", _reason(error)))
            return
        if self._unread > HEAD_BYTES:
            self._refuse(_TOO_LARGE)
        elif self._in_head or self.cycle is None:
            if self._timeout is None:
                self._set_timeout(HEADERS_S)
        elif not self.cycle.more_body:
            self._set_timeout(0)
        elif self.cycle is not before:
            self._set_timeout(REQUEST_S)

    def _feed(self, data: bytes) -> bool:
        """Parse data; return whether the connection becomes a WebSocket. Raises HttpParserError."""
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as stopped:
            return self._should_upgrade() or self._feed(self._decline_upgrade() + data[stopped.args[0] :])
        return False

    def _decline_upgrade(self) -> bytes:
        """Stay with HTTP/1.1 for a client that offers HTTP/2, as Java's does, and return headers for a new parser.

        The parser stops after the headers of such a request. A new one gets the headers that frame the body, and goes on there.
        """
        framing = [line for line in self.headers if line[0] in (b"content-length", b"transfer-encoding")]
        self.parser = httptools.HttpRequestParser(self)
        self._repeated = True
        self.cycle.more_body = True
        self.cycle.message_event.clear()
        return b"POST / HTTP/1.1\r\n" + b"".join(name + b": " + value + b"\r\n" for name, value in framing) + b"\r\n"

    # -- parser callbacks

    def on_message_begin(self) -> None:
        """Start to count header bytes."""
        if not self._repeated:
            self._in_head, self._head_bytes = True, 0
            super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header, or ignore a trailer. Raises ValueError if they are too large."""
        size = len(name) + len(value)
        self._unread -= size + len(": \r\n")
        self._head_bytes += size
        if self._head_bytes > HEAD_BYTES:
            raise ValueError("too large")
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to handle the request. Raises ValueError if too many pipelined requests wait."""
        if len(self.pipeline) >= MOST_WAITING:
            raise ValueError("too many")
        if any(name == b"transfer-encoding" and value.lower() != b"chunked" for name, value in self.headers):
            raise ValueError("unknown encoding")
        self._unread -= len(self.url) + len("POST  HTTP/1.1\r\n\r\n")
        if not self._repeated:
            self._in_head, self._head_bytes = False, 0
            super().on_headers_complete()
        self._repeated = False

    def on_body(self, body: bytes) -> None:
        """Take a chunk of the body."""
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """End the request."""
        self._unread = 0
        super().on_message_complete()

    # -- limits

    def _refuse(self, response: bytes) -> None:
        """Close the connection, with a response unless it could be taken for that of an earlier request."""
        self._set_timeout(0)
        cycle = self.cycle
        if not self.pipeline and (cycle is None or cycle.response_complete or cycle.more_body):
            self.transport.write(response)
        self.transport.close()

    def _set_timeout(self, seconds: float) -> None:
        """Set the timeout after which the connection is closed; 0 for none."""
        if self._timeout:
            self._timeout.cancel()
            self._timeout = None
        if seconds:
            self._timeout = self.loop.call_later(seconds, self._on_timeout)

    def _on_timeout(self) -> None:
        if not self.transport.is_closing():
            self._refuse(_TOO_SLOW)


class ArenaWebSocket(WSProtocol):
    """WebSocket with the socket in the scope."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        inner = self.app

        async def app(scope: Any, receive: Any, send: Any) -> None:
            scope[SOCKET] = self.transport.get_extra_info("socket")
            scope[BACKPRESSURE] = lambda: not self.writable.is_set()
            await inner(scope, receive, send)

        self.app = app

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, which began as one of HTTP."""
        super().connection_lost(exc)
        transport: Any = self.transport
        transport.on_lost()


def _reason(error: httptools.HttpParserError) -> str:
    text = str(error)
    if "Content-Length" in text and "Transfer-Encoding" in text:
        # Request smuggling: behind a proxy that frames the request differently, one client could speak for another.
        return "a request must not have both Content-Length and Transfer-Encoding"
    return f"this is not valid HTTP/1.1: {text}"


def _plain(status: str, text: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {len(text.encode())}\r\n"
    return f"{head}Connection: close\r\n\r\n{text}".encode()


_BUSY = _plain("503 Service Unavailable", "too many open connections; close those you do not need")
_TOO_SLOW = _plain("408 Request Timeout", "the request took too long to arrive")
_TOO_LARGE = _plain("431 Request Header Fields Too Large", f"the headers are longer than {HEAD_BYTES} bytes")
