"""The seccomp filter: its call numbers against the kernel headers, and its verdict on each call."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from arbiter.agents.sandbox.seccomp import ARCHITECTURES, Architecture, filter_program
from arbiter.agents.sandbox.system_calls import ATTRIBUTES, RULES, UNCOUNTED
from tests.tools import missing

HEADERS = {
    "x86_64": ["/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "/usr/include/asm/unistd_64.h"],
    "aarch64": ["/usr/include/asm-generic/unistd.h"],
}
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
WITHOUT_EFFECT = ERRNO | 0


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_the_numbers_are_those_of_the_kernel_headers(name: str) -> None:
    header = next((Path(path) for path in HEADERS[name] if Path(path).exists()), None)
    if header is None:
        missing("the kernel's headers are not installed")
    # The generic header has some calls under another name, which the architecture aliases.
    found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", header.read_text(encoding="utf-8"))
    known = {"newfstatat" if call == "fstatat" else call: int(number) for call, number in found}
    ours = ARCHITECTURES[name].numbers
    assert {call: known[call] for call in ours if call in known} == {call: ours[call] for call in ours if call in known}
    newer_than_some_headers = {
        "fchmodat2", "futex_requeue", "futex_wait", "futex_waitv", "futex_wake", "map_shadow_stack", "mseal",
    }  # fmt: skip
    assert set(ours) - set(known) <= newer_than_some_headers


def verdict(
    machine: Architecture,
    number: int,
    *arguments: int,
    architecture: int | None = None,
    attributes: bool = True,
    uncounted: bool = True,
    lowest_sender: int = 0,
) -> int:
    """Return the filter's verdict, by interpreting its program as the kernel would."""
    words_of = filter_program(machine, attributes=attributes, uncounted=uncounted, lowest_sender=lowest_sender)
    code: list[tuple[int, int, int, int]] = [
        struct.unpack_from("<HBBI", words_of, at) for at in range(0, len(words_of), 8)
    ]
    words = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, architecture or machine.architecture, 0, *words)
    at, accumulator = 0, 0
    while True:
        how, if_true, if_false, value = code[at]
        at += 1
        if how == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif how == 0x54:
            accumulator &= value
        elif how == 0x06:
            return value
        else:
            passed = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[how]
            at += if_true if passed else if_false


@pytest.fixture(params=list(ARCHITECTURES))
def machine(request: pytest.FixtureRequest) -> Architecture:
    return ARCHITECTURES[request.param]


def test_calls_of_another_architecture_kill_the_process(machine: Architecture) -> None:
    assert verdict(machine, 0, architecture=0x40000003) == KILL


def test_stream_socket_pairs_are_allowed_and_datagram_ones_denied(machine: Architecture) -> None:
    pair = machine.numbers["socketpair"]
    for kind in (1, 5):
        assert verdict(machine, pair, 1, kind | 0o2004000) == ALLOW
    assert verdict(machine, pair, 1, 2 | 0o2004000) == ERRNO | errno.EACCES


def test_changing_file_attributes_can_be_denied(machine: Architecture) -> None:
    for call in filter(machine.numbers.__contains__, ATTRIBUTES):
        assert verdict(machine, machine.numbers[call]) == ALLOW
        assert verdict(machine, machine.numbers[call], attributes=False) == ERRNO | errno.EPERM


def test_flags_of_files_count_as_attributes(machine: Architecture) -> None:
    set_flags, get_flags, set_project = 0x40086602, 0x80086601, 0x401C5820
    for request in (set_flags, set_project):
        assert verdict(machine, machine.numbers["ioctl"], 3, request) == ALLOW
        assert verdict(machine, machine.numbers["ioctl"], 3, request, attributes=False) == ERRNO | errno.EPERM
    assert verdict(machine, machine.numbers["ioctl"], 3, get_flags, attributes=False) == ALLOW


