"""Users that agents become when root runs the arbiter: one for each box on this machine, so that none can touch another.

Nobody keeps a list. A slot is taken by listening on a socket name, which the kernel gives to one process at a time and
takes back when that ends, however it ends.
"""

from __future__ import annotations

import socket

FIRST_UID = 20001
_SLOTS = 4000


def can_become(uid: int) -> bool:
    """Whether there is such a user where we are: root of a container may have nobody else."""
    try:
        with open("/proc/self/uid_map", encoding="ascii") as ranges:
            rows = [list(map(int, line.split())) for line in ranges]
    except OSError:
        return False
    return any(first <= uid < first + count for first, _, count in rows)


class ReservedUid:
    """A user nobody else is at the moment."""

    def __init__(self) -> None:
        self._name = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        for number in range(_SLOTS):
            try:
                self._name.bind(f"\0arbiter-slot-{number}")
            except OSError:
                continue
            self.uid = FIRST_UID + number
            return
        self._name.close()
        raise OSError(0, f"all {_SLOTS} users for agents are taken")

    def close(self) -> None:
        """Somebody else may have it."""
        self._name.close()
