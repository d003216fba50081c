"""The sandbox of one agent: its box, its writable folder, its uid and its cgroups, for as long as the series lasts.

A box that the agent has managed to break is replaced at its next spawn; nothing else is affected.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os

from arbiter.agents.sandbox import levels, own_folder
from arbiter.agents.sandbox.box import Box, BoxFailed, ExitReport
from arbiter.agents.sandbox.cgroups import Cgroups
from arbiter.agents.sandbox.configure import OWN_TASKS, configure, has_namespaces
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.own_copies import OwnCopies
from arbiter.agents.sandbox.uids import FIRST_UID, ReservedUid, can_become
from arbiter.agents.sandbox.visible import HOME, VisibleFiles
from arbiter.config.limits import Limits

_numbers = itertools.count(1)


class Sandbox:
    """The sandbox of one agent. Use as a context manager."""

    def __init__(self, level: Level, files: VisibleFiles, limits: Limits) -> None:
        self._level, self._files, self._limits = level, files, limits
        self.contained = has_namespaces(level)
        """Whether no process can escape the box, not even by forking."""
        self._reserved = ReservedUid() if self.contained and os.getuid() == 0 and can_become(FIRST_UID) else None
        self.folder = HOME if self.contained else own_folder.make(())
        """The agent's writable folder and working directory."""
        self.copies = OwnCopies() if level == "rlimits" else None
        """Files copied to that folder. At level landlock and above, links are used instead: the agent cannot write through
        them."""
        if not self.contained:
            self._fill_folder()
        self._box: Box | None = None
        self._ready = False
        self._renewing = False
        """Whether the box is emptying the agent's folder."""
        self.cgroups: Cgroups | None = None
        self._oom_kills = 0
        self._ran_out = False

    @property
    def where_it_runs(self) -> tuple[str, bool]:
        """The agent's folder, and whether its program was copied there."""
        return self.folder, self.copies is not None

    # -- the box

    def prepare(self) -> None:
        """Start making the box, and return while it is being made."""
        if self._box is not None:
            return
        for path in self._files.hidden:
            with contextlib.suppress(OSError):
                os.makedirs(path)  # only what exists can be covered, and saved games may come later
        uid = self._reserved.uid if self._reserved else None
        box = Box(configure(self._level, self._files, self._limits, self.folder, uid))
        box.begin()
        try:
            if self._level == "cgroup":
                name = f"arbiter-{os.getpid()}-{next(_numbers)}-{os.urandom(4).hex()}"
                self.cgroups = Cgroups(name, self._limits.processes + OWN_TASKS)
                self.cgroups.add(box.first_pid)  # the kernel may take some ten milliseconds for this
        except OSError as error:
            box.close()
            self._discard_box()
            if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise BoxFailed("creating cgroups needs root or a delegated cgroup") from None
            if error.errno == errno.EBUSY:
                raise BoxFailed(
                    "other programs share the arbiter's cgroup; systemd-run --scope can start it in its own"
                ) from None
            raise BoxFailed(f"{error.filename or 'cgroups'}: {error.strerror}") from None
        box.let_spawn()
        self._box, self._ready = box, False

    def box(self) -> Box:
        """Return the box, ready for use; make a new one if there is none or it is broken. Raises BoxFailed."""
        if self._renewing:
            self._wait_fresh()
        if self._box is not None:
            if self._ready and not self._box.broken:
                return self._box
            if self._box.broken:
                self._discard_box()
        self.prepare()
        if self._box is None:
            raise AssertionError("a prepared sandbox has a box")
        if not self._ready:
            try:
                levels.check_self_test(self._level, self._box.wait_ready())
                if self.cgroups:
                    self.cgroups.limit_memory(self._limits.memory_bytes)
                    self._oom_kills = 0
            except (BoxFailed, RuntimeError, OSError) as failure:
                self._discard_box()
                raise BoxFailed(str(failure)) from None
            self._ready = True
        return self._box

    def _discard_box(self) -> None:
        self._ran_out = self.memory_ran_out()
        if self._box is not None:
            self._box.close()
            self._box, self._renewing = None, False
        if self.cgroups is not None:
            self.cgroups.close()
            self.cgroups = None

    # -- the agent's processes

    @property
    def head_pid(self) -> int:
        """The process that all the agent's processes descend from; -1 without a box."""
        return self._box.pid if self._box else -1

    def end(self) -> ExitReport:
        """Kill every process of the agent. A box that can no longer do that is discarded, which kills them as well."""
        try:
            if self._box is None or self._box.broken or not self._ready:
                raise BoxFailed("there is no box")
            return self._box.end()
        except BoxFailed:
            self._discard_box()
            return ExitReport(-9, 0, 0)

    def freeze(self) -> None:
        """Stop every process of the agent until :meth:`thaw`: by its cgroup, or else by SIGSTOP, which a timer of the agent
        can undo."""
        with contextlib.suppress(BoxFailed, OSError):
            self.cgroups.freeze() if self.cgroups and self.cgroups.can_freeze else self.box().stop()

    def thaw(self) -> None:
        """Continue every process of the agent."""
        with contextlib.suppress(BoxFailed, OSError):
            self.cgroups.thaw() if self.cgroups and self.cgroups.can_freeze else self.box().resume()

    def give_way(self) -> bool:
        """Run the agent only when the core would otherwise be idle, until :meth:`share_equally`. Returns whether the
        kernel can do that."""
        with contextlib.suppress(OSError):
            if self.cgroups and self.cgroups.can_give_way:
                self.cgroups.give_way()
                return True
        return False

    def share_equally(self) -> None:
        """Let the agent share the core evenly with others."""
        with contextlib.suppress(OSError):
            if self.cgroups and self.cgroups.can_give_way:
                self.cgroups.share_equally()

    def memory_ran_out(self) -> bool:
        """Return whether the kernel has killed a process at the memory limit since the last call."""
        ran_out, self._ran_out = self._ran_out, False
        if self.cgroups is not None:
            with contextlib.suppress(OSError):
                before, self._oom_kills = self._oom_kills, self.cgroups.oom_kills()
                ran_out = ran_out or self._oom_kills > before
        return ran_out

    def open_folder(self) -> int:
        """Return a descriptor of the agent's folder, to read what it wrote. The agent must have been ended. Raises OSError."""
        if self._renewing:
            self._wait_fresh()
        if not self.contained:
            return os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if self._box is None or not self._ready:
                raise BoxFailed("the sandbox was replaced, and the agent's folder with it")
            return self._box.open_home()
        except BoxFailed as failure:
            raise OSError(errno.ENOENT, str(failure)) from None

    def fresh(self) -> None:
        """Start to empty the agent's folder for the next game. The agent must have been ended."""
        if not self.contained:
            own_folder.empty(self.folder)
            self._fill_folder()
            return
        try:
            self.box().begin_fresh()
            self._renewing = True
        except (BoxFailed, OSError):
            self._discard_box()

    def _wait_fresh(self) -> None:
        self._renewing = False
        try:
            if self._box is not None:
                self._box.wait_fresh()
        except BoxFailed:
            self._discard_box()

    def _fill_folder(self) -> None:
        fill = self.copies.fill if self.copies else own_folder.add_links
        fill(self.folder, self._files.own_links)

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin_close(self) -> None:
        """Start ending the box, and return while it ends. No more processes can be started."""
        if self._box is not None:
            self._box.begin_close()

    def close(self) -> None:
        """End the box and remove everything that was made for it."""
        with contextlib.ExitStack() as leaving:
            if self._reserved:
                leaving.callback(self._reserved.close)
            if not self.contained:
                leaving.callback(own_folder.remove, self.folder)
            leaving.callback(self._discard_box)
