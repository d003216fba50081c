"""Cgroups: limits and accounting for everything an agent has started, freezing, and idle scheduling.

Both versions of the interface are supported; :mod:`arbiter.agents.sandbox.cgroup_places` finds where to create them.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

from arbiter.agents.clock.metered import UsageFile
from arbiter.agents.clock.pressure import DiskPressure, MemoryPressure
from arbiter.agents.sandbox.cgroup_places import own_places

_IDLE, _WEIGHT, _SHARES = ("cpu.idle", b"1", b"0"), ("cpu.weight", b"1", b"100"), ("cpu.shares", b"2", b"1024")
"""Files that control the sharing of cores, with the values for idle scheduling and for an equal share; best first."""
_REMOVE_TRIES = 200
_REMOVE_PAUSE_S = 0.001


class Cgroups:
    """The cgroups of one box: one of version 2, or one per controller of version 1."""

    def __init__(self, name: str, processes: int, places: Mapping[str, Path] | None = None) -> None:
        """Create them, empty, with this limit on processes. Raises OSError with the path where that is not allowed."""
        self._folders: dict[str, Path] = {}
        self._base = 0
        self._cpu = self._freezer = self._peak = self._weight = -1
        """Files kept open; -1 for what this kernel lacks."""
        self.pressure: MemoryPressure | None = None
        """Memory stalls; None where the kernel does not report them."""
        self.disk_pressure: DiskPressure | None = None
        """Waits for a disk; None where the kernel does not report them."""
        self._giving_way, self._equal = b"", b""
        try:
            for controller, base in (places or own_places()).items():
                folder = base / name
                if folder not in self._folders.values():  # two controllers may share a hierarchy
                    _remove_stale(base)
                    folder.mkdir()
                self._folders[controller] = folder
            self.unified = "unified" in self._folders
            (self._of("pids") / "pids.max").write_text(str(processes), encoding="ascii")
            usage = "cpu.stat" if self.unified else "cpuacct.usage"
            self._cpu = os.open(self._of("cpuacct") / usage, os.O_RDONLY | os.O_CLOEXEC)
            self.usage_file = UsageFile(self._cpu, os.fstat(self._cpu).st_ino)
            self._open_optional()
            peak = self._of("memory") / ("memory.peak" if self.unified else "memory.max_usage_in_bytes")
            if peak.exists():  # not in the first kernels with version 2
                self._peak = os.open(peak, (os.O_RDONLY if self.unified else os.O_RDWR) | os.O_CLOEXEC)
        except OSError:
            self.close()
            raise

    def _open_optional(self) -> None:
        """Open files that not every kernel or administrator provides."""
        if self.unified or "freezer" in self._folders:
            with contextlib.suppress(FileNotFoundError):
                self._freezer = os.open(self._of("freezer") / "cgroup.freeze", os.O_RDWR | os.O_CLOEXEC)
            with contextlib.suppress(OSError):
                hits = self._of("memory") / ("memory.events" if self.unified else "memory.failcnt")
                self.pressure = MemoryPressure(self._of("freezer") / "memory.pressure", hits)
                self.disk_pressure = DiskPressure(self._of("freezer") / "io.pressure")
        if self.unified or "cpu" in self._folders:
            for name, giving_way, equal in (_IDLE, _WEIGHT, _SHARES):
                with contextlib.suppress(FileNotFoundError):
                    self._weight = os.open(self._of("cpu") / name, os.O_RDWR | os.O_CLOEXEC)
                    self._giving_way, self._equal = giving_way, equal
                    break

    def _of(self, controller: str) -> Path:
        return self._folders.get("unified") or self._folders[controller]

    def add(self, pid: int) -> None:
        """Move a process here, with all processes that it starts from now on."""
        for folder in dict.fromkeys(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def limit_memory(self, limit_bytes: int) -> None:
        """Limit the memory of all processes together, on top of what the box itself uses now."""
        folder = self._of("memory")
        self._base = int((folder / ("memory.current" if self.unified else "memory.usage_in_bytes")).read_text())
        limits = {"memory.max": str(limit_bytes + self._base), "memory.swap.max": "0"}
        if not self.unified:
            limits = {
                "memory.limit_in_bytes": str(limit_bytes + self._base),
                "memory.memsw.limit_in_bytes": str(limit_bytes + self._base),
            }
        for name, text in limits.items():
            if (folder / name).exists():
                (folder / name).write_text(text, encoding="ascii")

    def cpu_ns(self) -> int:
        """Return the CPU time of everything that ever ran here."""
        text = os.pread(self._cpu, 256, 0)
        return int(text.split()[1]) * 1000 if self.unified else int(text)

    def peak_bytes(self) -> int:
        """Return the peak of memory use without the box's own; 0 where the kernel does not record it."""
        return max(0, int(os.pread(self._peak, 64, 0)) - self._base) if self._peak >= 0 else 0

    def reset_peak(self) -> None:
        """Record the peak from now on; version 2 cannot do that."""
        if not self.unified:
            os.pwrite(self._peak, b"0", 0)

    def oom_kills(self) -> int:
        """Return how many processes the kernel has killed here at the memory limit."""
        file = self._of("memory") / ("memory.events" if self.unified else "memory.oom_control")
        words = file.read_text().split()
        return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0

    @property
    def can_freeze(self) -> bool:
        """Whether processes here can be frozen. Version 1 is not used for that: a process frozen by it could not be killed."""
        return self._freezer >= 0

    def freeze(self) -> None:
        """Freeze every process here. Of all signals, only SIGKILL still takes effect."""
        os.pwrite(self._freezer, b"1", 0)

    def thaw(self) -> None:
        """Thaw every process here."""
        os.pwrite(self._freezer, b"0", 0)

    @property
    def can_give_way(self) -> bool:
        """Whether the kernel divides core time by cgroup."""
        return self._weight >= 0

    def give_way(self) -> None:
        """From now on, run these processes only when the core would otherwise be idle."""
        os.pwrite(self._weight, self._giving_way, 0)

    def share_equally(self) -> None:
        """From now on, share a core evenly with every other agent, regardless of the number of threads."""
        os.pwrite(self._weight, self._equal, 0)

    def close(self) -> None:
        """Remove them. Everything in them must have ended."""
        if self.pressure is not None:
            self.pressure.close()
            self.pressure = None
        if self.disk_pressure is not None:
            self.disk_pressure.close()
            self.disk_pressure = None
        for fd in (self._cpu, self._freezer, self._peak, self._weight):
            if fd >= 0:
                os.close(fd)
        self._cpu = self._freezer = self._peak = self._weight = -1
        for folder in self._folders.values():
            remove(folder)
        self._folders.clear()


def remove(folder: Path) -> None:
    """Remove a cgroup in which everything has ended, if it is there. It stays busy for a moment after its last process has
    been reaped."""
    for _ in range(_REMOVE_TRIES):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(_REMOVE_PAUSE_S)
        else:
            return


def _remove_stale(base: Path) -> None:
    """Remove cgroups of arbiters that were killed. The kernel refuses to remove one that is in use."""
    for folder in base.glob("arbiter-*"):
        owner = folder.name.split("-")[1]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()
