"""The files an agent sees from inside its box: its own program and what that needs to run, and nothing of other agents.

Paths are the same inside and outside, so that commands need no translation. All of these files are read-only to the agent.
It writes to a folder of its own, which is its home and working directory. Symbolic links there point to the files next to its
program, so that ``open("book.txt")`` works at every level.

What is visible follows from what the organiser typed and installed, never from what is written in an agent's files: neither
from its first line nor from its agent.yaml or links in its folder. Everything is a real path, without symbolic links; the
links that lead there are recreated in the box. Where one path is inside another, the longer one takes precedence: a folder of
saved games is hidden in a visible folder, and an agent's build is visible in the hidden build cache.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from arbiter.agents.prepare import places, tools
from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.prepare.languages import READLINE
from arbiter.agents.prepare.launch_spec import may_run_node
from arbiter.agents.prepare.places import holds_more_than_an_agent, is_in
from arbiter.agents.sandbox.aliases import MountTable, links_on_the_way, other_names
from arbiter.text import safe

HOME = "/home/agent"
"""The agent's writable folder in boxes with a root directory of their own."""

SYSTEM = places.SYSTEM
_ETC = (
    "alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "timezone", "nsswitch.conf", "ssl/certs",
    "ssl/openssl.cnf", "fonts", "locale.conf", "mime.types", "papersize",
)  # fmt: skip
"""Parts of /etc that system libraries read. Those of languages are found by :func:`tools.configuration`; the rest is not
shown."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
CONTEST_FILE = "contest.yaml"
"""A file that every contest folder has."""
_MAX_LINKS = 500
"""The most entries of the program's folder that get a link in the agent's home."""


class VisibleFiles(msgspec.Struct, frozen=True):
    """What one agent sees of the file system."""

    visible: tuple[str, ...]
    """Files, and folders with everything beneath them, as real paths; parents come first."""
    links: tuple[tuple[str, str], ...]
    """Symbolic links of this machine on the way to them: path and target."""
    hidden: tuple[str, ...]
    """Paths beneath a visible folder that the agent must not see, except for visible ones beneath them."""
    own_links: tuple[tuple[str, str], ...]
    """Symbolic links in the agent's home: name and target."""
    left_out: tuple[str, ...] = ()
    """Paths that should be visible but cannot be shown."""
    alone: bool = False
    """Whether files next to the agent's are not shown: its folder holds more than the agent, or other agents."""


def visible_files(
    agent: Agent, others: Iterable[Agent], private: Iterable[str | Path], more: Sequence[str] = ()
) -> VisibleFiles:
    """Return what ``agent`` may see.

    ``others`` are agents whose programs it must not read, ``private`` folders that no agent may read (saved games, for
    example), ``more`` paths that the organiser has made visible to all agents.
    """
    others = list(others)
    alone = holds_more_than_an_agent(agent.folder) or agent.shares_folder(others)
    own = [*([] if alone else [str(agent.folder)]), *_files(agent)]
    asked = [*own, *_tools(agent), *more]
    shown, left_out = _readable(map(os.path.realpath, asked))
    links = {path: os.readlink(path) for path in SYSTEM if os.path.islink(path)}
    for path in asked:
        links.update(links_on_the_way(os.path.abspath(path)))
    # What is in a system folder is visible already, and so are the links in it.
    visible = [*_system(), *(path for path in shown if not is_in(path, SYSTEM))]
    mine = {os.path.realpath(path) for path in own}
    mounted = MountTable()
    secrets = {
        alias
        for other in others
        for path in (*_files(other), str(other.folder))
        for alias in (*mounted.places(os.path.realpath(path)), *other_names([path], str(agent.folder)))
    } - mine
    closed = {alias for path in _private(private) for alias in mounted.places(os.path.realpath(path))}
    # A private folder may be made later; whatever else is not there cannot be read.
    hidden = [path for path in sorted(closed | set(filter(os.path.lexists, secrets))) if is_in(path, visible)]
    return VisibleFiles(
        tuple(_outermost([path for path in visible if path not in closed], hidden)),
        tuple((path, target) for path, target in links.items() if path in SYSTEM or not is_in(path, visible)),
        tuple(hidden),
        tuple(_own_links(agent, hidden, alone=alone)),
        tuple(left_out),
        alone,
    )


def notes(agent: Agent, files: VisibleFiles) -> Iterator[str]:
    """Yield what the organiser should know about an agent's files before the first game."""
    if files.left_out:
        yield f"{agent.name}: cannot be read, so it is not shown to the agent: {', '.join(map(safe, files.left_out[:5]))}"
    origin = agent.origin
    if origin is None or not origin.is_file() or not files.alone:
        return
    if missed := list(_mentioned(origin))[:5]:
        yield (
            f"{agent.name}: does not see the files next to it, since {str(agent.folder)!r} holds more than this agent; it "
            f"mentions {', '.join(map(safe, missed))}: move it and its files to a folder of their own"
        )