@pytest.mark.parametrize("flags", [0x21, 0x23])
def test_memory_that_no_limit_counts_can_be_denied(machine: Architecture, flags: int) -> None:
    of = machine.numbers
    assert verdict(machine, of["mmap"], 0, 4096, 3, flags) == ALLOW
    assert verdict(machine, of["mmap"], 0, 4096, 3, flags, uncounted=False) == ERRNO | errno.EPERM
    for counted in (0x22, 0x01):  # private, or of a file
        assert verdict(machine, of["mmap"], 0, 4096, 3, counted, uncounted=False) == ALLOW
    for call in ("memfd_create", "vmsplice"):
        assert verdict(machine, of[call]) == ALLOW
        assert verdict(machine, of[call], uncounted=False) == ERRNO | errno.ENOSYS


def test_dropping_pages_from_memory_has_no_effect(machine: Architecture) -> None:
    will_need, do_not_need = 3, 4
    assert verdict(machine, machine.numbers["fadvise64"], 3, 0, 0, do_not_need) == WITHOUT_EFFECT
    assert verdict(machine, machine.numbers["fadvise64"], 3, 0, 0, will_need) == ALLOW
    merge = 12
    for advice, expected in (
        (20, WITHOUT_EFFECT), (21, WITHOUT_EFFECT), (do_not_need, ALLOW), (merge, ERRNO | errno.EINVAL),
    ):  # fmt: skip
        assert verdict(machine, machine.numbers["madvise"], 0, 4096, advice) == expected


def test_what_others_have_read_cannot_be_seen(machine: Architecture) -> None:
    no_wait, uncached = 8, 0x80
    for call in ("preadv2", "pwritev2"):
        assert verdict(machine, machine.numbers[call], 3, 0, 1, 0, 0, 0) == ALLOW
        for flags in (no_wait, uncached):
            assert verdict(machine, machine.numbers[call], 3, 0, 1, 0, 0, flags) == ERRNO | errno.EOPNOTSUPP


def test_cores_of_others_cannot_be_taken_nor_pages_shared_with_them(machine: Architecture) -> None:
    sched_core, memory_merge, set_name = 62, 67, 15
    for option in (sched_core, memory_merge):
        assert verdict(machine, machine.numbers["prctl"], option) == ERRNO | errno.EINVAL
    assert verdict(machine, machine.numbers["prctl"], set_name) == ALLOW


def test_calls_without_a_rule_are_allowed_and_all_others_are_missing(machine: Architecture) -> None:
    ruled = {machine.numbers.get(call) for rule in RULES for call in (*rule.calls, "ioctl")}
    listed = set(machine.numbers.values())
    assert {verdict(machine, number) for number in listed - ruled} == {ALLOW}
    x32, none_at_all = 0x40000000 + 41, 0xFFFFFFFF
    others = {*range(1200), x32, none_at_all} - listed
    assert {verdict(machine, number) for number in others} == {ERRNO | errno.ENOSYS}


@pytest.mark.parametrize(
    "call",
    [
        "ptrace", "process_vm_readv", "unshare", "mount", "shmget", "mq_open", "pidfd_getfd", "bpf", "io_uring_setup", "clone3",
        "io_setup", "landlock_create_ruleset", "seccomp", "mincore", "cachestat", "fanotify_init", "inotify_init1", "keyctl",
        "personality", "perf_event_open", "userfaultfd", "name_to_handle_at", "process_madvise", "memfd_secret",
    ],
)  # fmt: skip
def test_what_reaches_others_is_not_allowed(machine: Architecture, call: str) -> None:
    assert call not in machine.numbers


def test_rules_are_about_allowed_calls() -> None:
    assert {call for rule in RULES for call in rule.calls} | {*ATTRIBUTES, *UNCOUNTED} <= set(
        ARCHITECTURES["x86_64"].numbers
    )


def test_sockets_other_than_pairs_are_denied(machine: Architecture) -> None:
    for call in ("socket", "bind", "connect", "listen", "accept", "accept4"):
        assert verdict(machine, machine.numbers[call]) == ERRNO | errno.EACCES


def test_sessions_and_syncing_have_no_effect(machine: Architecture) -> None:
    for call in ("setsid", "sync", "syncfs"):
        assert verdict(machine, machine.numbers[call]) == WITHOUT_EFFECT


def test_a_process_may_change_limits_of_itself_only(machine: Architecture) -> None:
    assert verdict(machine, machine.numbers["prlimit64"], 0) == ALLOW
    assert verdict(machine, machine.numbers["prlimit64"], 4711) == ERRNO | errno.EPERM


