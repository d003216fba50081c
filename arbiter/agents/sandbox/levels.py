"""How well agents are contained: five levels, what each of them enforces, and which can be had on this machine.

Nobody is asked for versions. A level is tried: a box is made, which looks from inside whether what agents must not do is
indeed refused, and a program is run in it. The strongest level that passes is used, unless the user insists on more.
"""

from __future__ import annotations

import errno
import functools
import os
import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from arbiter.agents.sandbox import landlock, seccomp
from arbiter.errors import UserError, unknown

Level = Literal["none", "rlimits", "landlock", "namespace", "cgroup"]
LEVELS: tuple[Level, ...] = ("none", "rlimits", "landlock", "namespace", "cgroup")
"""From weakest to strongest; each has what the ones before it have."""
AUTO = "auto"
ONLY = "only:"
"""In front of a level: that one and not a stronger one, to see what it is like."""

YES = "yes"
_NO = "no"
_WATCHED = "watched: over the limit for more than 50 ms is a fault"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """One thing that is promised, and how well each level keeps it."""

    name: str
    about: str
    """What agents could do otherwise, for the line that says what is not enforced."""
    kept: Mapping[Level, str]
    """By the first level that keeps it so, in ascending order."""

    def at(self, level: Level) -> str:
        """How it is kept at a level: ``yes``, ``no``, or in words."""
        known = [self.kept[lower] for lower in LEVELS[: LEVELS.index(level) + 1] if lower in self.kept]
        return known[-1] if known else _NO


GUARANTEES = (
    Guarantee("time", "time limits", {"none": YES}),
    Guarantee("output", "limits of output", {"none": YES}),
    Guarantee("tree", "everything an agent started is killed", {"none": "group, descendants and strays, as far as they can be found", "namespace": YES}),
    Guarantee("memory", "memory of each process", {"none": _WATCHED, "rlimits": YES}),
    Guarantee("total memory", "total memory across processes", {"none": _WATCHED, "cgroup": YES}),
    Guarantee("processes", "number of processes", {"none": _WATCHED, "namespace": YES}),
    Guarantee("cpu", "CPU of orphaned children", {"cgroup": YES}),
    Guarantee("files", "agents read and write only what is theirs", {"landlock": YES}),
    Guarantee("disk", "disk space", {"rlimits": "size of each file", "namespace": YES}),
    Guarantee("network", "no network", {"landlock": YES}),
    Guarantee("others", "agents cannot signal, trace or read other processes", {"landlock": YES}),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SandboxChoice:
    """What was chosen for this run."""

    level: Level
    asked: str
    why_not: Mapping[Level, str]
    """For each stronger level that was tried: what did not work."""

    @property
    def enforced(self) -> dict[str, str]:
        """For the record."""
        return {guarantee.name: self._kept(guarantee) for guarantee in GUARANTEES}

    def _kept(self, guarantee: Guarantee) -> str:
        if guarantee.name == "others" and self.level == "landlock" and (gaps := landlock.missing(landlock_version())):
            return f"as far as this kernel's Landlock goes, which leaves open: {', '.join(gaps)}"
        return guarantee.at(self.level)

    def note(self) -> str | None:
        """One line on what is not enforced and why; None if everything is, or if the user has waived it by name."""
        if self.asked == "none":
            return None
        lacking = [guarantee.about for guarantee in GUARANTEES if self._kept(guarantee) != YES]
        if not lacking:
            return None
        asked = (
            AUTO if self.asked == AUTO else "as asked" if self.asked.endswith(self.level) else f"at least {self.asked}"
        )
        reasons = "; ".join(f"{level}: {reason}" for level, reason in self.why_not.items())
        why = f" Why: {reasons}." if reasons else ""
        if self.level in ("none", "rlimits"):
            return (
                f"sandbox: {self.level} ({asked}). Agents can read and write your files, use the network and signal other "
                f"processes: run only agents you trust.{why}"
            )
        return f"sandbox: {self.level} ({asked}). Not fully enforced: {', '.join(lacking)}.{why}"


def choose(asked: str, trial: Callable[[Level], None]) -> SandboxChoice:
    """The sandbox for what the user asked for: ``auto``, a level (at least that), ``only:LEVEL``.

    ``trial`` makes a box of a level and raises an exception whose text says what did not work. Raises UserError when
    what was asked for cannot be had.
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
        except Exception as failure:  # noqa: BLE001 - whatever a kernel comes up with, the next level may do
            why_not[level] = str(failure)
        else:
            return SandboxChoice(level, asked, why_not)
    reasons = "; ".join(f"{level}: {reason}" for level, reason in why_not.items())
    raise UserError(f"sandbox {asked!r} cannot be had here ({reasons}): choose a lower level, or auto")


REFUSED: Mapping[Level, Mapping[str, tuple[int, ...]]] = {
    "rlimits": {},
    "landlock": {
        "write": (errno.EACCES,),
        "network": (errno.EACCES, errno.EPERM),
        "signal": (errno.EPERM,),
        "rights": (errno.EPERM,),
    },
    "namespace": {
        "write": (errno.EROFS, errno.EACCES),
        "network": (errno.EACCES, errno.EPERM),
        "signal": (errno.ESRCH,),
        "rights": (errno.EPERM,),
    },
}
"""What the box must have found refused when it tried from inside, and how."""


def check(level: Level, seen: Mapping[str, int]) -> None:
    """Raise RuntimeError if a box found something possible that its level refuses."""
    expected = REFUSED["namespace" if level == "cgroup" else level]
    for name, errors in expected.items():
        if name == "signal" and level == "landlock" and not landlock.keeps_signals_in(landlock_version()):
            continue  # which is said, see Sandbox.enforced
        if seen.get(name) not in errors:
            found = seen.get(name)
            raise RuntimeError(f"from inside, {name!r} was {os.strerror(found) if found else 'possible'}")


@functools.cache
def filter_program(*, attributes: bool, memfd: bool) -> bytes:
    """The seccomp filter for this machine, with or without the rights to change attributes of files and to have memory
    that only control groups count. Raises RuntimeError where none is known."""
    machine = seccomp.MACHINES.get(platform.machine())
    if machine is None:
        raise RuntimeError(f"no list of system calls for {platform.machine()}")
    return seccomp.program(machine, attributes=attributes, memfd=memfd)


@functools.cache
def landlock_version() -> int:
    """Of this kernel. Raises RuntimeError if there is none."""
    abi = landlock.version()
    if not abi:
        raise RuntimeError("this kernel has no Landlock")
    return abi
