# Changes limits, priority and cores of other processes: to the same values for the arbiter, to others for a victim.
import ctypes
import os
import resource
import struct

from attack import attempt, play, syscall


def attack(hints: dict) -> None:
    victim, arbiter = hints["victim"], hints["arbiter"]
    files = struct.pack("QQ", 16, 16)
    attempt("limit_victim", lambda: syscall("prlimit64", victim, resource.RLIMIT_NOFILE, files, None))
    attempt(
        "renice_victim", lambda: os.setpriority(os.PRIO_PROCESS, victim, os.getpriority(os.PRIO_PROCESS, victim) + 1)
    )
    attempt("pin_victim", lambda: os.sched_setaffinity(victim, {min(os.sched_getaffinity(0))}))
    attempt(
        "limit_arbiter",
        lambda: syscall("prlimit64", arbiter, resource.RLIMIT_NOFILE, None, ctypes.create_string_buffer(16)),
    )
    attempt(
        "renice_arbiter", lambda: os.setpriority(os.PRIO_PROCESS, arbiter, os.getpriority(os.PRIO_PROCESS, arbiter))
    )
    attempt("pin_arbiter", lambda: os.sched_setaffinity(arbiter, os.sched_getaffinity(arbiter)))


play(attack)