def _private(given: Iterable[str | Path]) -> Iterator[str]:
    """Yield the folders that no agent may read: those given, all builds, and the folders that other agents write to."""
    yield from map(str, given)
    yield str(cache_folder())
    yield tempfile.gettempdir()


def _system() -> list[str]:
    folders = [path for path in SYSTEM if os.path.isdir(path) and not os.path.islink(path)]
    libraries = (f"/etc/{name}" for name in _ETC if os.path.exists(f"/etc/{name}"))
    return [*folders, *libraries, *tools.configuration()]


def _files(agent: Agent) -> list[str]:
    """Return the files an agent consists of: its source, its build, and files named in a command that the user typed.

    The command in an agent.yaml is not looked at: whatever it may use is in the agent's folder.
    """
    found = [str(agent.origin)] if agent.origin else []
    if agent.is_packed:
        return found
    builds = cache_folder()
    for index, word in enumerate(agent.command):
        for part in (word, word.partition("=")[2]):
            path = agent.folder / part
            if not part or path == agent.folder or not os.path.lexists(path) or is_in(str(path), SYSTEM):
                continue
            if agent.origin is not None and not os.path.isabs(part):
                continue  # a name taken from the source, such as that of a Java class
            if builds in path.parents:
                found.append(str(builds / path.relative_to(builds).parts[0]))
            elif (index or path.parent == agent.folder) and not holds_more_than_an_agent(path):
                found.append(str(path))  # an interpreter is not one of the agent's files
    return found


def _tools(agent: Agent) -> Iterator[str]:
    """Yield where the agent's interpreters are installed, outside system folders."""
    if not agent.command:
        return
    program = agent.command[0]
    if agent.language == "command":
        yield from tools.typed_program(program)
    if agent.language in ("command", "executable") or agent.is_packed:
        # It may start anything, so show it every tool that the user can run.
        yield from tools.everything_installed()
    else:
        yield from tools.installation(program)
        yield from tools.user_packages(program)
    if may_run_node(agent):
        yield str(READLINE)
    for name in ("JAVA_HOME", "LD_LIBRARY_PATH"):
        folders = os.environ.get(name, "").split(":")
        yield from (path for path in folders if path.startswith("/") and not holds_more_than_an_agent(path))


def _readable(paths: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the paths that can be shown, and those that cannot."""
    shown: list[str] = []
    left_out: list[str] = []
    for path in dict.fromkeys(paths):
        readable = os.access(path, os.R_OK | (os.X_OK if os.path.isdir(path) else 0))
        (shown if readable else left_out).append(path)
    return shown, left_out


def _outermost(paths: Iterable[str], hidden: Sequence[str]) -> list[str]:
    """Return each path once, without those inside another; but keep one inside a hidden path. Parents come first."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(paths)):
        around = max((one for one in kept if is_in(path, [one])), key=len, default=None)
        if around is None or any(is_in(path, [one]) and is_in(one, [around]) and path != one for one in hidden):
            kept.append(path)
    return kept


def _own_links(agent: Agent, hidden: Sequence[str], *, alone: bool) -> Iterator[tuple[str, str]]:
    if alone:
        words = [str(agent.origin.name)] if agent.origin else list(agent.command[1:])
        names = [word for word in words if "/" not in word and os.path.lexists(agent.folder / word)]
    else:
        names = sorted(_listed(agent.folder))[:_MAX_LINKS]
    for name in names:
        path = str(agent.folder / name)
        if not is_in(os.path.realpath(path), hidden):
            yield name, path


def _listed(folder: Path) -> Iterator[str]:
    """Yield the names in a folder, as many as can be listed in no noticeable time."""
    with contextlib.suppress(OSError), os.scandir(folder) as listing:
        for _, entry in zip(range(40 * _MAX_LINKS), listing, strict=False):
            yield entry.name


def _mentioned(program: Path) -> Iterator[str]:
    """Yield the files next to a program that its text mentions, with or without the extension."""
    with program.open("rb") as file:
        text = file.read(1 << 16).decode(errors="replace")
    words = set("".join(letter if letter.isalnum() or letter == "_" else " " for letter in text).split())
    for name in sorted(_listed(program.parent)):
        path = program.parent / name
        if path != program and not name.startswith(".") and path.stem in words and path.suffix and path.is_file():
            yield name


def private_folders(save: Path, games: Path, agents: Iterable[Agent]) -> tuple[str, ...]:
    """Return the folder that games are saved in, those of other contests next to it, and the workspace's saved games.

    The workspace's saved games are left out if an agent's program is among them; the folder that games are saved in is
    private nevertheless.
    """
    programs = [os.path.realpath(path) for agent in agents for path in (agent.folder, agent.origin) if path]
    inside = any(is_in(program, [os.path.realpath(games)]) for program in programs)
    found = [str(save.absolute()), *_contests_in(save.absolute().parent), *([] if inside else [str(games.absolute())])]
    return tuple(dict.fromkeys(found))


def _contests_in(folder: Path) -> Iterator[str]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if os.path.lexists(os.path.join(entry.path, CONTEST_FILE)):
                yield entry.path
