"""The open connections of a server, of which one makes room for another; and a transport that sends a response in one packet."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbiter.arena.connection import ArenaHttp

MOST_CONNECTIONS = 4000
MOST_PER_ADDRESS = 2000
IDLE_AT_LEAST_S = 2.0
"""Some clients open a connection for every move and leave it open. Beyond the limits, connections that have been idle for this
long, which is longer than an agent takes for a move, are closed to make room for new ones."""


class CoalescingTransport:
    """A transport that can buffer writes, so that the headers and the body of a response are sent in one packet."""

    def __init__(self, transport: asyncio.Transport, on_lost: Callable[[], None]) -> None:
        """``on_lost`` is for the protocol that has the transport when the connection is lost."""
        self._transport, self.on_lost = transport, on_lost
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


class OpenConnections:
    """The open connections of a server by address. All of it takes the same time however many there are: whoever opens
    thousands delays nobody else."""

    def __init__(self) -> None:
        self._open: defaultdict[str, int] = defaultdict(int)
        self._idle: defaultdict[str, dict[ArenaHttp, float]] = defaultdict(dict)
        """By address, and by ``""`` those of all: since when each is idle by the clock of the loop, oldest first."""

    def add(self, connection: ArenaHttp) -> bool:
        """Return whether there is room for a connection, closing one that is idle if necessary."""
        places = ((connection.address, MOST_PER_ADDRESS), ("", MOST_CONNECTIONS))
        for place, _ in places:
            self._open[place] += 1
        return all(self._open[place] <= most or self._close_oldest(place) for place, most in places)

    def _close_oldest(self, place: str) -> bool:
        oldest = next(iter(self._idle[place]), None)
        if oldest is None or self._idle[place][oldest] > oldest.loop.time() - IDLE_AT_LEAST_S:
            return False
        self.is_busy(oldest)
        oldest.transport.close()
        return True

    def is_idle(self, connection: ArenaHttp) -> None:
        """Note that a connection is idle from now on."""
        for place in (connection.address, ""):
            self._idle[place][connection] = connection.loop.time()

    def is_busy(self, connection: ArenaHttp) -> None:
        """Note that a connection is not idle any more."""
        for place in (connection.address, ""):
            self._idle[place].pop(connection, None)

    def remove(self, connection: ArenaHttp) -> None:
        """Forget a connection that was closed."""
        self.is_busy(connection)
        for place in (connection.address, ""):
            self._open[place] -= 1
            if not self._open[place]:
                del self._open[place], self._idle[place]
