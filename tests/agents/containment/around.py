"""The targets of a hostile agent: a process, files, sockets and saved games, with checks whether they were harmed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import secrets
import select
import shutil
import socket
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arbiter import registry
from arbiter.agents.launch import tree
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from tests.tools import until

SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""Folders that every user of a machine may write to."""
MEMORY_BYTES = 16 << 20
"""More memory than the arbiter may need for any game here."""
NOTHING = "-"
CONTENT = "precious"


class Victim:
    """An unrelated process of the same user."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["sleep", "36000"], stdin=subprocess.DEVNULL, start_new_session=True, env={"SECRET": "secret"}
        )
        self.pid = self._process.pid
        self._initial = self._attributes()

    def _attributes(self) -> tuple[object, ...]:
        limits = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        return limits, os.getpriority(os.PRIO_PROCESS, self.pid), os.sched_getaffinity(self.pid)

    def state(self) -> str:
        """Return its state: well, stopped, dead, or changed."""
        status = ""

        def is_settled() -> bool:  # it sleeps, unless a signal has just woken it, which it may not survive
            nonlocal status
            status = self._status()
            return status not in "RD"

        until(is_settled, "its sleep or its end")
        if status in "Tt":
            return "stopped"
        if status in "ZX":
            return "dead"
        return "well" if self._attributes() == self._initial else "changed"

    def _status(self) -> str:
        return Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]

    def end(self) -> None:
        """Kill it, whatever its state."""
        self._process.kill()
        self._process.wait()


class Accomplices:
    """Servers on this machine that an agent might talk to."""

    def __init__(self, folder: Path) -> None:
        self.abstract = f"arbiter-containment-{secrets.token_hex(8)}"
        self.path = folder / "daemon.socket"
        kinds: dict[str, tuple[int, int, Any]] = {
            "tcp": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            "udp": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            "abstract": (socket.AF_UNIX, socket.SOCK_DGRAM, f"\0{self.abstract}"),
            "path": (socket.AF_UNIX, socket.SOCK_DGRAM, str(self.path)),
        }
        self._sockets: dict[str, socket.socket] = {}
        for word, (family, kind, address) in kinds.items():
            self._sockets[word] = listening = socket.socket(family, kind)
            listening.bind(address)
            if kind == socket.SOCK_STREAM:
                listening.listen()
        self.path.chmod(0o777)

    def port(self, word: str) -> int:
        """Return the port of ``tcp`` or ``udp``."""
        port: int = self._sockets[word].getsockname()[1]
        return port

    def heard(self) -> str:
        """Return which of them received something since the last call."""
        ready, _, _ = select.select(list(self._sockets.values()), [], [], 0)
        words = [word for word, listening in self._sockets.items() if listening in ready]
        for word in words:
            if word == "tcp":
                self._sockets[word].accept()[0].close()
            else:
                self._sockets[word].recv(100)
        return ",".join(words) or NOTHING

    def close(self) -> None:
        """Close their sockets."""
        for listening in self._sockets.values():
            listening.close()


class Grounds:
    """The folders of one case, inside one that the player owns."""

    def __init__(self, folder: Path, token: str = "", games: str = "games", together: bool = False) -> None:
        self.folder, self.token = folder, token
        self.guest, self.outside = folder / "guest", folder / "outside"
        self.host = self.guest if together else folder / "host"
        self.games = folder / games
        for each in dict.fromkeys((self.guest, self.host, self.games, self.outside)):
            each.mkdir(parents=True)
        self.precious = write(self.outside / "precious", CONTENT)
        self._initial = self.precious.stat()
        self.database = write(self.games / "games.db", "not really a database")
        self.old = self.games / "old.jsonl"

    def bring(self, program: Path, folder: Path) -> Path:
        """Copy an agent into a folder of its own."""
        return Path(shutil.copyfile(program, folder / program.name))

    def precious_state(self) -> str:
        """Return whether the precious file is unchanged."""
        now = self.precious.stat()
        as_it_was = now.st_mode == self._initial.st_mode and now.st_mtime_ns == self._initial.st_mtime_ns
        return "intact" if as_it_was and self.precious.read_text() == CONTENT else "changed"

    def left_outside(self) -> str:
        """Return whether there is a new file in the folder outside."""
        return litter(self.outside, {self.precious.name})

    def remove(self) -> None:
        """Remove everything; shutil.rmtree would fail on very deep folders."""
        if subprocess.run(["rm", "-rf", self.folder], check=False, stderr=subprocess.DEVNULL).returncode:
            subprocess.run(["chmod", "-R", "u+rwX", self.folder], check=False, stderr=subprocess.DEVNULL)
            subprocess.run(["rm", "-rf", self.folder], check=True)


def write(path: Path, text: str) -> Path:
    """Write a text file and return its path."""
    path.write_text(text, encoding="utf-8")
    return path


def litter(folder: Path, known: Iterable[str]) -> str:
    """Return whether there is anything in a folder besides known names."""
    return "litter" if set(os.listdir(folder)) - set(known) else NOTHING  # noqa: PTH208


def contents(folder: Path) -> Mapping[str, tuple[int, bytes]]:
    """Return the entries of a folder with their modes and the content of small readable files."""
    found: dict[str, tuple[int, bytes]] = {}
    with contextlib.suppress(OSError):
        for path in (*folder.iterdir(), *folder.glob("book/*")):
            found[str(path.relative_to(folder))] = (path.lstat().st_mode, path.read_bytes() if _readable(path) else b"")
    return found


def _readable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.R_OK) and path.stat().st_size < MEMORY_BYTES


def shared_litter(token: str) -> str:
    """Remove what was left in the shared folders, and return whether there was anything."""
    found = NOTHING
    for folder in SHARED:
        with contextlib.suppress(FileNotFoundError):
            Path(folder, token).unlink()
            found = "litter"
    return found


def sysv_litter(key: int) -> str:
    """Remove a System V segment with this key, and return whether there was one."""
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(key, 0, 0)
    if segment < 0:
        return NOTHING
    libc.shmctl(segment, 0, None)
    return "litter"


def check_record(record: Path, workspace: Workspace) -> str:
    """Return ``verified`` if a saved game is complete and agrees with the rules, otherwise what is wrong with it."""
    if record.is_symlink() or not record.is_file():
        return "not a regular file"
    try:
        loaded = load_record(record)
    except UserError as error:
        return str(error)
    if loaded.result is None:
        return "cut off"
    found = list(differences(loaded, registry.find_protocol(loaded.header.protocol, workspace)))
    return str(found[0]) if found else "verified"


def open_files() -> set[str]:
    """Return the open files of this process, each with its target."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(f"{entry.name} {entry.readlink()}")
    return {file for file in found if "/proc/" not in file.split(maxsplit=1)[1]}


def peak_bytes() -> int:
    """Return the peak memory use of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def running_below(ancestors: Iterable[int]) -> set[int]:
    """Return all running descendants of these processes."""
    found = {pid for ancestor in ancestors for pid in tree.descendants(ancestor)}
    return {pid for pid in found if _runs(pid)}


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    return False


def command_of(pid: int) -> str:
    """Return its command line."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return "?"
