"""Other paths to the same files: symbolic links, bind mounts and hard links.

What is hidden from an agent is a file, not a name. So paths are resolved to real ones first, and a hidden file or folder is
then hidden at every place where it is mounted, as the kernel lists them, and under every name in the agent's folder.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import msgspec

from arbiter.agents.prepare.folder_limits import MOST_FILES
from arbiter.agents.prepare.places import is_in

_MOST_LINKS = 40
"""The most symbolic links that the kernel follows in one path."""
_ESCAPE = re.compile(rb"\\([0-7]{3})")


class Mount(msgspec.Struct, frozen=True):
    """One line of mountinfo."""

    device: str
    root: str
    """What is mounted, as a path in its file system."""
    place: str
    """Where it is mounted."""


class MountTable:
    """The mounts of this process."""

    def __init__(self, known: Iterable[Mount] | None = None) -> None:
        """Use these mounts, in the order in which they were made; by default those that the kernel lists."""
        self._all = list(_mountinfo() if known is None else known)
        self._at = {mount.place: mount for mount in self._all}
        """The topmost mount of each place."""
        self._of = Counter(mount.device for mount in self._all)

    def places(self, real: str) -> Iterator[str]:
        """Yield every path at which a file or folder, or something inside it, is mounted; its own path first.

        ``real`` is a path without symbolic links.
        """
        yield real
        place = real
        while place not in self._at and place != "/":
            place = os.path.dirname(place)
        own = self._at.get(place)
        if own is None or self._of[own.device] == 1:
            return
        inside = _join(own.root, _below(real, own.place))
        for mount in self._all:
            if mount is own or mount.device != own.device:
                continue
            if is_in(inside, [mount.root]):
                yield _join(mount.place, _below(inside, mount.root))
            elif is_in(mount.root, [inside]):
                yield mount.place


def _mountinfo() -> Iterator[Mount]:
    with open("/proc/self/mountinfo", "rb") as table:
        for line in table:
            words = line.split(b" ")
            root, place = (os.fsdecode(_ESCAPE.sub(_unescape, word)) for word in words[3:5])
            yield Mount(words[2].decode(), root, place)


def _unescape(octal: re.Match[bytes]) -> bytes:
    return bytes([int(octal.group(1), 8)])


def _below(path: str, folder: str) -> str:
    return path[len(folder.rstrip("/")) :].lstrip("/")


def _join(folder: str, rest: str) -> str:
    return f"{folder.rstrip('/')}/{rest}" if rest else folder


def links_on_the_way(path: str) -> Iterator[tuple[str, str]]:
    """Yield every symbolic link that the kernel follows on an absolute path, with its target; each link's own folder is given
    without links."""
    waiting = path.split("/")[::-1]
    place, followed = "", 0
    while waiting:
        name = waiting.pop()
        if name in ("", "."):
            continue
        if name == "..":
            place = os.path.dirname(place).rstrip("/")
            continue
        step = f"{place}/{name}"
        try:
            target = os.readlink(step)
        except OSError:
            place = step
            continue
        followed += 1
        if followed > _MOST_LINKS:
            return
        yield step, target
        waiting.extend(target.split("/")[::-1])
        if target.startswith("/"):
            place = ""


def other_names(files: Iterable[str], folder: str) -> Iterator[str]:
    """Yield the hard links in a folder to any of these files. Files with a single name, as nearly all are, cost nothing."""
    wanted: Mapping[tuple[int, int], str] = {
        (found.st_dev, found.st_ino): path for path in files for found in _several_names(path)
    }
    waiting, seen = [folder] if wanted else [], 0
    while waiting and seen < MOST_FILES:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif (found := entry.stat(follow_symlinks=False)) and (found.st_dev, found.st_ino) in wanted:
                        yield entry.path
        except OSError:
            continue


def _several_names(path: str) -> Iterator[os.stat_result]:
    try:
        found = os.stat(path)
    except OSError:
        return
    if found.st_nlink > 1 and not os.path.isdir(path):
        yield found
