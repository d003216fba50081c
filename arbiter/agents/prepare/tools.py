"""Interpreters and compilers of this machine, and the folders they are installed in.

This module decides what an agent sees of the machine besides the system folders. That depends on what the organiser has
installed: the programs of the table of languages on PATH, and the arbiter's own interpreter. No file of an agent has
any influence on it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import site
import sys
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from arbiter.agents.prepare import languages
from arbiter.agents.prepare.first_line import first_line_words, found_by_env
from arbiter.agents.prepare.places import SYSTEM, holds_more_than_an_agent, home_folder, is_in

_PARTS = (
    "bin", "sbin", "lib", "lib32", "lib64", "libexec", "include", "conf", "jmods", "jre", "legal", "release", "pyvenv.cfg",
)  # fmt: skip
"""What is shown of an installation that also holds the user's own files."""
_SHIM_PARTS = ("shims", "bin", "lib", "libexec", "pyenv.d", "plugins", "version", "versions", "installs")
"""What is shown of a version manager such as pyenv, rbenv or asdf; the rest may be the user's own."""
_GO_PARTS = ("pkg", "src", "VERSION", "go.env")
_PERSONAL = (
    ".git", ".hg", ".env", ".ssh", ".netrc", ".npmrc", ".pypirc", "credentials", "credentials.toml", "config.toml",
)  # fmt: skip
"""Entries of a folder in which not everything belongs to an installation."""
_MOST_LINKS = 20
_CONFIGURED_IN = ("/etc", "/var/lib")
"""Where distributions put what belongs to a tool and is not in a system folder."""


def known_tools() -> Iterator[str]:
    """Yield the installed programs of the table of languages, and the arbiter's own interpreter."""
    for name in sorted(languages.all_programs()):
        found = shutil.which(name)
        if found and os.path.isabs(found):  # a relative folder on PATH may be an agent's
            yield found
    yield sys.executable


def known_installations() -> Iterator[str]:
    """Yield the paths that the known tools consist of, outside the system's folders."""
    for tool in known_tools():
        yield from installation(tool)


