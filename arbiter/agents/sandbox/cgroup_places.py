"""Where our cgroups are created, beneath the cgroup that the arbiter itself is in, and what that cgroup offers.

Both versions of the interface are supported, and both at once: version 1 has a hierarchy per controller, version 2 a single
one. Cgroups are created only where the arbiter is allowed to, which takes root or a delegated cgroup.
"""

from __future__ import annotations

import contextlib
import functools
import os
from pathlib import Path

_V2_CONTROLLERS = ("memory", "pids")
"""Controllers of version 2 that must be enabled; CPU accounting and freezing are always there."""
_V1_CONTROLLERS = ("memory", "pids", "cpuacct")
"""Controllers of version 1 that are needed, each with a hierarchy of its own."""


@functools.cache
def available_controllers() -> frozenset[str]:
    """Return which of ``cpu`` (dividing core time by agent) and ``freezer`` our cgroups offer."""
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
    """Return the cgroup beneath which to create ours: the lowest that is delegated to us and has its controllers enabled;
    without one, our own. In a desktop terminal, whose shell shares our own cgroup, that is one further up."""
    for place in (own, *own.parents):
        if place == top or not _is_ours(place):
            break
        if set(_V2_CONTROLLERS) <= set(_enabled(place)):
            return place
    return own


def _is_ours(place: Path) -> bool:
    """Whether the system has delegated a cgroup to us. Never true for root, which owns them all and must stay within its limits."""
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
