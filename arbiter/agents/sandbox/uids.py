"""Uids that agents run under when root runs the arbiter: one per box on this machine, so that none can affect another.

A uid is reserved by binding an abstract socket name. The kernel grants a name to one process at a time and releases it when
that process ends, however it ends, so there is no list to keep.
"""

from __future__ import annotations

import socket

FIRST_UID = 20001
_COUNT = 4000


def can_become(uid: int) -> bool:
    """Return whether this uid exists in our user namespace; in that of a container, root may be the only one."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as ranges:
            rows = [list(map(int, line.split())) for line in ranges]
    except OSError:
        return False
    return any(first <= uid < first + count for first, _, count in rows)


class ReservedUid:
    """A uid reserved for one agent."""

    def __init__(self) -> None:
        self._name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        for number in range(_COUNT):
            try:
                self._name.bind(f"\0arbiter-slot-{number}")
            except OSError:
                continue
            self.uid = FIRST_UID + number
            return
        self._name.close()
        raise OSError(0, f"all {_COUNT} uids for agents are in use")

    def close(self) -> None:
        """Release it."""
        self._name.close()