def everything_installed() -> tuple[str, ...]:
    """Return the same with the user's packages, cached until a folder on PATH changes: finding it all takes milliseconds."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return _everything_installed(tuple(map(_state, folders)), home_folder(), os.environ.get("RUSTUP_HOME"))


def configuration() -> tuple[str, ...]:
    """Return the files and folders in /etc and /var/lib that belong to an installed tool, such as /etc/nim.

    These have the name of a language or a tool, of a link on the way to the tool, or of the folder that it is installed in:
    ``mvn`` leads to ``/usr/share/maven/bin/mvn``. A version or an extension may follow it. Only what root owns counts.
    """
    folders = (*os.environ.get("PATH", os.defpath).split(os.pathsep), *_CONFIGURED_IN)
    return _configuration(tuple(map(_state, folders)))


@lru_cache(maxsize=4)
def _configuration(_: object) -> tuple[str, ...]:
    build_tools = filter(None, map(shutil.which, languages.BUILD_TOOLS))
    programs = {path for tool in (*known_tools(), *build_tools) for path in _chain(Path(tool))}
    names = {
        *languages.all_names(),
        *(path.name for path in programs),
        *(path.parent.parent.name for path in programs if path.parent.name == "bin"),
    }
    belongs = re.compile(f"({'|'.join(map(re.escape, filter(None, names)))})([.0-9-].*)?")
    return tuple(
        entry.path for folder in _CONFIGURED_IN for entry in _owned_by_root(folder) if belongs.fullmatch(entry.name)
    )


def _owned_by_root(folder: str) -> Iterator[os.DirEntry[str]]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        yield from sorted(
            (one for one in entries if one.stat(follow_symlinks=False).st_uid == 0), key=lambda one: one.path
        )


def _state(folder: str) -> tuple[str, int]:
    try:
        return folder, os.stat(folder).st_mtime_ns
    except OSError:
        return folder, 0


@lru_cache(maxsize=4)
def _everything_installed(*_: object) -> tuple[str, ...]:
    return tuple(path for tool in known_tools() for path in (*installation(tool), *user_packages(tool)))


def installation(tool: str) -> Iterator[str]:
    """Yield the paths that an installed program needs, outside the system's folders.

    The program is trusted: it is on the organiser's PATH, or the organiser has named it. For ``x/bin/python`` that is ``x``, and
    likewise for every link on the way to it, for the interpreter of a script, and for a toolchain that rustup has installed.
    """
    for program in (tool, *_interpreters(tool)):
        for path in _chain(Path(program)):
            yield from _around(path)
            if path.name == "rustup" and (toolchains := rustup_home()):
                yield toolchains


def typed_program(program: str) -> Iterator[str]:
    """Yield what the program of a typed command needs, outside the system's folders.

    The organiser has typed its path, but an agent's author may have made a link there: links are followed from a folder
    of programs, as in a virtual environment, and otherwise only to the file itself.
    """
    if os.path.basename(os.path.dirname(program)) in ("bin", "sbin", "shims"):
        for path in _chain(Path(program)):
            yield from _around(path)
    elif not is_in(real := os.path.realpath(program), SYSTEM):
        yield from (program, real)


def rustup_home() -> str | None:
    """Return the folder of the toolchains that rustup has installed, which holds nothing else."""
    home = os.environ.get("RUSTUP_HOME") or os.path.join(home_folder() or "/nonexistent", ".rustup")
    return home if os.path.isdir(os.path.join(home, "toolchains")) else None


def user_packages(tool: str) -> Iterator[str]:
    """Yield packages installed with ``pip install --user``, which a Python interpreter looks for."""
    if not os.path.basename(tool).startswith("python") or (tool == sys.executable and not site.ENABLE_USER_SITE):
        return
    base = Path(site.getuserbase()) / "lib"
    yield from (str(path) for path in base.glob("python3*/site-packages") if path.is_dir())


def _interpreters(tool: str) -> list[str]:
    """Return the interpreter of a tool that is a script, and the program that ``env`` finds for it."""
    words = first_line_words(tool)
    name = found_by_env(words)
    found = shutil.which(name) if name else None
    return [word for word in (*words[:1], found) if word and os.path.isabs(word)]


def _chain(program: Path) -> list[Path]:
    """Return a program, and every link on the way to it."""
    chain = [program.absolute()]
    while os.path.islink(chain[-1]) and len(chain) < _MOST_LINKS:
        # As in the kernel: a relative link, and each .. in it, is relative to the real folder that the link is in.
        target = os.path.join(os.path.realpath(chain[-1].parent), chain[-1].readlink())
        chain.append(Path(os.path.realpath(os.path.dirname(target)), os.path.basename(target)))
    return list(dict.fromkeys((*chain, Path(os.path.realpath(program)))))


def _around(path: Path) -> Iterator[str]:
    """Yield what belongs to a program's installation."""
    if is_in(str(path), SYSTEM) or not os.path.exists(path):
        return
    base, inside = path.parent.parent, path.parent.name
    if inside not in ("bin", "sbin", "shims") or holds_more_than_an_agent(base) or base.name == ".local":
        yield str(path)
    elif inside == "shims":
        yield from (str(base / name) for name in _SHIM_PARTS if (base / name).exists())
    elif not _is_personal(base):
        yield str(base)
    else:
        is_go = (base / "VERSION").is_file() and (base / "src").is_dir()
        names = (*_PARTS, *(_GO_PARTS if is_go else ()), *(() if base.name.startswith(".") else ("share",)))
        yield from (str(base / name) for name in names if (base / name).exists())


def _is_personal(base: Path) -> bool:
    """Return whether a folder with programs in it may hold more than an installation; ``~/.cargo`` has credentials."""
    return os.path.realpath(base.parent) == home_folder() or any(os.path.lexists(base / name) for name in _PERSONAL)
