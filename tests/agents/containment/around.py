"""What is around an agent that means harm: a process, files, sockets and saved games to attack. Afterwards they tell
whether anything was done to them."""

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
from arbiter.errors import UserError
from arbiter.records.reader import load
from arbiter.records.verify import differences
from arbiter.workspace import Workspace

SHARED = ("/tmp", "/var/tmp", "/dev/shm")
"""Where everybody on a machine may write."""
MEMORY_BYTES = 16 << 20
"""More than this may not be needed to play any game here."""
NOTHING = "-"
DEAR = "dear to somebody"


class Victim:
    """A process of the same user that has nothing to do with any game."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["sleep", "36000"], stdin=subprocess.DEVNULL, start_new_session=True, env={"SECRET": "of nobody's business"}
        )
        self.pid = self._process.pid
        self._at_first = self._looks()

    def _looks(self) -> tuple[object, ...]:
        limits = resource.prlimit(self.pid, resource.RLIMIT_NOFILE)
        return limits, os.getpriority(os.PRIO_PROCESS, self.pid), os.sched_getaffinity(self.pid)

    def state(self) -> str:
        """How it is: well, stopped, dead, or changed."""
        status = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        if status in "Tt":
            return "stopped"
        if status in "ZX":
            return "dead"
        return "well" if self._looks() == self._at_first else "changed"

    def end(self) -> None:
        """Whatever was done to it."""
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
        """Of ``tcp`` or ``udp``."""
        port: int = self._sockets[word].getsockname()[1]
        return port

    def heard(self) -> str:
        """Which of them have been spoken to since the last time."""
        ready, _, _ = select.select(list(self._sockets.values()), [], [], 0)
        words = [word for word, listening in self._sockets.items() if listening in ready]
        for word in words:
            if word == "tcp":
                self._sockets[word].accept()[0].close()
            else:
                self._sockets[word].recv(100)
        return ",".join(words) or NOTHING

    def close(self) -> None:
        """Nobody listens any more."""
        for listening in self._sockets.values():
            listening.close()


class Grounds:
    """The folders of one case, under one that the player owns."""

    def __init__(self, folder: Path, token: str = "", games: str = "games", together: bool = False) -> None:
        self.folder, self.token = folder, token
        self.guest, self.outside = folder / "guest", folder / "outside"
        self.host = self.guest if together else folder / "host"
        self.games = folder / games
        for each in dict.fromkeys((self.guest, self.host, self.games, self.outside)):
            each.mkdir(parents=True)
        self.precious = write(self.outside / "precious", DEAR)
        self._at_first = self.precious.stat()
        self.database = write(self.games / "games.db", "not really a database")
        self.old = self.games / "old.jsonl"

    def bring(self, program: Path, folder: Path) -> Path:
        """Copy an agent into a folder of its own."""
        return Path(shutil.copyfile(program, folder / program.name))

    def state_of_precious(self) -> str:
        """Whether the file that is dear to somebody is as it was."""
        now = self.precious.stat()
        as_it_was = now.st_mode == self._at_first.st_mode and now.st_mtime_ns == self._at_first.st_mtime_ns
        return "intact" if as_it_was and self.precious.read_text() == DEAR else "changed"

    def left_outside(self) -> str:
        """Whether anything new is in the folder of somebody else."""
        return litter(self.outside, {self.precious.name})

    def remove(self) -> None:
        """Not with shutil.rmtree, which gives up on folders that are deep enough."""
        subprocess.run(["chmod", "-R", "u+rwX", self.folder], check=False, stderr=subprocess.DEVNULL)
        subprocess.run(["rm", "-rf", self.folder], check=True)


def write(path: Path, text: str) -> Path:
    """A file with this text."""
    path.write_text(text, encoding="utf-8")
    return path


def litter(folder: Path, known: Iterable[str]) -> str:
    """Whether there is anything in a folder that nobody knows."""
    return "litter" if set(os.listdir(folder)) - set(known) else NOTHING  # noqa: PTH208


def contents(folder: Path) -> Mapping[str, tuple[int, bytes]]:
    """What is in a folder, with rights and, of files that can be read and are not huge, what they hold."""
    found: dict[str, tuple[int, bytes]] = {}
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            found[path.name] = (path.lstat().st_mode, path.read_bytes() if _readable(path) else b"")
    return found


def _readable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.R_OK) and path.stat().st_size < MEMORY_BYTES


def shared_litter(token: str) -> str:
    """Whether this was left where everybody may write; it is removed."""
    found = NOTHING
    for folder in SHARED:
        with contextlib.suppress(FileNotFoundError):
            Path(folder, token).unlink()
            found = "litter"
    return found


def sysv_litter(key: int) -> str:
    """Whether a System V segment with this key was left; it is removed."""
    libc = ctypes.CDLL(None, use_errno=True)
    segment = libc.shmget(key, 0, 0)
    if segment < 0:
        return NOTHING
    libc.shmctl(segment, 0, None)
    return "litter"


def is_well(record: Path, workspace: Workspace) -> str:
    """Whether a saved game is one, whole, and says what the rules say."""
    if record.is_symlink() or not record.is_file():
        return "no file of its own"
    try:
        loaded = load(record)
    except UserError as error:
        return str(error)
    if loaded.result is None:
        return "cut off"
    found = list(differences(loaded, registry.find(loaded.header.protocol, workspace)))
    return str(found[0]) if found else "verified"


def open_files() -> set[str]:
    """Those of this process, each with what it is."""
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(f"{entry.name} {entry.readlink()}")
    return {file for file in found if "/proc/" not in file.split(maxsplit=1)[1]}


def peak_bytes() -> int:
    """Most memory this process ever used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def running_below(ancestors: Iterable[int]) -> set[int]:
    """All processes that stem from these and have not ended."""
    found = {pid for ancestor in ancestors for pid in tree.descendants(ancestor)}
    return {pid for pid in found if _runs(pid)}


def _runs(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] not in "ZX"
    return False


def command_of(pid: int) -> str:
    """What it was started as, for people."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return "?"
