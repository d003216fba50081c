"""One packet per response: uvicorn writes its head and its body separately."""

from __future__ import annotations

import asyncio
from typing import Any


class Joining:
    """A transport that can hold back what is written, so that head and body of a response leave in one packet."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._held: list[bytes] | None = None

    def hold(self) -> None:
        """Keep what is written from now on."""
        self._held = []

    def release(self) -> None:
        """Write what was held back."""
        if self._held is not None:
            data, self._held = b"".join(self._held), None
            self.write(data)

    def write(self, data: bytes) -> None:
        """Write, or keep for later. What is written to a client that is gone is lost."""
        if self._held is not None:
            self._held.append(data)
        elif not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Write what is left and close the connection."""
        self.release()
        self._transport.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)
