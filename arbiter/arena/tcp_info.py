"""TCP_INFO of the connection of a request: when its last byte arrived, and the round trip to the client."""

from __future__ import annotations

import socket
import struct
from collections.abc import MutableMapping
from time import monotonic_ns
from typing import Any, NamedTuple

SOCKET = "arbiter.socket"
"""The key of the connection's socket in the scope of a request."""
DISCONNECTED = "arbiter.disconnected"
"""The key of a future that is done when the client has closed the connection."""
BACKPRESSURE = "arbiter.backpressure"
"""The key of a function that returns whether the client has left so much data unread that a response would have to wait."""
_LAST_DATA_RECV = 52
"""The offset of tcpi_last_data_recv in struct tcp_info: milliseconds since data last arrived."""
_RTT = 68
"""The offset of tcpi_rtt: the smoothed round-trip time in microseconds."""
_TCP_INFO_BYTES = 104


class Arrival(NamedTuple):
    """When the latest data on a connection arrived, and the round trip, according to the kernel."""

    at_ns: int
    """When it arrived, by the monotonic clock."""
    round_trip_us: int
    """The round trip to the client; 0 if unknown."""


def arrival(scope: MutableMapping[str, Any]) -> Arrival:
    """Return when the last data of a request arrived in the kernel; the current time if it is unknown."""
    now_ns = monotonic_ns()
    try:
        info = scope[SOCKET].getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        (since_ms,), (rtt_us,) = struct.unpack_from("=I", info, _LAST_DATA_RECV), struct.unpack_from("=I", info, _RTT)
    except (OSError, struct.error, KeyError, AttributeError):  # not a TCP socket, or closed
        return Arrival(now_ns, 0)
    return Arrival(now_ns - since_ms * 1_000_000, rtt_us)
