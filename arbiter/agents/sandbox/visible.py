"""The files an agent sees from inside its box: its own program and what that needs to run, nothing of other agents.

Paths are the same inside and outside, so that commands need no translation. All of these files are read-only to the agent.
It writes to a folder of its own, which is its home and working directory. Symbolic links there point to the files next to its
program, so that ``open("book.txt")`` works at every level.
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
"""The agent's writable folder in boxes with a root directory of their own."""

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
_ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "nsswitch.conf", "ssl/certs",
    "ssl/openssl.cnf", "java", "java-8-openjdk", "java-11-openjdk", "java-17-openjdk", "java-21-openjdk",
    "java-25-openjdk", "jvm", "perl", "python3", "mono", "dotnet", "R", "php", "lua", "ghc", "fonts", "locale.conf",
    "mime.types", "papersize",
)  # fmt: skip
"""Parts of /etc that language runtimes read; the rest is not shown."""
_SHARED = (
    "/tmp", "/var/tmp", "/dev/shm", "/dev", "/proc", "/sys", "/run", "/etc", "/var", "/home", "/root", "/opt", "/srv", "/mnt",
)  # fmt: skip
"""Folders shared by many users and programs, which are never shown as a whole."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_MAX_LINKS = 500
"""Entries of the program's folder that get a link in the agent's home, at most."""


@dataclass(frozen=True, slots=True)
class VisibleFiles:
    """What one agent sees of the file system."""

    visible: tuple[str, ...]
    """Files, and folders with everything beneath them."""
    links: tuple[tuple[str, str], ...]
    """System folders that are symbolic links on this machine: path and target."""
    hidden: tuple[str, ...]
    """Paths beneath a visible folder that the agent must not see."""
    own_links: tuple[tuple[str, str], ...]
    """Symbolic links in the agent's home: name and target."""


def visible_files(
    agent: Agent, others: Iterable[Agent], private: Iterable[Path], more: Sequence[str] = ()
) -> VisibleFiles:
    """Return what ``agent`` may see.

    ``others`` are agents whose programs it must not read, ``private`` folders that no agent may read (saved games, for
    example), ``more`` paths that the organiser has made visible to all agents.
    """
    own = [*_both(([] if _too_wide(agent.folder) else [str(agent.folder)]) + _files(agent))]
    folders = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    links = [(path, os.readlink(path)) for path in SYSTEM if os.path.islink(path)]
    system = [*folders, *(f"/etc/{name}" for name in _ETC if os.path.exists(f"/etc/{name}"))]
    # A path in a system folder is visible already; one through a system folder that is a link would replace the link.
    visible = _without_nested([*system, *(path for path in (*own, *_tools(agent), *more) if not _is_in(path, SYSTEM))])
    secrets = [path for other in others for path in _both([*_files(other), str(other.folder)])]
    hidden = [path for path in (*secrets, *map(str, private)) if _is_in(path, visible) and not _holds(path, own)]
    return VisibleFiles(tuple(visible), tuple(links), tuple(dict.fromkeys(hidden)), tuple(_own_links(agent, hidden)))


def _files(agent: Agent) -> list[str]:
    """Return the files an agent consists of: its source, its build, and files named in its command."""
    found = [str(agent.origin)] if agent.origin else []
    builds = cache_folder()
    for index, word in enumerate(agent.command):
        for part in (word, word.partition("=")[2]):
            path = agent.folder / part
            if not part or path == agent.folder or not os.path.lexists(path) or _is_in(str(path), SYSTEM):
                continue
            if (
                agent.origin is not None
                and agent.origin.is_dir()
                and not _is_in(os.path.realpath(path), [os.path.realpath(agent.folder)])
            ):
                continue  # agent.yaml is untrusted: it can neither reveal nor hide files outside its folder
            if builds in path.parents:
                found.append(str(builds / path.relative_to(builds).parts[0]))
            elif index or path.parent == agent.folder:  # otherwise it is the interpreter
                found.append(str(path))
    return found


def _both(paths: Iterable[str]) -> Iterator[str]:
    """Yield every path as given and with symbolic links resolved."""
    for path in paths:
        yield from dict.fromkeys((path, os.path.realpath(path)))


def _too_wide(folder: Path) -> bool:
    """Return whether a folder holds more than the agent, such as the user's home or one above it."""
    home, real = os.path.expanduser("~"), Path(os.path.realpath(folder))  # unchanged where the home is unknown
    homes = (Path(os.path.realpath(home)), *Path(os.path.realpath(home)).parents) if os.path.isabs(home) else ()
    return real in homes or str(real) in (*_SHARED, os.path.realpath(tempfile.gettempdir()))


def _tools(agent: Agent) -> Iterator[str]:
    """Yield where the agent's interpreters are installed, outside system folders."""
    if not agent.command:
        return
    programs = [agent.command[0], *_from_shebang(agent.command[0])]
    if agent.language in ("command", "executable") or (agent.folder / "agent.yaml").is_file():
        # It may start anything, so show it every tool that the user can run.
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


def _from_shebang(program: str) -> list[str]:
    """Return the interpreter named in a script's first line, and the program that ``env`` would find for it."""
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
    """Yield the installation folder of a program, and of every link on the way to it: ``x`` for ``x/bin/python``."""
    chain = [program.absolute()]
    while chain[-1].is_symlink() and len(chain) < 20:
        # As the kernel does it: a relative link is relative to the real folder it is in, and so is each .. in it.
        target = os.path.join(os.path.realpath(chain[-1].parent), chain[-1].readlink())
        chain.append(Path(os.path.realpath(os.path.dirname(target)), os.path.basename(target)))
    chain.append(program.resolve())
    for path in dict.fromkeys(chain):
        if _is_in(str(path), SYSTEM) or not os.path.exists(path):
            continue
        base = path.parent.parent
        whole = path.parent.name in ("bin", "sbin", "shims") and not _too_wide(base) and base.name != ".local"
        yield str(base if whole else path)


def _own_packages(program: str) -> Iterator[str]:
    """Yield packages installed with ``pip install --user``."""
    if program == sys.executable and not site.ENABLE_USER_SITE:
        return
    base = Path(site.getuserbase()) / "lib"
    yield from (str(path) for path in base.glob("python3*/site-packages") if path.is_dir())


def _own_links(agent: Agent, hidden: Sequence[str]) -> Iterator[tuple[str, str]]:
    if _too_wide(agent.folder):
        names = [word for word in agent.command[1:] if "/" not in word and os.path.lexists(agent.folder / word)]
    else:
        with os.scandir(agent.folder) as listing:
            names = sorted(entry.name for entry in listing)[:_MAX_LINKS]
    for name in names:
        path = str(agent.folder / name)
        if path not in hidden:
            yield name, path


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _holds(path: str, inner: Iterable[str]) -> bool:
    """Return whether one of these is this path or beneath it."""
    return any(_is_in(one, [path]) for one in inner)


def _without_nested(paths: Iterable[str]) -> list[str]:
    """Return each path once, without those inside another; parents come first."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths)):
        if not _is_in(path, kept):
            kept.append(path)
    return kept
