"""One packet per response: uvicorn writes the headers and the body separately."""

from __future__ import annotations

import asyncio
from typing import Any


class CoalescingTransport:
    """A transport that can buffer writes, so that the headers and the body of a response are sent in one packet."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._buffer: list[bytes] | None = None

    def cork(self) -> None:
        """Buffer what is written from now on."""
        self._buffer = []

    def uncork(self) -> None:
        """Write the buffer."""
        if self._buffer is not None:
            data, self._buffer = b"".join(self._buffer), None
            self.write(data)

    def write(self, data: bytes) -> None:
        """Write or buffer data. Writes to a closed connection are ignored."""
        if self._buffer is not None:
            self._buffer.append(data)
        elif not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Write the buffer and close the connection."""
        self.uncork()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
