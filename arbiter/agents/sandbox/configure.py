"""The configuration of a box, derived from the level, the agent's limits and the files it may see."""

from __future__ import annotations

import contextlib
import os
import resource
import secrets
import tempfile
from collections.abc import Sequence

from arbiter.agents.sandbox import landlock, levels
from arbiter.agents.sandbox._box.config import BoxConfig, LandlockRules, Namespaces
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.visible import DEVICES, HOME, SYSTEM, VisibleFiles
from arbiter.config.limits import Limits

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_OPEN_FILES = 512
_SOCKETS = 2
"""Descriptors of the spawner that agents cannot have: it moves its sockets beyond their limit on open files."""
OWN_TASKS = 2
"""Tasks of the box itself: keeper and spawner."""
NO_CORE_DUMP = 1
"""Limit in bytes at which the kernel neither writes a core file nor starts the program that core_pattern names, which would run
as root. At 0, it would still start that program."""
_RLIMIT_SIGPENDING, _RLIMIT_NICE, _RLIMIT_RTPRIO = 11, 13, 14  # not in the module, or not before Python 3.12
_QUEUED_SIGNALS = 1024
"""The kernel counts them per user, so an agent that shares its uid shares this limit with the user's other programs. Signals
that are queued already stay queued."""
_SPARE_TASKS = 1000
"""How many other tasks the user may start meanwhile, where the kernel counts all tasks of a user."""
_ZERO, _ZERO_UNMAPPABLE = "/dev/zero", "/dev/full"
"""A shared mapping of /dev/zero is memory that only cgroups count. /dev/full reads the same and cannot be mapped."""
_OWN_INODES = 8
"""Inodes for folders of the box itself in its writable file system, with some to spare."""


def has_namespaces(level: Level) -> bool:
    """Return whether no process can escape a box of this level, not even by forking."""
    return level in ("namespace", "cgroup")


def configure(level: Level, files: VisibleFiles, limits: Limits, folder: str, reserved_uid: int | None) -> BoxConfig:
    """Return the configuration of a box.

    ``folder`` is the agent's writable folder, ``reserved_uid`` the uid to switch to; None to keep the arbiter's.
    """
    contained, strict = has_namespaces(level), level != "rlimits"
    uid, gid = (os.getuid(), os.getgid()) if reserved_uid is None else (reserved_uid, reserved_uid)
    canary = f"arbiter-canary-{secrets.token_hex(8)}"  # a name that nobody else can have used
    open_files = _open_files()
    lowest_sender = (
        0 if reserved_uid is not None else open_files
    )  # without a uid of its own, it shares the user's limits
    return BoxConfig(
        namespaces=_namespaces(level, files, limits, uid, switch_user=reserved_uid is not None) if contained else None,
        landlock=_landlock(files, folder, contained=contained) if strict else None,
        arbiter_pid=os.getpid(),
        uid=uid,
        gid=gid,
        switch_user=reserved_uid is not None,
        drop_capabilities=strict,
        rlimits=_rlimits(limits, open_files, _other_tasks(contained=contained, switch_user=reserved_uid is not None)),
        seccomp=levels.filter_program(attributes=contained, uncounted=level == "cgroup", lowest_sender=lowest_sender)
        if strict
        else b"",
        canary=f"/{canary}" if contained else f"{tempfile.gettempdir()}/{canary}",
    )


def _namespaces(level: Level, files: VisibleFiles, limits: Limits, uid: int, *, switch_user: bool) -> Namespaces:
    devices = {path: path for path in DEVICES} | ({} if level == "cgroup" else {_ZERO: _ZERO_UNMAPPABLE})
    return Namespaces(
        unshare=_NEWNS | _NEWPID | _NEWNET | _NEWIPC | _NEWUTS | (0 if switch_user else _NEWUSER),
        map_user=not switch_user,
        stage="/tmp",
        home=HOME,
        visible=files.visible,
        system=tuple(filter(_is_of_system, files.visible)),
        links=files.links,
        hidden=files.hidden,
        own_links=files.own_links,
        devices=tuple((path, device) for path, device in devices.items() if os.path.exists(device)),
        files=(
            ("/etc/passwd", f"root:x:0:0::/:/bin/false\nagent:x:{uid}:{uid}::{HOME}:/bin/sh\n"),
            ("/etc/group", f"root:x:0:\nagent:x:{uid}:\n"),
            ("/etc/hosts", "127.0.0.1 localhost box\n"),
        ),
        disk_bytes=limits.disk_bytes,
        inodes=limits.files + len(files.own_links) + _OWN_INODES,
    )


def _open_files() -> int:
    """Return how many files an agent may have open, so that the spawner's sockets still fit above that."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _OPEN_FILES if hard == resource.RLIM_INFINITY else min(_OPEN_FILES, hard - _SOCKETS)


def _rlimits(limits: Limits, open_files: int, other_tasks: int) -> tuple[tuple[int, int], ...]:
    return (
        (resource.RLIMIT_DATA, limits.memory_bytes),
        (resource.RLIMIT_CORE, NO_CORE_DUMP),
        (resource.RLIMIT_FSIZE, limits.disk_bytes),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_NPROC, limits.processes + other_tasks),
        # The organiser may be allowed to raise priorities; and queued signals have a limit that all of a user's programs share.
        (_RLIMIT_NICE, 0),
        (_RLIMIT_RTPRIO, 0),
        (_RLIMIT_SIGPENDING, _QUEUED_SIGNALS),
    )


def _other_tasks(*, contained: bool, switch_user: bool) -> int:
    """Return how many tasks the kernel counts together with those of the agent."""
    if not contained:
        return _tasks_of_user() + _SPARE_TASKS
    return 1 if switch_user else OWN_TASKS  # the keeper stays root, whose tasks are not counted


def _tasks_of_user() -> int:
    """Return the number of threads that run under the arbiter's uid."""
    count, uid = 0, os.getuid()
    with os.scandir("/proc") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == uid:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
    return count


def _landlock(files: VisibleFiles, folder: str, *, contained: bool) -> LandlockRules | None:
    if contained:
        with contextlib.suppress(RuntimeError):
            return landlock.scopes_only(levels.landlock_version())
        return None
    read: list[str] = []
    listed: list[str] = []
    for path in files.visible:
        _allow(os.path.realpath(path) if _is_of_system(path) else path, files.hidden, read, listed)
    read += map(os.path.realpath, ("/proc", "/etc/passwd", "/etc/group"))
    own = os.path.join(os.path.realpath(os.path.dirname(folder)), os.path.basename(folder))
    return landlock.rules(levels.landlock_version(), read, [own], tuple(map(os.path.realpath, DEVICES)), listed)


def _is_of_system(path: str) -> bool:
    """Return whether links at a visible path are the system's, and so may be followed at any time."""
    return path.startswith(("/etc/", "/var/lib/")) or path in SYSTEM


def _allow(path: str, hidden: Sequence[str], read: list[str], listed: list[str]) -> None:
    """Add a path to those that may be read. Rules can only grant, so a folder with something hidden in it is granted entry by
    entry, and the folder itself may only be listed."""
    if path in hidden:
        return
    if not any(one.startswith(path + "/") for one in hidden):
        read.append(path)
        return
    listed.append(path)
    # What has disappeared or cannot be listed cannot be read either.
    with contextlib.suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_symlink():  # a rule would apply to its target, which may be anywhere
                _allow(entry.path, hidden, read, listed)
