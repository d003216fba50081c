"""What an agent sees of the machine from inside its box: its own program, what it runs on, and nothing of the others.

Paths inside are those outside, so that commands need no translation. Everything here is read-only to the agent; what it
writes goes to a folder of its own, which is its home and where it runs. There it finds links to the files that lie beside
its program, so that ``open("book.txt")`` works wherever it is run.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import cache_folder

HOME = "/home/agent"
"""Its own folder, in boxes that have a root of their own."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "nsswitch.conf", "ssl/certs",
    "ssl/openssl.cnf", "java", "java-8-openjdk", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk",
    "java-25-openjdk", "jvm", "perl", "python3", "mono", "dotnet", "R", "php", "lua", "ghc", "fonts", "locale.conf",
    "mime.types", "papersize",
)  # fmt: skip
"""Parts of /etc that runtimes read; the rest is the machine's own business."""
_SHARED = (
    "/tmp", "/var/tmp", "/dev/shm", "/dev", "/proc", "/sys", "/run", "/etc", "/var", "/home", "/root", "/opt", "/srv", "/mnt",
)  # fmt: skip
"""Folders in which everybody keeps things."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_LINKS_MOST = 500
"""Entries of a program's folder that are linked to from its home."""


@dataclass(frozen=True, slots=True)
class VisibleFiles:
    """The outside world of one agent."""

    visible: tuple[str, ...]
    """Files and folders with all below them."""
    links: tuple[tuple[str, str], ...]
    """System folders that are links here."""
    hidden: tuple[str, ...]
    """What lies below something visible and is none of its business."""
    own_links: tuple[tuple[str, str], ...]
    """In its home: name and target."""


def visible_files(
    agent: Agent, others: Iterable[Agent], private: Iterable[Path], more: Sequence[str] = ()
) -> VisibleFiles:
    """What ``agent`` may see.

    ``others`` are the agents whose programs it must not read, ``private`` folders nobody may (saved games, say),
    ``more`` paths that the organiser has opened for all.
    """
    own = [*_both(([] if _too_wide(agent.folder) else [str(agent.folder)]) + _files(agent))]
    folders = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    links = [(path, os.readlink(path)) for path in SYSTEM if os.path.islink(path)]
    system = [*folders, *(f"/etc/{name}" for name in _ETC if os.path.exists(f"/etc/{name}"))]
    # What lies in a system folder is there already; named through one that is a link it would take that link's place.
    visible = _without_nested(
        [*system, *(path for path in (*own, *_tools(agent), *more) if not _lies_in(path, SYSTEM))]
    )
    secrets = [path for other in others for path in _both([*_files(other), str(other.folder)])]
    hidden = [path for path in (*secrets, *map(str, private)) if _lies_in(path, visible) and not _holds(path, own)]
    return VisibleFiles(tuple(visible), tuple(links), tuple(dict.fromkeys(hidden)), tuple(_own_links(agent, hidden)))


def _files(agent: Agent) -> list[str]:
    """What an agent is made of: its source, what that was built to, and files that its command names."""
    found = [str(agent.origin)] if agent.origin else []
    builds = cache_folder()
    for index, word in enumerate(agent.command):
        for part in (word, word.partition("=")[2]):
            path = agent.folder / part
            if not part or path == agent.folder or not os.path.lexists(path) or _lies_in(str(path), SYSTEM):
                continue
            if agent.origin == agent.folder and not _lies_in(os.path.realpath(path), [os.path.realpath(agent.folder)]):
                continue  # a card is its author's word: it neither opens nor hides what is not the author's
            if builds in path.parents:
                found.append(str(builds / path.relative_to(builds).parts[0]))
            elif index or path.parent == agent.folder:  # else it is the interpreter
                found.append(str(path))
    return found


def _both(paths: Iterable[str]) -> Iterator[str]:
    """Every path as it is written and as it is with all links followed."""
    for path in paths:
        yield from dict.fromkeys((path, os.path.realpath(path)))


def _too_wide(folder: Path) -> bool:
    home, real = os.path.expanduser("~"), Path(os.path.realpath(folder))  # stays as it is where nobody knows
    homes = (Path(os.path.realpath(home)), *Path(os.path.realpath(home)).parents) if os.path.isabs(home) else ()
    return real in homes or str(real) in (*_SHARED, os.path.realpath(tempfile.gettempdir()))


def _tools(agent: Agent) -> Iterator[str]:
    """Where the interpreters live that run the agent, if that is not where the system keeps its own."""
    if not agent.command:
        return
    programs = [agent.command[0], *_named_in_first_line(agent.command[0])]
    if agent.language in ("command", "executable") or (agent.folder / "agent.yaml").is_file():
        # It may start anything; what users have installed by themselves it finds where they do.
        named = {word.partition(">=")[0] for tool in languages.all_tools() for word in tool.split("|")}
        programs += filter(None, map(shutil.which, sorted(named)))
    for program in dict.fromkeys(programs):
        yield from _installation(Path(program))
        if Path(program).name.startswith("python"):
            yield from _own_packages(program)
    for name in ("JAVA_HOME", "LD_LIBRARY_PATH"):
        yield from (
            path for path in os.environ.get(name, "").split(":") if path.startswith("/") and os.path.isdir(path)
        )


def _named_in_first_line(program: str) -> list[str]:
    try:
        with open(program, "rb") as file:
            start = file.read(256)
    except OSError:
        return []
    if not start.startswith(b"#!"):
        return []
    words = start[2:].split(b"\n", 1)[0].decode(errors="replace").split()
    names = [word for word in words[1:2] if words[0].endswith("/env") and not word.startswith("-")]
    return [*words[:1], *filter(None, map(shutil.which, names))]


def _installation(program: Path) -> Iterator[str]:
    """The folder something was installed to, for every link on the way to it: ``x/bin/python`` lives in ``x``."""
    chain = [program.absolute()]
    while chain[-1].is_symlink() and len(chain) < 20:
        chain.append(Path(os.path.normpath(chain[-1].parent / chain[-1].readlink())))
    chain.append(program.resolve())
    for path in dict.fromkeys(chain):
        if _lies_in(str(path), SYSTEM):
            continue
        base = path.parent.parent
        whole = path.parent.name in ("bin", "sbin", "shims") and not _too_wide(base) and base.name != ".local"
        yield str(base if whole else path)


def _own_packages(program: str) -> Iterator[str]:
    """What the user has installed with ``pip install --user``."""
    if program == sys.executable and not site.ENABLE_USER_SITE:
        return
    base = Path(site.getuserbase()) / "lib"
    yield from (str(path) for path in base.glob("python3*/site-packages") if path.is_dir())


def _own_links(agent: Agent, hidden: Sequence[str]) -> Iterator[tuple[str, str]]:
    if _too_wide(agent.folder):
        names = [word for word in agent.command[1:] if "/" not in word and os.path.lexists(agent.folder / word)]
    else:
        with os.scandir(agent.folder) as listing:
            names = sorted(entry.name for entry in listing)[:_LINKS_MOST]
    for name in names:
        path = str(agent.folder / name)
        if path not in hidden:
            yield name, path


def _lies_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _holds(path: str, inner: Iterable[str]) -> bool:
    """Whether one of these is this path or lies below it."""
    return any(_lies_in(one, [path]) for one in inner)


def _without_nested(paths: Iterable[str]) -> list[str]:
    """Each path once, and none that lies in another; parents come first."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths)):
        if not _lies_in(path, kept):
            kept.append(path)
    return kept
