"""A cgroup delegated to an ordinary user, made as systemd makes one for a unit with ``Delegate=yes``."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from arbiter.agents.sandbox import cgroups
from arbiter.agents.sandbox.cgroup_places import own_places
from tests.tools import missing

_DELEGATED = ("cgroup.procs", "cgroup.subtree_control", "cgroup.threads", "tasks")
"""The files that a delegated cgroup's owner may write to; the last one is of version 1. The limits of the cgroup itself stay root's."""
_CONTROLLERS = "+memory +pids +cpu"


class Delegation:
    """Delegated cgroups: one of version 2, or one in the hierarchy of each controller of version 1 (and one of version 2 to
    freeze processes where both are mounted)."""

    def __init__(self, uid: int, *, session: bool) -> None:
        """Create them for a user. In a ``session``, as of a desktop, its manager has enabled the controllers, and a program
        shares a cgroup below with the shell that started it. Otherwise it is alone in the delegated cgroup itself, as under
        ``systemd-run --scope``."""
        if os.geteuid() != 0:
            missing("running as root: delegating a cgroup")
        name = f"delegated-{os.getpid()}-{secrets.token_hex(4)}"
        self._tops: list[Path] = []
        try:
            for base in dict.fromkeys(own_places().values()):
                self._tops.append(base / name)
                _make(base / name, uid)
            self.places = [_make(top / "session", uid) for top in self._tops] if session else self._tops
            for top in self._tops if session else ():
                with contextlib.suppress(FileNotFoundError):  # version 1
                    (top / "cgroup.subtree_control").write_text(_available(top), encoding="ascii")
        except OSError as error:
            self.close()
            missing(f"delegating a cgroup: {error}")

    def command(self, *words: str) -> list[str]:
        """Return a command that root can use to run this one inside."""
        enter = 'while [ "$1" != -- ]; do echo $$ > "$1"/cgroup.procs || exit; shift; done; shift; exec "$@"'
        return ["sh", "-c", enter, "sh", *map(str, self.places), "--", *words]

    def left(self) -> list[str]:
        """Return the cgroups that somebody has made inside and not removed."""
        own = {*self._tops, *self.places}
        return [str(path) for top in self._tops for path in top.rglob("*") if path.is_dir() and path not in own]

    def close(self) -> None:
        """Remove them with everything inside, where nothing runs any more."""
        for top in self._tops:
            for folder in (*sorted((path for path in top.rglob("*") if path.is_dir()), reverse=True), top):
                cgroups.remove(folder)


def _make(folder: Path, uid: int) -> Path:
    folder.mkdir()
    os.chown(folder, uid, uid)
    for name in _DELEGATED:
        with contextlib.suppress(FileNotFoundError):
            os.chown(folder / name, uid, uid)
    return folder


def _available(folder: Path) -> str:
    """Return what to write to enable those of our controllers that version 2 has here; beside version 1 it has none."""
    offered = (folder / "cgroup.controllers").read_text(encoding="ascii").split()
    return " ".join(word for word in _CONTROLLERS.split() if word[1:] in offered)
