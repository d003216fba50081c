"""Cgroups: limits and accounting for everything an agent has started, freezing, and idle scheduling.

Both versions of the interface are supported. Cgroups are created beneath the one the arbiter itself is in, or beneath one
above that belongs to the same ordinary user, never elsewhere; that needs root or a delegated cgroup.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from collections.abc import Mapping
from pathlib import Path

from arbiter.agents.clock.pressure import DiskPressure, MemoryPressure

_V2_CONTROLLERS = ("memory", "pids")
"""Controllers of version 2 that must be enabled; CPU accounting and freezing are always there."""
_V1_CONTROLLERS = ("memory", "pids", "cpuacct")
"""Controllers of version 1 that are needed, each with a hierarchy of its own."""
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
        """Move a process here; processes that it starts from now on are here, too."""
        for folder in dict.fromkeys(self._folders.values()):
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def limit_memory(self, limit_bytes: int) -> None:
        """Limit the memory of all processes together, in addition to what the box itself uses now."""
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
        """Whether processes here can be frozen; version 1 cannot, as a process frozen by it could not be killed."""
        return self._freezer >= 0

    def freeze(self) -> None:
        """Freeze every process here. No signal undoes it but SIGKILL."""
        os.pwrite(self._freezer, b"1", 0)

    def thaw(self) -> None:
        """Thaw every process here."""
        os.pwrite(self._freezer, b"0", 0)

    @property
    def can_give_way(self) -> bool:
        """Whether the kernel shares cores out by cgroup."""
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


@functools.cache
def offers() -> frozenset[str]:
    """Return which of ``cpu`` (sharing cores out by agent) and ``freezer`` our cgroups offer."""
    try:
        places = own_places()
    except OSError:
        return frozenset()
    if "unified" not in places:
        return frozenset(places) & {"cpu", "freezer"}
    return frozenset({"freezer", *_enabled(places["unified"])}) & {"cpu", "freezer"}


def own_places(own: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mountinfo")) -> dict[str, Path]:
    """Return the cgroups the arbiter itself is in, by controller; ``{"unified": …}`` with version 2. Raises OSError with one
    line on what is missing."""
    mine = dict(_own_paths(own.read_text(encoding="utf-8")))
    mounted = dict(_mounted(mounts.read_text(encoding="utf-8")))
    places = {name: mounted[name] / mine[name] for name in mine if name in mounted}
    unified = places.get("unified")
    if unified is not None and unified.name == _leaf():  # we moved ourselves there, see _enable_controllers
        unified = unified.parent
    if all(name in places for name in _V1_CONTROLLERS):
        found = {name: places[name] for name in (*_V1_CONTROLLERS, "cpu") if name in places}
        # Beside version 1, version 2 has no controllers, but it can freeze.
        return {**found, "freezer": unified} if unified is not None and os.access(unified, os.W_OK) else found
    if unified is None:
        raise OSError(0, "no cgroups are mounted on this machine")
    unified = _delegated(unified, mounted["unified"].point)
    _enable_controllers(unified)
    return {"unified": unified}


def _delegated(own: Path, top: Path) -> Path:
    """Return the cgroup beneath which to create ours: the lowest that belongs to this ordinary user and whose controllers
    are enabled, as in a terminal of a desktop session, whose shell shares our own; otherwise our own."""
    for place in (own, *own.parents):
        if place == top or not _is_ours(place):
            break
        if set(_V2_CONTROLLERS) <= set(_enabled(place)):
            return place
    return own


def _is_ours(place: Path) -> bool:
    """Whether the system has delegated a cgroup to us; everything is root's, who must stay within the limits set for it."""
    try:
        return place.stat().st_uid == os.getuid() != 0 and os.access(place / "cgroup.procs", os.W_OK)
    except OSError:
        return False


def _enabled(place: Path) -> list[str]:
    return (place / "cgroup.subtree_control").read_text(encoding="ascii").split()


def _own_paths(text: str) -> list[tuple[str, str]]:
    """Return each controller with its cgroup, from lines such as ``4:cpu,cpuacct:/some/group``."""
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
    """Remove cgroups of arbiters that were killed. The kernel refuses to remove one that is in use."""
    for folder in base.glob("arbiter-*"):
        owner = folder.name.split("-")[1]
        if owner.isdigit() and not os.path.exists(f"/proc/{owner}"):
            with contextlib.suppress(OSError):
                folder.rmdir()


class _Mount:
    """Where a cgroup hierarchy is mounted, and which of its cgroups is the root of that mount."""

    def __init__(self, root: str, point: str) -> None:
        self.root, self.point = root, Path(point)

    def __truediv__(self, group: str) -> Path:
        below = group.removeprefix(self.root) if group.startswith(self.root) else group
        return self.point / below.strip("/")


def _leaf() -> str:
    return f"arbiter-{os.getpid()}"


def _enable_controllers(unified: Path) -> None:
    """Enable the memory and pids controllers for cgroups beneath this one.

    The kernel allows that only while no process is directly in it, so ours move into a cgroup of their own. Processes of
    others stay, and then enabling fails.
    """
    control = unified / "cgroup.subtree_control"
    wanted = " ".join(f"+{name}" for name in _V2_CONTROLLERS if name not in _enabled(unified))
    if wanted:
        try:
            control.write_text(wanted, encoding="ascii")
        except OSError:
            _move_to_leaf(unified)
            control.write_text(wanted, encoding="ascii")
    if "cpu" not in _enabled(unified):
        with contextlib.suppress(OSError):  # agents then share cores by thread
            control.write_text("+cpu", encoding="ascii")


def _move_to_leaf(unified: Path) -> None:
    import psutil  # slow to import, and needed once at most

    leaf = unified / _leaf()
    leaf.mkdir(exist_ok=True)
    us = psutil.Process()
    for process in (*us.children(recursive=True), us):  # a box that is being made is among them
        (leaf / "cgroup.procs").write_text(str(process.pid), encoding="ascii")
