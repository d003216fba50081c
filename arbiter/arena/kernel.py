"""What the kernel knows about the connection below a request: when its last byte arrived, and how far away its client is."""

from __future__ import annotations

import socket
import struct
from collections.abc import MutableMapping
from time import monotonic_ns
from typing import Any, NamedTuple

SOCKET = "arbiter.socket"
"""The key of the connection's socket in the scope of a request."""
GONE = "arbiter.gone"
"""The key of a future that is done when the client has closed the connection."""
FULL = "arbiter.full"
"""The key of a function that returns whether the client has left so much unread that a response would have to wait."""
_LAST_DATA_RECV = 52
"""The offset of tcpi_last_data_recv in struct tcp_info: milliseconds since data last arrived."""
_RTT = 68
"""The offset of tcpi_rtt: the smoothed round trip in microseconds."""
_TCP_INFO_BYTES = 104


class Arrival(NamedTuple):
    """What the kernel knows about the data that came last on a connection."""

    at_ns: int
    """When it arrived, by the monotonic clock."""
    round_trip_us: int
    """How long a packet takes to this client and back; 0 if unknown."""


def arrival(scope: MutableMapping[str, Any]) -> Arrival:
    """Return when the last data of a request arrived in the kernel; now, if the kernel does not tell."""
    now_ns = monotonic_ns()
    try:
        info = scope[SOCKET].getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
        (since_ms,), (rtt_us,) = struct.unpack_from("=I", info, _LAST_DATA_RECV), struct.unpack_from("=I", info, _RTT)
    except (OSError, struct.error, KeyError, AttributeError):  # not a TCP socket, or closed
        return Arrival(now_ns, 0)
    return Arrival(now_ns - since_ms * 1_000_000, rtt_us)
