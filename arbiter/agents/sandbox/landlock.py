"""Landlock: which files a process and its descendants may access; a restriction that it imposes on itself irrevocably.

The kernel's interface has grown over several ABI versions; what an older one lacks is left out and listed as missing.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence

from arbiter.agents.sandbox._box.config import LandlockRules

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_READ = EXECUTE | READ_FILE | READ_DIR
_ABI_1_RIGHTS = (1 << 13) - 1
"""All rights of ABI version 1, from executing to making symbolic links."""
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV
"""Rights that a rule on a single file can grant."""
_TCP = 3
"""Binding and connecting."""
_SCOPES = 3
"""Abstract Unix sockets and signals."""
_CREATE_RULESET, _VERSION = 444, 1


def version() -> int:
    """Return the ABI version of the kernel's Landlock; 0 without it."""
    libc = ctypes.CDLL(None, use_errno=True)
    found: int = libc.syscall(ctypes.c_long(_CREATE_RULESET), None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION))
    return max(0, found)


def scopes_signals(abi: int) -> bool:
    """Return whether processes inside cannot signal those outside."""
    return abi >= 6


def undeniable(abi: int) -> list[str]:
    """Return what a kernel with this ABI version cannot deny."""
    gaps = [(3, "truncating files"), (4, "TCP"), (5, "ioctl on devices"), (6, "signals and abstract sockets")]
    return [what for since, what in gaps if abi < since]


def rules(
    abi: int, read: Sequence[str], write: Sequence[str], devices: Sequence[str], folders: Sequence[str]
) -> LandlockRules:
    """Return rules that deny everything except to read and execute ``read``, everything but ioctl on devices in
    ``write``, to use ``devices``, and to list ``folders``."""
    handled = (
        _ABI_1_RIGHTS | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0) | (_IOCTL_DEV if abi >= 5 else 0)
    )

    def grant(path: str, rights: int) -> tuple[str, int]:
        return path, rights & handled & (-1 if os.path.isdir(path) else _FILE_RIGHTS)

    paths = [grant(path, _READ) for path in read]
    paths += [grant(path, handled & ~_IOCTL_DEV) for path in write]
    paths += [grant(path, READ_FILE | WRITE_FILE | _IOCTL_DEV) for path in devices]
    paths += [grant(path, READ_DIR) for path in folders]
    return LandlockRules(
        files=handled,
        network=_TCP if abi >= 4 else 0,
        scopes=_SCOPES if abi >= 6 else 0,
        attr_size=_attr_size(abi),
        paths=tuple(paths),
    )


def scopes_only(abi: int) -> LandlockRules | None:
    """Return rules for a box whose root shows nothing else anyway: no TCP, no signals and no abstract sockets."""
    if abi < 4:
        return None
    return LandlockRules(files=0, network=_TCP, scopes=_SCOPES if abi >= 6 else 0, attr_size=_attr_size(abi), paths=())


def _attr_size(abi: int) -> int:
    return 24 if abi >= 6 else 16 if abi >= 4 else 8
