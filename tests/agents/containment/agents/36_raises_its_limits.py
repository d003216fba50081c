# Raises the limits that were set for it.
import resource
import struct

from attack import attempt, play, syscall


def attack(_: dict) -> None:
    unlimited = struct.pack("QQ", 2**64 - 1, 2**64 - 1)
    for word in ("core", "data"):
        kind = getattr(resource, f"RLIMIT_{word.upper()}")
        attempt(f"raise_{word}", lambda kind=kind: syscall("prlimit64", 0, kind, unlimited, None))


play(attack)
