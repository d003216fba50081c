"""Drop the privileges of this process and everything it will start, and test from inside that this worked."""

from __future__ import annotations

import _socket
import ctypes
import os
import resource
import struct

from .config import BoxConfig, LandlockRules
from .kernel import SIGCONT, SIGKILL, attempt, call, libc, open_real, syscall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_RULE_PATH_BENEATH = 1
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 1, 4, 22, 24, 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, SECCOMP_MODE_FILTER = 47, 4, 2
CAPABILITY_VERSION_3 = 0x20080522


def confine(config: BoxConfig) -> None:
    """Apply everything that processes in the box inherit."""
    if config.drop_capabilities:
        drop_bounding_set()
    if config.switch_user:
        attempt("setgroups", os.setgroups, [])
        attempt("setresgid", os.setresgid, config.gid, config.gid, config.gid)
        attempt("setresuid", os.setresuid, config.uid, config.uid, config.uid)
    call("prctl(PR_SET_NO_NEW_PRIVS)", libc.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    set_rlimits(config)
    if config.drop_capabilities:
        drop_capabilities()
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    # Switching the user and dropping capabilities both clear the parent-death signal. A spawner that agents can stop must be
    # continued, so that it notices that the arbiter is gone.
    libc.prctl(PR_SET_PDEATHSIG, SIGKILL if config.namespaces else SIGCONT, 0, 0, 0)
    if config.landlock:
        restrict_by_landlock(config.landlock)
    if config.seccomp:
        install_seccomp_filter(config.seccomp)


def map_user(uid: int, gid: int) -> None:
    """Map this uid and gid to themselves in our new user namespace; no others exist there."""
    for name, text in (("setgroups", "deny"), ("gid_map", f"{gid} {gid} 1"), ("uid_map", f"{uid} {uid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def set_rlimits(config: BoxConfig) -> None:
    for which, wanted in config.rlimits:
        _, hard = resource.getrlimit(which)
        value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        attempt("setrlimit", resource.setrlimit, which, (value, value))


def drop_bounding_set() -> None:
    """Keep programs that are executed from gaining capabilities. This needs a capability itself, so it comes first."""
    for number in range(64):
        libc.prctl(PR_CAPBSET_DROP, number, 0, 0, 0)  # fails past the last one, and without privileges, which is fine


def drop_capabilities() -> None:
    libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header, none = struct.pack("<Ii", CAPABILITY_VERSION_3, 0), bytes(24)
    call("capset", libc.capset, header, none)


def restrict_by_landlock(rules: LandlockRules) -> None:
    attributes = struct.pack("<QQQ", rules.files, rules.network, rules.scopes)[: rules.attr_size]
    ruleset = syscall("landlock_create_ruleset", LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    for path, rights in rules.paths:
        try:
            place = open_real(path)
        except OSError:
            continue  # what does not exist needs no rule; and a link has been put there since the path was resolved
        rule = struct.pack("<Qi", rights, place)
        syscall(f"landlock_add_rule {path}", LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0)
        os.close(place)
    syscall("landlock_restrict_self", LANDLOCK_RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)


def install_seccomp_filter(code: bytes) -> None:
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("<HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    call("seccomp", libc.prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)


# -- the test from inside


def self_test(config: BoxConfig) -> dict[str, int]:
    """Try what agents must not be able to do; return the error number of each attempt, 0 where it succeeded."""
    return {
        "write": error_of(lambda: create_file(config.canary)),
        "network": error_of(open_socket),
        "signal": error_of(lambda: signal_outside(config)),
        "capabilities": error_of(have_capabilities),
    }


def error_of(act: Callable[[], None]) -> int:
    try:
        act()
    except OSError as error:
        return error.errno or 0
    return 0


def create_file(path: str) -> None:
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW))
    os.unlink(path)


def open_socket() -> None:
    _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM).close()


def signal_outside(config: BoxConfig) -> None:
    if not config.namespaces:
        os.kill(config.arbiter_pid, 0)
    elif sum(name.isdigit() for name in os.listdir("/proc")) == 1:
        raise ProcessLookupError(3, "no other process exists")


def have_capabilities() -> None:
    with open("/proc/self/status", "rb") as status:
        if all(int(line.split()[1], 16) == 0 for line in status if line.startswith((b"CapEff", b"CapPrm"))):
            raise PermissionError(1, "none left")
