"""Ask the kernel who owns one socket, by netlink (``man 7 sock_diag``), without reading the table of all of them."""

from __future__ import annotations

import ipaddress
import socket
import struct

_NETLINK_SOCK_DIAG, _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST = 4, 20, 1
_ESTABLISHED = 1
_HEADER = struct.Struct("=IHHII")
_REQUEST = struct.Struct("=BBBBI")
_ANSWER = struct.Struct("=BBBB")
_ADDRESSES = struct.Struct("!HH16s16s")
_REST_OF_ID = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)
"""Any interface, and no cookie."""
_NUMBERS = struct.Struct("=IIIII")
"""After the id in an answer: expiry, two queues, uid and inode."""


def owner_of(local: tuple[str, int], remote: tuple[str, int]) -> int | None:
    """Return the uid of the program that holds the TCP socket with these ends; None if there is none, or no way to ask.

    As in the tables, a connection whose program has closed it has no inode, and no owner.
    """
    ends = _ADDRESSES.pack(local[1], remote[1], _packed(local[0]), _packed(remote[0]))
    family = socket.AF_INET6 if ":" in local[0] else socket.AF_INET
    asked = _REQUEST.pack(family, socket.IPPROTO_TCP, 0, 0, 0xFFFFFFFF) + ends + _REST_OF_ID
    header = _HEADER.pack(_HEADER.size + len(asked), _SOCK_DIAG_BY_FAMILY, _NLM_F_REQUEST, 0, 0)
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, _NETLINK_SOCK_DIAG) as kernel:
            kernel.sendto(header + asked, (0, 0))
            answer = kernel.recv(4096, socket.MSG_DONTWAIT)  # the kernel answers before sendto returns
    except OSError:
        return None
    at = _HEADER.size + _ANSWER.size
    if len(answer) < at + len(ends) + len(_REST_OF_ID) + _NUMBERS.size:
        return None  # an error
    _, kind, _, _, _ = _HEADER.unpack_from(answer)
    _, state, _, _ = _ANSWER.unpack_from(answer, _HEADER.size)
    *_, uid, inode = _NUMBERS.unpack_from(answer, at + len(ends) + len(_REST_OF_ID))
    # Without such a connection, the kernel answers with a socket that listens on the local port, if there is one.
    found = kind == _SOCK_DIAG_BY_FAMILY and state == _ESTABLISHED and answer[at : at + len(ends)] == ends
    return int(uid) if found and inode else None


def _packed(host: str) -> bytes:
    return ipaddress.ip_address(host).packed.ljust(16, b"\0")
