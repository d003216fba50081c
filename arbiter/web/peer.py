"""Find out which local user is at the other end of a loopback connection."""

from __future__ import annotations

import ipaddress
import os
import sys
from collections.abc import Mapping
from pathlib import Path

_TABLES = ("/proc/net/tcp", "/proc/net/tcp6")
_ESTABLISHED = "01"
_MAPPED = bytes(10) + b"\xff\xff"
"""The prefix of an IPv4 address in the kernel's IPv6 table."""

Endpoint = tuple[str, int]
"""An address and a port."""


def is_own_user(client: Endpoint | None, server: Endpoint | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a connection comes from a program of the user who runs this server: also of root, and of the user who
    became root by sudo to run it."""
    uid = uid_of(client, server) if client and server else None
    ours = {os.getuid(), 0}
    if os.getuid() == 0:
        ours |= {int(word) for name in ("SUDO_UID", "PKEXEC_UID") if (word := environment.get(name, "")).isdecimal()}
    return uid in ours


def uid_of(client: Endpoint, server: Endpoint) -> int | None:
    """Return the user whose socket the client's end of a connection is; None if no program of this machine holds it.

    A program that has closed its end does not count: the kernel no longer knows its owner, and lists it as root's.
    """
    wanted = {(_written(*client, mapped), _written(*server, mapped)) for mapped in (False, True)}
    for table in _TABLES:
        try:
            lines = Path(table).read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for words in map(str.split, lines):
            local, remote, state, uid, inode = words[1], words[2], words[3], words[7], words[9]
            if (local, remote) in wanted and state == _ESTABLISHED and inode != "0":
                return int(uid)
    return None


def _written(host: str, port: int, mapped: bool) -> str:
    """Return an endpoint as the kernel writes it: the words of the address in the order of bytes in memory."""
    packed = ipaddress.ip_address(host).packed
    if mapped and len(packed) == 4:
        packed = _MAPPED + packed
    words = (int.from_bytes(packed[at : at + 4], sys.byteorder) for at in range(0, len(packed), 4))
    return f"{''.join(f'{word:08X}' for word in words)}:{port:04X}"