def test_the_limit_on_core_files_can_be_read_and_not_set(machine: Architecture) -> None:
    prlimit, core, data = machine.numbers["prlimit64"], 4, 2
    assert verdict(machine, prlimit, 0, core, 0, 0x7FFF0000) == ALLOW
    for pointer in (0x7FFF00001000, 0x7FFF00000000, 0x1000):  # not even one whose lower half is 0
        assert verdict(machine, prlimit, 0, core, pointer) == ERRNO | errno.EPERM
        assert verdict(machine, prlimit, 0, data, pointer) == ALLOW
    assert verdict(machine, machine.numbers["setrlimit"], core) == ERRNO | errno.EPERM
    assert verdict(machine, machine.numbers["setrlimit"], data) == ALLOW


def test_a_process_that_leaves_its_core_stays_there(machine: Architecture) -> None:
    assert verdict(machine, machine.numbers["sched_setaffinity"], 0) == WITHOUT_EFFECT
    assert verdict(machine, machine.numbers["sched_setaffinity"], 4711) == ERRNO | errno.EPERM


@pytest.mark.parametrize("call", ["sched_setscheduler", "sched_setparam", "sched_setattr"])
@pytest.mark.parametrize("pid", [0, 4711])
def test_changes_of_the_scheduling_policy_have_no_effect(machine: Architecture, call: str, pid: int) -> None:
    assert verdict(machine, machine.numbers[call], pid) == WITHOUT_EFFECT


@pytest.mark.parametrize(("call", "process", "whole_user"), [("setpriority", 0, 2), ("ioprio_set", 1, 3)])
def test_a_process_cannot_change_priorities_and_its_own_without_an_error(
    machine: Architecture, call: str, process: int, whole_user: int
) -> None:
    assert verdict(machine, machine.numbers[call], process, 0) == WITHOUT_EFFECT
    assert verdict(machine, machine.numbers[call], process, 4711) == ERRNO | errno.EPERM
    assert verdict(machine, machine.numbers[call], whole_user, 0) == ERRNO | errno.EPERM


def test_threads_and_children_are_allowed_and_namespaces_and_siblings_denied(machine: Architecture) -> None:
    clone = machine.numbers["clone"]
    assert verdict(machine, clone, 0x3D0F00) == ALLOW  # what glibc asks for a thread
    assert verdict(machine, clone, 0x01200011) == ALLOW  # fork
    assert verdict(machine, clone, 0x4111) == ALLOW  # what posix_spawn asks for
    for flag in (0x8000, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert verdict(machine, clone, 0x11 | flag) == ERRNO | errno.EPERM


def test_requests_beyond_those_about_descriptors_are_denied(machine: Architecture) -> None:
    ioctl = machine.numbers["ioctl"]
    get_attributes, close_on_exec = 0x5401, 0x5451
    assert [verdict(machine, ioctl, 0, request) for request in (get_attributes, close_on_exec)] == [ALLOW] * 2
    push_input, paste, namespace_of_process = 0x5412, 0x541C, 0xFF01
    for request in (push_input, paste, namespace_of_process):
        assert verdict(machine, ioctl, 0, request) == ERRNO | errno.ENOTTY


def test_leases_watches_and_sizes_of_pipes_are_denied_and_locks_allowed(machine: Architecture) -> None:
    number = machine.numbers["fcntl"]
    lease, watch, pipe_size, delegation = 1024, 1026, 1031, 1040
    refused = [verdict(machine, number, 3, how) for how in (lease, watch, pipe_size, delegation)]
    assert refused == [ERRNO | errno.EACCES] * 4
    assert [verdict(machine, number, 3, how) for how in (0, 2, 6, 37, 1025, 1030, 1032)] == [ALLOW] * 7


@pytest.mark.parametrize("call", ["sendmsg", "sendmmsg"])
def test_messages_can_be_limited_to_descriptors_that_agents_cannot_have(machine: Architecture, call: str) -> None:
    number = machine.numbers[call]
    assert verdict(machine, number, 3) == ALLOW
    sent = [verdict(machine, number, fd, lowest_sender=512) for fd in (0, 3, 511, 512, 513)]
    assert sent == [ERRNO | errno.EPERM] * 3 + [ALLOW] * 2
