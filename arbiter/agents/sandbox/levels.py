"""The levels of the sandbox: what each enforces, which one to use, and checks of a box's self-test.

Kernel versions are not consulted. A level is tried: a box is made, which tests from inside that what agents must not do is
denied, and a program is run in it (:mod:`arbiter.agents.sandbox.trial`). The strongest level that passes is used; it is an
error if that is weaker than the user asked for.
"""

from __future__ import annotations

import errno
import functools
import os
import platform
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from arbiter.agents.sandbox import cgroup_places, landlock, seccomp
from arbiter.errors import UserError, unknown

Level = Literal["none", "rlimits", "landlock", "namespace", "cgroup"]
LEVELS: tuple[Level, ...] = ("none", "rlimits", "landlock", "namespace", "cgroup")
"""From weakest to strongest; each enforces what the ones before it do."""
AUTO = "auto"
ONLY = "only:"
"""Prefix of a level: exactly that one, even where a stronger one works."""

YES = "yes"
_NO = "no"
_WATCHED = "checked every 50 ms: over the limit is a fault"
_OFFERED = {"crowding": "cpu", "no-ponder": "freezer"}
"""A controller that a guarantee needs, which not all cgroups have."""


class Guarantee(msgspec.Struct, frozen=True):
    """One property of the sandbox, and how well each level enforces it."""

    name: str
    about: str
    """What it is called in the note that lists what is not enforced."""
    kept: Mapping[Level, str]
    """By the first level that enforces it this way, in ascending order."""
    held_by: str = ""
    """The mechanisms of the kernel that enforce it, where it is enforced."""

    def at(self, level: Level) -> str:
        """Return how a level enforces it: ``yes``, ``no``, or in words."""
        known = [self.kept[lower] for lower in LEVELS[: LEVELS.index(level) + 1] if lower in self.kept]
        return known[-1] if known else _NO


GUARANTEES = (
    Guarantee("time", "time limits", {"none": YES}, "SIGKILL at a deadline on the monotonic clock, which nothing that is printed moves"),
    Guarantee("output", "output limits", {"none": YES}, "non-blocking pipes, drained by poll up to the limit"),
    Guarantee("tree", "everything an agent started is killed", {"none": "process group, descendants, and orphans that can be identified", "namespace": YES}, "PID namespace: the end of its first process kills all others"),
    Guarantee("memory", "memory of each process", {"none": _WATCHED, "rlimits": YES}, "RLIMIT_DATA"),
    Guarantee("total memory", "total memory across processes", {"none": _WATCHED, "cgroup": YES}, "memory cgroup"),
    Guarantee("socket memory", "memory in socket buffers", {"namespace": _WATCHED, "cgroup": YES}, "memory cgroup"),
    Guarantee("processes", "number of processes", {"none": _WATCHED, "namespace": YES}, "RLIMIT_NPROC of a uid or user namespace of the agent's own; pids cgroup"),
    Guarantee("cpu", "CPU of orphaned children", {"none": "children that are waited for", "rlimits": "counted if kernel.perf_event_paranoid is 2 or less", "cgroup": YES}, "perf events that children inherit; CPU accounting of the cgroup"),
    Guarantee("core", "agents stay on their core", {"landlock": YES}, "seccomp filter: sched_setaffinity has no effect"),
    Guarantee("crowding", "the core is left to the agent being asked", {"none": "moved to a spare core, or stopped by a signal", "cgroup": YES}, "cpu cgroup, idle while others are asked"),
    Guarantee("no-ponder", "freezing with --no-ponder", {"none": "stopped by a signal, which a timer can undo", "cgroup": YES}, "cgroup freezer"),
    Guarantee("files", "agents access only their own files", {"landlock": YES}, "Landlock rules; at namespace and above, a mount namespace with a root of its own and read-only mounts"),
    Guarantee("disk", "disk space", {"rlimits": "size of each file", "namespace": YES}, "RLIMIT_FSIZE; at namespace and above, the size and inode limits of a tmpfs"),
    Guarantee("network", "no network", {"landlock": YES}, "seccomp filter on socket calls, Landlock; at namespace and above, a network namespace without interfaces"),
    Guarantee("others", "agents cannot signal, trace or read other processes", {"landlock": YES}, "Landlock scopes and ptrace rules, seccomp filter; at namespace and above, a PID namespace and, under root, a uid of the agent's own"),
)  # fmt: skip


