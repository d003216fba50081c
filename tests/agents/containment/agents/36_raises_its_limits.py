# Raises the limits that were set for it, and lowers one.
import resource
import struct

from attack import attempt, play, syscall, tell


def attack(_: dict) -> None:
    tell("core", "/".join(map(str, resource.getrlimit(resource.RLIMIT_CORE))))
    unlimited = struct.pack("QQ", 2**64 - 1, 2**64 - 1)
    for word in ("core", "data"):
        kind = getattr(resource, f"RLIMIT_{word.upper()}")
        attempt(f"raise_{word}", lambda kind=kind: syscall("prlimit64", 0, kind, unlimited, None))
    # At 0, a crash would start the program in core_pattern, as root.
    attempt("lower_core", lambda: syscall("prlimit64", 0, resource.RLIMIT_CORE, struct.pack("QQ", 0, 0), None))


play(attack)
