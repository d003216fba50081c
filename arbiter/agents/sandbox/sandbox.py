"""Where an agent lives: its box, its folder and its control groups, for as long as the series lasts.

A box that an agent has managed to break is made anew for its next process; whatever it was, it costs nobody else
anything.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import itertools
import os
import resource
import secrets
import select
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from arbiter.agents.clock.schedstat import RunQueueWait
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.sandbox import landlock, levels, own_folder
from arbiter.agents.sandbox.box import Box, BoxFailed, Ended
from arbiter.agents.sandbox.cgroups import Cgroups
from arbiter.agents.sandbox.levels import Level, SandboxChoice
from arbiter.agents.sandbox.uids import FIRST_UID, ReservedUid, can_become
from arbiter.agents.sandbox.visible import DEVICES, HOME, SYSTEM, VisibleFiles, visible_files
from arbiter.limits import Limits, resolve

_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
_OPEN_FILES = 512
_OWN_TASKS = 2
"""Of the box itself: keeper and spawner."""
_SPARE_TASKS = 1000
"""Where the kernel counts all that a user runs, not only the agent's: what others of his may start meanwhile."""
_TRIAL_MS = 10_000
_numbers = itertools.count(1)


class Sandbox:
    """One agent's, at one level. Use as a context manager."""

    def __init__(self, level: Level, view: VisibleFiles, limits: Limits) -> None:
        self._level, self._view, self._limits = level, view, limits
        self.contained = level in ("namespace", "cgroup")
        """Nothing gets out of the box, also not by forking and running."""
        self._slot = ReservedUid() if self.contained and os.getuid() == 0 and can_become(FIRST_UID) else None
        self.folder = HOME if self.contained else own_folder.make(view.own_links)
        """Its own, in which it runs."""
        self._box: Box | None = None
        self.groups: Cgroups | None = None
        self.waiting: RunQueueWait | None = None
        """Of its spawner, for a core."""
        self._kills = 0
        self._ran_out = False

    # -- the box

    def prepare(self) -> None:
        """Start making the box, which goes on while something else is done."""
        if self._box is None:
            box = Box(self._description())
            try:
                if self._level == "cgroup":
                    name = f"arbiter-{os.getpid()}-{next(_numbers)}-{secrets.token_hex(4)}"
                    self.groups = Cgroups(name, self._limits.processes + _OWN_TASKS)
                    self.groups.add(box.first_pid)
            except OSError as error:
                box.close()
                self._leave_box()
                if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                    raise BoxFailed("making control groups takes root, or a group that was delegated") from None
                raise BoxFailed(f"{error.filename or 'control groups'}: {error.strerror}") from None
            box.begin()
            self._box = box
            self._ready = False

    def box(self) -> Box:
        """Ready for use, made anew if need be. Raises BoxFailed when it cannot be."""
        if self._box is not None and self._box.broken:
            self._leave_box()
        self.prepare()
        if self._box is None:
            raise AssertionError("a prepared home has a box")
        if not self._ready:
            try:
                seen = self._box.wait_ready()
                levels.check(self._level, seen)
                if self.groups:
                    self.groups.limit_memory(self._limits.memory_bytes)
                    self._kills = 0
            except (BoxFailed, RuntimeError, OSError) as failure:
                self._leave_box()
                raise BoxFailed(str(failure)) from None
            self.waiting = RunQueueWait(f"/proc/{self._box.pid}/schedstat")
            self._ready = True
        return self._box

    def _leave_box(self) -> None:
        self._ran_out = self.memory_ran_out()
        if self.waiting is not None:
            self.waiting.close()
            self.waiting = None
        if self._box is not None:
            self._box.close()
            self._box = None
        if self.groups is not None:
            self.groups.close()
            self.groups = None

    # -- what processes need

    @property
    def head(self) -> int:
        """The process that everything of the agent's is below of."""
        return self._box.pid if self._box else -1

    def end(self) -> Ended:
        """Kill everything of the agent's. A box that cannot do that any more goes with it."""
        try:
            if self._box is None or self._box.broken or not self._ready:
                raise BoxFailed("whoever was in it is gone with it")
            return self._box.end()
        except BoxFailed:
            self._leave_box()
            return Ended(-9, 0, 0)

    def freeze(self) -> None:
        """Everything of the agent's stands still until :meth:`thaw`. Not by groups of version 1: who is frozen there does
        not end, not even when the arbiter was killed."""
        with contextlib.suppress(BoxFailed, OSError):
            self.groups.freeze() if self.groups and self.groups.second else self.box().stop()

    def thaw(self) -> None:
        """Everything of the agent's goes on."""
        with contextlib.suppress(BoxFailed, OSError):
            self.groups.thaw() if self.groups and self.groups.second else self.box().resume()

    def memory_ran_out(self) -> bool:
        """Whether the kernel has ended something since the last time this was asked because of the limit on memory."""
        ran_out, self._ran_out = self._ran_out, False
        if self.groups is not None:
            with contextlib.suppress(OSError):
                before, self._kills = self._kills, self.groups.kills()
                ran_out = ran_out or self._kills > before
        return ran_out

    def fresh(self) -> None:
        """Empty its folder, for the next game. Everything must have been ended before."""
        if not self.contained:
            own_folder.empty(self.folder)
            own_folder.fill(self.folder, self._view.own_links)
            return
        nested = any(f"{path}/".startswith((HOME + "/", "/tmp/", "/dev/shm/")) for path in self._view.visible)
        try:
            if nested:  # what is mounted there would go, too
                self._leave_box()
            else:
                self.box().fresh()
        except (BoxFailed, OSError):
            self._leave_box()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave nothing behind."""
        with contextlib.ExitStack() as leaving:
            if self._slot:
                leaving.callback(self._slot.close)
            if not self.contained:
                leaving.callback(own_folder.remove, self.folder)
            leaving.callback(self._leave_box)

    # -- what the box is to be like

    def _description(self) -> dict[str, Any]:
        level, view, root = self._level, self._view, self._slot is not None
        uid = self._slot.uid if self._slot else os.getuid()
        strict = level != "rlimits"
        canary = f"arbiter-canary-{os.getpid()}"
        return {
            "namespaces": self.contained,
            "unshare": _NEWNS | _NEWPID | _NEWNET | _NEWIPC | _NEWUTS | _NEWCGROUP | (0 if root else _NEWUSER),
            "unshare_words": "unshare" if root else "unshare(CLONE_NEWUSER …)",
            "map": not root,
            "become": root,
            "drop": strict,
            "uid": uid,
            "gid": uid if root else os.getgid(),
            "stage": "/tmp",
            "home": HOME,
            "visible": list(view.visible),
            "system": [path for path in view.visible if path.startswith("/etc/") or path in SYSTEM],
            "links": dict(view.links),
            "hidden": list(view.hidden),
            "own_links": dict(view.own_links),
            "devices": [path for path in DEVICES if Path(path).exists()],
            "files": {
                "/etc/passwd": f"root:x:0:0::/:/bin/false\nagent:x:{uid}:{uid}::{HOME}:/bin/sh\n",
                "/etc/group": f"root:x:0:\nagent:x:{uid}:\n",
                "/etc/hosts": "127.0.0.1 localhost box\n",
            },
            "disk": self._limits.disk_bytes,
            "inodes": self._limits.files + len(view.own_links) + 8,
            "limits": self._rlimits(),
            "landlock": self._landlock() if strict else None,
            "seccomp": levels.filter_program(attributes=self.contained, memfd=level == "cgroup") if strict else b"",
            "canary": f"/{canary}" if self.contained else f"{tempfile.gettempdir()}/{canary}",
        }

    def _rlimits(self) -> dict[int, int]:
        limits = self._limits
        return {
            resource.RLIMIT_DATA: limits.memory_bytes,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: limits.disk_bytes,
            resource.RLIMIT_NOFILE: _OPEN_FILES,
            resource.RLIMIT_NPROC: limits.processes + self._other_tasks(),
        }

    def _other_tasks(self) -> int:
        """Tasks that the kernel counts with those of the agent."""
        if not self.contained:
            return _tasks_of_user() + _SPARE_TASKS
        return _OWN_TASKS if self._slot is None else 1  # root's keeper stays root

    def _landlock(self) -> dict[str, Any] | None:
        if self.contained:
            with contextlib.suppress(RuntimeError):
                return landlock.scopes_only(levels.landlock_version())
            return None
        read: list[str] = []
        listed: list[str] = []
        for path in self._view.visible:
            _allow(path, self._view.hidden, read, listed)
        read += ["/proc", "/etc/passwd", "/etc/group"]
        return landlock.rules(levels.landlock_version(), read, [self.folder], DEVICES, listed)


@functools.cache
def choose(asked: str) -> SandboxChoice:
    """The sandbox for ``--sandbox``; see :func:`arbiter.agents.sandbox.levels.choose`."""
    return levels.choose(asked, _trial)


def try_all() -> dict[Level, str]:
    """For every level: empty if it works here, else what does not."""
    found: dict[Level, str] = {"none": ""}
    for level in levels.LEVELS[1:]:
        try:
            _trial(level)
            found[level] = ""
        except (BoxFailed, OSError, RuntimeError) as failure:
            found[level] = str(failure)
    return found


def _trial(level: Level) -> None:
    """Make a box of this level and run a program in it."""
    limits, _ = resolve([])
    program = shutil.which("true") or sys.executable
    arguments = [program] if program != sys.executable else [program, "-S", "-I", "-c", ""]
    view = visible_files(Agent("canary", program, tuple(arguments), Path("/usr"), "canary"), [], [])
    with Sandbox(level, replace(view, own_links=()), limits) as home, open(os.devnull, "r+b") as nothing:
        pidfd, _ = home.box().spawn(arguments, {}, home.folder, [nothing.fileno()] * 3)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.poll(_TRIAL_MS)
        os.close(pidfd)
        ended = home.end()
        if ended.exit_code:
            raise BoxFailed(f"{program} ended with {ended.exit_code}")


def _allow(path: str, hidden: Sequence[str], read: list[str], listed: list[str]) -> None:
    """Rules only ever allow: a folder that holds something hidden is allowed piece by piece."""
    if path in hidden:
        return
    if not any(one.startswith(path + "/") for one in hidden):
        read.append(path)
        return
    listed.append(path)
    with os.scandir(path) as entries:
        for entry in entries:
            if not entry.is_symlink():  # a rule would be about what it points to, which may be anywhere
                _allow(entry.path, hidden, read, listed)


def _tasks_of_user() -> int:
    """Threads of all processes of the user who runs the arbiter."""
    count, me = 0, os.getuid()
    with os.scandir("/proc") as entries:
        for entry in entries:
            with contextlib.suppress(OSError):
                if entry.name.isdigit() and entry.stat().st_uid == me:
                    count += len(os.listdir(f"/proc/{entry.name}/task"))
    return count
