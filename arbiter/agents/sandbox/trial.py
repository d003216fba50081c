"""Tries which levels work on this machine, by making a box of each and running a program in it.

A trial takes as long as a short game, so its outcome is remembered until anything changes that it could depend on: the boot, the
kernel, the user, the cgroup, privileges, or the arbiter. Every box tests itself when it starts, whatever was remembered.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import hashlib
import os
import select
import shutil
import sys
import tempfile
from pathlib import Path

import msgspec

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.sandbox import levels
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import Level, SandboxChoice
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from arbiter.config.limits import Limits, resolve_limits
from arbiter.errors import UserError

_TRIAL_MS = 10_000
_LASTING = (
    *map(os.strerror, (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EINVAL, errno.EROFS)),
    "needs root or a delegated cgroup", "no Landlock", "no table of system calls",
)  # fmt: skip
"""Messages of failures that are properties of the machine, and therefore remembered."""
_CONDITIONS = (
    "/proc/sys/kernel/random/boot_id", "/proc/version", "/proc/self/cgroup", "/proc/self/uid_map",
    "/proc/sys/user/max_user_namespaces", "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
)  # fmt: skip
_PRIVILEGES = ("CapEff", "CapBnd", "NoNewPrivs", "Seccomp", "Seccomp_filters")
"""Lines of /proc/self/status."""


def lacks_pidfd() -> str:
    """Return why agents cannot be watched by file descriptors, without which none is started; empty if they can."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError) as error:
        why = os.strerror(error.errno or 0) if isinstance(error, OSError) else "this Python was built without it"
        return f"pidfd_open: {why}; it needs Linux 5.3 or later, and this is {os.uname().release}"
    return ""


@functools.cache
def choose_sandbox(asked: str) -> SandboxChoice:
    """Return the sandbox for ``--sandbox``; see :func:`arbiter.agents.sandbox.levels.choose_level`."""
    if missing := lacks_pidfd():
        raise UserError(f"cannot start agents: {missing}")
    return levels.choose_level(asked, _Remembered(cache_folder().parent / "sandbox.json").attempt)


class _Remembered:
    """Trials, with the outcomes of earlier ones under the same conditions."""

    def __init__(self, file: Path) -> None:
        self._file, self._conditions = file, _conditions()
        self._outcomes: dict[str, str] = {}
        with contextlib.suppress(OSError, ValueError, KeyError, AttributeError):
            saved = msgspec.json.decode(file.read_bytes()[:65536])
            if isinstance(saved, dict) and saved.get("conditions") == self._conditions:
                self._outcomes = {str(level): str(failure) for level, failure in saved["outcomes"].items()}

    def attempt(self, level: Level) -> None:
        """Try a level, if that has not been done. Raises an exception that says what failed."""
        if level not in self._outcomes:
            try:
                _try(level)
                self._outcomes[level] = ""
            except (BoxFailed, OSError, RuntimeError) as failure:
                self._outcomes[level] = str(failure) or type(failure).__name__
            if _lasts(self._outcomes[level]):
                self._save()
        if self._outcomes[level]:
            raise BoxFailed(self._outcomes[level])

    def _save(self) -> None:
        lasting = {level: failure for level, failure in self._outcomes.items() if _lasts(failure)}
        data = msgspec.json.encode({"conditions": self._conditions, "outcomes": lasting})
        with contextlib.suppress(OSError):  # without a cache folder every start tries again
            self._file.parent.mkdir(parents=True, exist_ok=True)
            new = self._file.with_suffix(f".{os.getpid()}")
            new.write_bytes(data)
            new.replace(self._file)


def _lasts(failure: str) -> bool:
    """Return whether an outcome is a property of the machine. Other failures, such as a lack of processes or uids, are
    temporary. If they were remembered, another user could cause one to weaken the sandbox of later games."""
    return not failure or any(reason in failure for reason in _LASTING)


def _conditions() -> str:
    """Return a hash of what the outcome of a trial can depend on."""
    parts: list[object] = [sys.executable, os.getuid(), os.geteuid(), os.getgid(), os.getgroups()]
    for path in _CONDITIONS:
        with contextlib.suppress(OSError):
            parts.append(Path(path).read_text(encoding="utf-8"))
    with contextlib.suppress(OSError):
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        parts += [line for line in lines if line.partition(":")[0] in _PRIVILEGES]
    with contextlib.suppress(OSError):
        # The code of the sandbox is a condition, too: another version of it may fail where this one works.
        parts += [(path.name, path.stat().st_mtime_ns) for path in sorted(Path(__file__).parent.glob("**/*.py"))]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def try_all() -> dict[Level, str]:
    """Return for every level what failed, empty if it works."""
    found: dict[Level, str] = {"none": ""}
    for level in levels.LEVELS[1:]:
        try:
            _try(level)
            found[level] = ""
        except (BoxFailed, OSError, RuntimeError) as failure:
            found[level] = str(failure)
    return found


def _try(level: Level) -> None:
    """Make a box of this level and run a program in it. Raises an exception that says what failed.

    As in a game, a program of the system reads a file of the agent's own, which a box has to show to its user.
    """
    limits, _ = resolve_limits([])
    with tempfile.TemporaryDirectory(prefix="arbiter-trial-") as folder:
        Path(folder).chmod(0o755)  # not every file system can make the agent its owner
        own = Path(folder) / "own"
        own.touch()
        own.chmod(0o644)
        _run_canary(level, limits, own)


def _run_canary(level: Level, limits: Limits, own: Path) -> None:
    cat = shutil.which("cat")
    argv = [cat, str(own)] if cat else [sys.executable, "-S", "-I", str(own)]
    program = argv[0]
    files = visible_files(Agent("canary", program, tuple(argv), own.parent, "canary"), [], [])
    with (
        Sandbox(level, msgspec.structs.replace(files, own_links=()), limits) as sandbox,
        open(os.devnull, "r+b") as null,
    ):
        pidfd, *_ = sandbox.box().spawn(argv, {}, sandbox.folder, [null.fileno()] * 3)
        poll = select.poll()
        poll.register(pidfd, select.POLLIN)
        poll.poll(_TRIAL_MS)
        os.close(pidfd)
        report = sandbox.end()
        if report.exit_code:
            raise BoxFailed(f"{program} exited with {report.exit_code}")
