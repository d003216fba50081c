"""What a Dask worker says about the machine it runs on, and why a machine may be refused."""

from __future__ import annotations

import functools
import hashlib
import platform
import socket
import time
from pathlib import Path
from typing import Annotated

import msgspec

from arbiter.agents.launch import cores
from arbiter.agents.prepare.cache import Cache
from arbiter.version import __version__

_STEPS = 200_000
_ROUNDS = 5
MOST_CORES = 1 << 16
"""The most cores that a head believes a machine to have."""


class HostFacts(msgspec.Struct, frozen=True, kw_only=True):
    """A machine, as one of its Dask workers sees it."""

    host: str
    """The name of the machine."""
    machine: str
    """Equal for all workers of one machine, also in containers."""
    cache_id: str
    """Equal for workers that share a cache folder: agents are sent once to each of these."""
    cpu: str
    cores: Annotated[int, msgspec.Meta(ge=1, le=MOST_CORES)]
    speed: float
    python: str
    arbiter: str
    code: str
    """A hash of the arbiter's own source files."""


def facts() -> HostFacts:
    """Look at this machine, which takes about a tenth of a second."""
    status = Cache("archives").folder.stat()
    machine = _first_line("/proc/sys/kernel/random/boot_id") or socket.gethostname()
    return HostFacts(
        host=socket.gethostname(),
        machine=machine,
        cache_id=f"{machine} {status.st_dev} {status.st_ino}",
        cpu=cpu_model(),
        cores=max(1, len(cores.usable())),
        speed=round(speed(), 1),
        python=python_version(),
        arbiter=__version__,
        code=code_hash(),
    )


def python_version() -> str:
    """Return the major and minor version of Python: bug-fix releases are compatible."""
    return ".".join(platform.python_version_tuple()[:2])


def why_refused(found: HostFacts) -> str:
    """Return why a worker cannot play for this head; empty if versions agree."""
    if found.python != python_version():
        return f"it has Python {found.python}, and the head has {python_version()}"
    if found.arbiter != __version__:
        return f"it has arbiter {found.arbiter}, and the head has {__version__}"
    if found.code != code_hash():
        return f"its arbiter {found.arbiter} has other source files than that of the head: install the same version"
    return ""


@functools.cache
def code_hash() -> str:
    """Return a hash of the arbiter's source files; development versions share their number."""
    package = Path(__file__).parents[1]
    whole = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        if inside.parts[0] not in ("bundled", "protocols"):  # protocols have versions of their own
            whole.update(f"{inside}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


def cpu_model() -> str:
    """Return the model of the CPU as the kernel reports it."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    named = (
        line.partition(":")[2].strip()
        for line in text.splitlines()
        if line.lower().startswith(("model name", "cpu model"))
    )
    return next(named, "") or platform.machine()


def speed() -> float:
    """Return millions of additions per second in a loop, in the best of several rounds: others only slow it down."""
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        total = 0
        for step in range(_STEPS):
            total += step
        best = min(best, time.perf_counter() - start)
    return _STEPS / best / 1e6


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""