class SandboxChoice(msgspec.Struct, frozen=True):
    """The level chosen for a run."""

    level: Level
    asked: str
    why_not: Mapping[Level, str]
    """For each stronger level that was tried: what failed."""

    @property
    def enforced(self) -> dict[str, str]:
        """How each guarantee is enforced, by its name, for the record."""
        return {guarantee.name: self._kept(guarantee) for guarantee in GUARANTEES}

    def _kept(self, guarantee: Guarantee) -> str:
        if (
            guarantee.name == "others"
            and self.level == "landlock"
            and (gaps := landlock.undeniable(landlock_version()))
        ):
            return f"except what this kernel's Landlock cannot deny: {', '.join(gaps)}"
        if self.level == "cgroup" and _OFFERED.get(guarantee.name, "") not in (
            "",
            *cgroup_places.available_controllers(),
        ):
            return guarantee.at("namespace")
        return guarantee.at(self.level)

    def note(self) -> str | None:
        """Return one line on what is not enforced and why; None if everything is, or if the user asked for ``none``."""
        if self.asked == "none":
            return None
        lacking = [guarantee.about for guarantee in GUARANTEES if self._kept(guarantee) != YES]
        if not lacking:
            return None
        asked = (
            AUTO
            if self.asked == AUTO
            else "as requested"
            if self.asked.endswith(self.level)
            else f"at least {self.asked}"
        )
        reasons = "; ".join(f"{level}: {reason}" for level, reason in self.why_not.items())
        why = f" Why: {reasons}." if reasons else ""
        if self.level in ("none", "rlimits"):
            return (
                f"sandbox: {self.level} ({asked}). Agents can read and write your files, use the network and signal other "
                f"processes: run only agents you trust.{why}"
            )
        return f"sandbox: {self.level}; 'arbiter doctor' says what is not enforced"


def choose_level(asked: str, trial: Callable[[Level], None]) -> SandboxChoice:
    """Return the sandbox to use: for ``auto`` the strongest that works, for a level at least that, for ``only:LEVEL``
    exactly that.

    ``trial`` makes a box of a level and raises an exception that says what failed. Raises UserError when no level will do.
    """
    word = asked.removeprefix(ONLY)
    least = next((level for level in LEVELS if level == word), None)
    if least is None and asked != AUTO:
        raise unknown("sandbox", asked, [AUTO, *LEVELS])
    if least == "none":
        return SandboxChoice("none", asked, {})
    wanted = [least] if least and asked != word else LEVELS[: LEVELS.index(least or "rlimits") - 1 : -1]
    why_not: dict[Level, str] = {}
    for level in wanted:
        try:
            trial(level)
        except Exception as failure:  # noqa: BLE001 - however it failed, the next level may work
            why_not[level] = str(failure)
        else:
            return SandboxChoice(level, asked, why_not)
    reasons = "; ".join(f"{level}: {reason}" for level, reason in why_not.items())
    raise UserError(
        f"sandbox level {asked!r} is not available on this machine ({reasons}); choose a lower level or auto"
    )


DENIED: Mapping[Level, Mapping[str, tuple[int, ...]]] = {
    "rlimits": {},
    "landlock": {
        "write": (errno.EACCES,),
        "network": (errno.EACCES, errno.EPERM),
        "signal": (errno.EPERM,),
        "capabilities": (errno.EPERM,),
    },
    "namespace": {
        "write": (errno.EROFS, errno.EACCES),
        "network": (errno.EACCES, errno.EPERM),
        "signal": (errno.ESRCH,),
        "capabilities": (errno.EPERM,),
    },
}
"""What the self-test of a box must find denied, and with which error numbers."""


def check_self_test(level: Level, errors: Mapping[str, int]) -> None:
    """Raise RuntimeError if the self-test of a box, which found these errors, shows that something its level denies is allowed."""
    expected = DENIED["namespace" if level == "cgroup" else level]
    for name, denials in expected.items():
        if name == "signal" and level == "landlock" and not landlock.scopes_signals(landlock_version()):
            continue  # reported by SandboxChoice.enforced
        if (found := errors.get(name)) not in denials:
            outcome = f"failed with {os.strerror(found)!r}" if found else "was allowed"
            raise RuntimeError(f"self-test in the sandbox: {name!r} {outcome}")


@functools.cache
def filter_program(*, attributes: bool, uncounted: bool, lowest_sender: int) -> bytes:
    """Return the seccomp filter for this machine; :func:`seccomp.filter_program` explains what it can allow. Raises RuntimeError on an unknown architecture."""
    machine = seccomp.ARCHITECTURES.get(platform.machine())
    if machine is None:
        raise RuntimeError(f"no table of system calls for architecture {platform.machine()!r}")
    return seccomp.filter_program(machine, attributes=attributes, uncounted=uncounted, lowest_sender=lowest_sender)


@functools.cache
def landlock_version() -> int:
    """Return the ABI version of this kernel's Landlock. Raises RuntimeError without one."""
    abi = landlock.version()
    if not abi:
        raise RuntimeError("this kernel has no Landlock")
    return abi
