"""Control groups: the kernel's account of everything an agent has started, dead or alive, and its hold on all of it.

Both versions of the interface are spoken. Cgroups are made below the one the arbiter itself is in, never elsewhere, and
making them takes the right to: root's, or a group that was handed over (delegated).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from arbiter.agents.launch import tree

_SECOND = ("memory", "pids")
"""Controllers of version 2 that have to be switched on; counting CPU time and freezing come with it."""
_FIRST = ("memory", "pids", "cpuacct", "freezer")
"""What is used of version 1, each with a tree of its own."""
_TRIES = 200
_PAUSE_S = 0.001


class Cgroups:
    """The control groups of one box."""

    def __init__(self, name: str, processes: int, places: Mapping[str, Path] | None = None) -> None:
        """Make them, empty. Raises OSError, with the path, where that is not allowed."""
        self._folders: dict[str, Path] = {}
        self._base = 0
        self._cpu = self._frozen = self._peak = -1
        try:
            for controller, base in (places or own_places()).items():
                _remove_stale(base)
                folder = base / name
                folder.mkdir()
                self._folders[controller] = folder
            self.second = "unified" in self._folders
            (self._of("pids") / "pids.max").write_text(str(processes), encoding="ascii")
            usage = "cpu.stat" if self.second else "cpuacct.usage"
            self._cpu = os.open(self._of("cpuacct") / usage, os.O_RDONLY | os.O_CLOEXEC)
            freeze = "cgroup.freeze" if self.second else "freezer.state"
            self._frozen = os.open(self._of("freezer") / freeze, os.O_RDWR | os.O_CLOEXEC)
            peak = self._of("memory") / ("memory.peak" if self.second else "memory.max_usage_in_bytes")
            if peak.exists():  # which the first kernels with version 2 do not have
                self._peak = os.open(peak, (os.O_RDONLY if self.second else os.O_RDWR) | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise

    def _of(self, controller: str) -> Path:
        return self._folders.get("unified") or self._folders[controller]

    def add(self, pid: int) -> None:
        """This process, and all it will start, belongs here from now on."""
        for folder in self._folders.values():
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def limit_memory(self, most: int) -> None:
        """Of everything together, on top of what is in use now: the box's own."""
        folder = self._of("memory")
        self._base = int((folder / ("memory.current" if self.second else "memory.usage_in_bytes")).read_text())
        limits = {"memory.max": str(most + self._base), "memory.swap.max": "0"}
        if not self.second:
            limits = {
                "memory.limit_in_bytes": str(most + self._base),
                "memory.memsw.limit_in_bytes": str(most + self._base),
            }
        for name, text in limits.items():
            if (folder / name).exists():
                (folder / name).write_text(text, encoding="ascii")

    def cpu_ns(self) -> int:
        """CPU time of everything that ever ran here."""
        text = os.pread(self._cpu, 256, 0)
        return int(text.split()[1]) * 1000 if self.second else int(text)

    def peak_bytes(self) -> int:
        """Most memory in use at any time, without the box's own; 0 where the kernel does not keep it."""
        return max(0, int(os.pread(self._peak, 64, 0)) - self._base) if self._peak >= 0 else 0

    def forget_peak(self) -> None:
        """Count from now on, as far as the kernel lets us."""
        if not self.second:
            os.pwrite(self._peak, b"0", 0)

    def kills(self) -> int:
        """How often the kernel has ended a process here because there was no memory left."""
        file = self._of("memory") / ("memory.events" if self.second else "memory.oom_control")
        words = file.read_text().split()
        return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0

    def freeze(self) -> None:
        """Everything stands still."""
        os.pwrite(self._frozen, b"1" if self.second else b"FROZEN", 0)

    def thaw(self) -> None:
        """Everything goes on."""
        os.pwrite(self._frozen, b"0" if self.second else b"THAWED", 0)

    def close(self) -> None:
        """Remove them, when everything in them has ended."""
        for fd in (self._cpu, self._frozen, self._peak):
            if fd >= 0:
                os.close(fd)
        self._cpu = self._frozen = self._peak = -1
        for folder in self._folders.values():
            for _ in range(_TRIES):  # the kernel takes a moment to let go of the last process
                with contextlib.suppress(FileNotFoundError):
                    try:
                        folder.rmdir()
                    except OSError:
                        time.sleep(_PAUSE_S)
                        continue
                break
        self._folders.clear()


def own_places(own: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mountinfo")) -> dict[str, Path]:
    """The groups the arbiter itself is in, by controller; ``{"unified": …}`` where version 2 has them all. Raises OSError
    with one line on what is missing."""
    mine = dict(_own_paths(own.read_text(encoding="utf-8")))
    mounted = dict(_mounted(mounts.read_text(encoding="utf-8")))
    places = {name: mounted[name] / mine[name] for name in mine if name in mounted}
    if all(name in places for name in _FIRST):
        return {name: places[name] for name in _FIRST}
    unified = places.get("unified")
    if unified is not None and unified.name == _leaf():  # we have moved out of the way before
        unified = unified.parent
    if unified is None:
        raise OSError(0, "no control groups are mounted here")
    _switch_on(unified)
    return {"unified": unified}


def _own_paths(text: str) -> list[tuple[str, str]]:
    """From ``4:cpu,cpuacct:/some/group``: each controller with its group."""
    rows = [line.split(":", 2) for line in text.splitlines()]
    return [(name or "unified", path) for _, names, path in rows for name in names.split(",")]


def _mounted(text: str) -> list[tuple[str, _Mount]]:
    found: list[tuple[str, _Mount]] = []
    for line in text.splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        kind, _, options = right.split(" ", 2)
        if kind == "cgroup2":
            found.append(("unified", _Mount(root, point)))
        elif kind == "cgroup":
            found += [(name, _Mount(root, point)) for name in options.split(",")]
    return found


def _remove_stale(base: Path) -> None:
    """Cgroups of arbiters that were killed. One that is in use cannot be removed."""
    for folder in base.glob("arbiter-*-*"):
        owner = folder.name.split("-")[1]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()


class _Mount:
    """Where a tree of groups, from some group on, is to be found."""

    def __init__(self, root: str, point: str) -> None:
        self.root, self.point = root, Path(point)

    def __truediv__(self, group: str) -> Path:
        below = group.removeprefix(self.root) if group.startswith(self.root) else group
        return self.point / below.strip("/")


def _leaf() -> str:
    return f"arbiter-{os.getpid()}"


def _switch_on(unified: Path) -> None:
    """Have groups below this one count memory and processes. That takes that no process is in it directly, so ours move
    into a group of their own; other people's stay, and then it cannot be done."""
    switch = unified / "cgroup.subtree_control"
    on = switch.read_text(encoding="ascii").split()
    wanted = " ".join(f"+{name}" for name in _SECOND if name not in on)
    if not wanted:
        return
    try:
        switch.write_text(wanted, encoding="ascii")
    except OSError:
        leaf = unified / _leaf()
        leaf.mkdir(exist_ok=True)
        for pid in (*tree.descendants(os.getpid()), os.getpid()):  # a box that is being made is there as well
            (leaf / "cgroup.procs").write_text(str(pid), encoding="ascii")
        switch.write_text(wanted, encoding="ascii")
