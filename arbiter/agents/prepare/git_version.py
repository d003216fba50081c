"""An agent as it was in a commit: ``git:REF`` or ``git:REF:PATH``, extracted into the cache.

Nothing in the repository is run. Its files are extracted by ``git archive`` from an empty repository that borrows its
objects. Attributes in the commit may name filters, but the commands of those are configured in the original repository or by
the user, and are unknown here. The commit is resolved first, so a result in the cache never changes.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.agents.prepare.cache import Cache
from arbiter.errors import UserError, wrong_value
from arbiter.text import safe

if TYPE_CHECKING:
    from arbiter.unpacking import Member

PREFIX = "git:"
_REF = re.compile(r"[A-Za-z0-9_@][A-Za-z0-9_./@{}^~+-]{0,199}")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_MOST_BYTES = 512 << 20
_TIMEOUT_S = 60
_COMPLAINT = 4096
_SAFE = (
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "tar.umask=0022",
)


def extracted(text: str, base: Path) -> Path:
    """Return the file or folder that ``git:REF`` or ``git:REF:PATH`` names, in the cache. Raises UserError.

    Without a PATH it is the folder ``base``, as it was in the commit; a PATH is relative to ``base``.
    """
    ref, _, path = text.removeprefix(PREFIX).partition(":")
    if not _REF.fullmatch(ref) or ".." in ref:
        raise wrong_value("agent", text, "git:REF or git:REF:PATH with a branch, tag or commit, such as git:HEAD~3")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise wrong_value("agent", text, "git:REF:PATH with a path inside the current folder")
    found = _git(base, text, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    commit = found.decode(errors="replace").strip()
    if not _COMMIT.fullmatch(commit):
        raise UserError(f"{text}: no commit {ref!r} in the repository of {base}; 'git log' lists them")
    inside = os.fsdecode(_git(base, text, "rev-parse", "--show-prefix")).strip("\n")
    folder = _checked_out(base, text, commit)
    wanted = folder / inside / path
    if not os.path.lexists(wanted):
        raise UserError(f"{text}: there is no {inside + path!r} in commit {commit[:12]}")
    return wanted


def _checked_out(base: Path, text: str, commit: str) -> Path:
    """Return a folder with the files of a commit, extracted now unless that was done before."""
    cache = Cache("commits")
    if done := cache.find(commit):
        return done
    objects = base / os.fsdecode(_git(base, text, "rev-parse", "--git-path", "objects")).strip("\n")
    data = _archive(text, commit, objects)

    try:
        return cache.store(commit, lambda folder: extract_commit(data, folder))
    except (OSError, UserError) as error:
        raise UserError(f"{text}: the commit cannot be extracted: {error}") from None


def _archive(text: str, commit: str, objects: Path) -> bytes:
    with tempfile.TemporaryDirectory(prefix="arbiter-git-") as folder:
        empty = Path(folder)
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_DIR": folder}
        _git(empty, text, "init", "--bare", "--quiet", "--template=", folder, more={"GIT_CONFIG_GLOBAL": os.devnull})
        alone["GIT_ALTERNATE_OBJECT_DIRECTORIES"] = str(objects.resolve())
        return _git(empty, text, "archive", "--format=tar", commit, more=alone)


def _git(folder: Path, text: str, *words: str, more: Mapping[str, str] | None = None) -> bytes:
    """Run git and return what it prints; nothing if it finds nothing. Raises UserError."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment |= {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        # For versions of git that do not know GIT_NO_LAZY_FETCH. Unlike protocol.allow, a repository's configuration cannot
        # override it.
        "GIT_ALLOW_PROTOCOL": "none",
    }
    environment |= more or {}
    with tempfile.TemporaryFile() as printed, tempfile.TemporaryFile() as complaints:
        try:
            git = subprocess.Popen(
                ["git", *_SAFE, *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=printed, stderr=complaints,
            )  # fmt: skip
        except FileNotFoundError:
            raise UserError(f"{text}: git is not installed") from None
        code = _ended(git, text)
        size = printed.seek(0, os.SEEK_END)
        printed.seek(0)
        complaints.seek(0)
        if code == -signal.SIGXFSZ or size > _MOST_BYTES:
            raise UserError(f"{text}: the commit is larger than {_MOST_BYTES >> 20} MB")
        if code not in (0, 1):
            reason = complaints.read(_COMPLAINT).decode(errors="replace").strip().removeprefix("fatal: ").splitlines()
            raise UserError(f"{text}: {safe(reason[0]) if reason else 'git failed'}")
        return printed.read()


def _ended(git: subprocess.Popen[bytes], text: str) -> int:
    """Wait until git has ended, and return its exit status. The kernel ends it where its output becomes too large: a few
    kilobytes of a repository can expand to any size. Raises UserError."""
    with contextlib.suppress(ProcessLookupError):
        resource.prlimit(git.pid, resource.RLIMIT_FSIZE, (_MOST_BYTES, _MOST_BYTES))
    try:
        return git.wait(_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        raise UserError(f"{text}: git took longer than {_TIMEOUT_S} s") from None
    finally:
        git.kill()
        git.wait()


def extract_commit(data: bytes, folder: Path) -> None:
    """Extract an archive into an empty folder of ours. Raises UserError, also for a link that leads out of the folder."""
    from arbiter.unpacking import (  # slow to import, and few agents come from a commit
        ArchiveBounds,
        tar_members,
        unpack,
    )

    bounds = ArchiveBounds(members=50_000, bytes=1 << 30, depth=60)
    unpack(_inside(tar_members(io.BytesIO(data))), folder, bounds, "it", find_programs=False)


def _inside(members: Iterable[Member]) -> Iterator[Member]:
    """Yield members, and refuse the commit for a link to outside, which its author would miss."""
    for member in members:
        if member.link is not None:
            place = os.path.normpath(os.path.join(os.path.dirname(member.path), member.link))
            if place.startswith("/") or place.split("/")[0] == "..":
                raise UserError(f"{safe(member.path, 100)!r} is a link that leads out of the commit")
        yield member
