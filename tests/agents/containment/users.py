"""The player as root, as an ordinary user, and as one with a delegated cgroup: a process for each, which plays one case after
another."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from arbiter.agents.prepare.build import cache_folder
from arbiter.config.workspace import Workspace
from tests.agents.ask.harness import PATIENCE_MS
from tests.agents.built import built
from tests.tools import ROOT, missing

from . import seating
from .delegation import Delegation
from .play import Observed
from .rows import Row
from .seating import PREPARED

UID = 10001
"""Uid of the ordinary user, which needs no entry in /etc/passwd."""
_INSTALLED = Path(msgspec.__file__).parents[1]
"""Where the packages that the arbiter needs are installed."""
_NEEDED = ("arbiter", "protocols", "sample_agents", "tests", "arbiter.toml")
IMPORTS = "import tests.agents.containment.play, protocols.splendor"
_BUILT = (".c", ".cs", ".java")
"""Extensions of agents that are built, and whose compilers every user has."""
_PACKAGES = ("arbiter-*.dist-info", "click", "msgspec", "psutil", "wcwidth", "yaml", "_yaml")


class User:
    """A user who can run the arbiter, with a folder that every user can reach."""

    def __init__(self, name: str) -> None:
        self.name = name
        if name == "root" and os.geteuid() != 0:
            missing("running as root")
        self.switches = os.geteuid() == 0 and name != "root"
        self._delegation = Delegation(UID, session=True) if name == "delegated" else None
        # Not in pytest's folders, which other users cannot enter.
        self.folder = Path(tempfile.mkdtemp(prefix=f"containment-{name}-"))
        self.folder.chmod(0o755)
        self.tree = ROOT
        """The checkout, or a copy of it that this user can read."""
        self.interpreter = sys.executable
        """A Python that this user can run."""
        if self.switches:
            os.chown(self.folder, UID, UID)
            self._find_python()
        if os.geteuid() == 0:
            _make_setuid_program(self.folder / PREPARED, UID if self.switches else 0)

    def command(self, *words: str | Path) -> list[str]:
        """Return a command that runs as this user."""
        switch = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"] if self.switches else []
        # Through env, since setpriv still has root's permissions when it looks for the program.
        command = [*switch, *(["env"] if switch else []), *map(str, words)]
        return self._delegation.command(*command) if self._delegation else command

    def python(self, *words: str | Path) -> list[str]:
        """Return a command that runs Python with the arbiter as this user."""
        return self.command(self.interpreter, *words)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the user's programs."""
        packages = [str(self.tree), str(self.tree / "site-packages"), str(_INSTALLED)]
        kept = {name: os.environ[name] for name in ("LANG", "CI", "RUSTUP_HOME") if name in os.environ}
        # The system's Python first: it starts three times as fast as one with many packages.
        kept["PATH"] = os.pathsep.join([os.defpath, os.environ.get("PATH", "")])
        home = str(self.folder) if self.switches else os.environ.get("HOME", "/")
        return {**kept, "HOME": home, "TMPDIR": str(self.folder), "PYTHONPATH": os.pathsep.join(packages)}

    def _find_python(self) -> None:
        """Find a Python that an ordinary user may run: root's may be in a home folder that other users cannot enter."""
        for tree in (ROOT, self.folder / "tree"):
            if tree != ROOT:
                _copy_tree(tree)
            self.tree = tree
            for python in dict.fromkeys((sys.executable, shutil.which("python3", path=os.defpath), "/usr/bin/python3")):
                self.interpreter = python or sys.executable
                if self._can_import():
                    return
        missing("a Python that an ordinary user can run with the packages of this one")

    def _can_import(self) -> bool:
        words = self.python("-c", IMPORTS)
        return not subprocess.run(words, env=self.environment, cwd="/", capture_output=True, check=False).returncode

    def own(self, folder: Path) -> None:
        """Make the user the owner of everything in a folder."""
        if self.switches:
            subprocess.run(["chown", "-R", f"{UID}:{UID}", folder], check=True)

    def close(self) -> None:
        """Remove the folder."""
        subprocess.run(["rm", "-rf", self.folder], check=True)
        if self._delegation:
            self._delegation.close()

    def cgroups_left(self) -> list[str]:
        """Return the cgroups that were made in a delegated one and not removed."""
        return self._delegation.left() if self._delegation else []


def _copy_tree(tree: Path) -> None:
    """Copy everything that is needed to where other users can read it."""
    packages = tree / "site-packages"
    packages.mkdir(parents=True)
    for name in _NEEDED:
        _copy(ROOT / name, tree)
    for source in packages_to_copy():
        _copy(source, packages)
    subprocess.run(["chmod", "-R", "a+rX", tree], check=True)


def packages_to_copy() -> list[Path]:
    """Return the installed packages that playing needs, and no test tools."""
    return [source for pattern in _PACKAGES for source in _INSTALLED.glob(pattern)]


def _copy(source: Path, folder: Path) -> None:
    copy = shutil.copytree if source.is_dir() else shutil.copy
    copy(source, folder / source.name)


def _make_setuid_program(folder: Path, owner: int) -> None:
    """Make a program that prints the user it runs as, which is root."""
    folder.mkdir()
    os.chown(folder, owner, owner)
    program = Path(shutil.copy("/usr/bin/id", folder / "setuid-id"))
    program.chmod(0o4755)


class Players:
    """The player process of a user; one that has died, which some agents try to achieve, is replaced."""

    def __init__(self, user: User, name: str = "player") -> None:
        self.user, self.folder = user, user.folder / name
        self._process: subprocess.Popen[bytes] | None = None
        self._stderr = user.folder / f"stderr of {name}"

    def observe(self, row: Row, level: str) -> Observed:
        """Play a row at a level and return what was observed."""
        for source in seating.sources(row):
            if source.suffix in _BUILT:
                self._give_build(source)
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("the player has pipes")
        process.stdin.write(f"{row.name}:{level}\n".encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_MS / 1000)
        line = process.stdout.readline() if ready else b""
        if line:
            return msgspec.json.decode(line, type=Observed)
        self.close()
        what = "the arbiter was killed or hung" if ready else "the arbiter did not answer"
        raise AssertionError(f"{what} by {row.name} at level {level}:\n{self._stderr.read_text(errors='replace')}")

    def _give_build(self, source: Path) -> None:
        """Put the build of an agent into the user's cache, so that it is compiled once per run and not once per user."""
        words = map(Path, built(str(source), None, Workspace(self.folder.parent)).command)
        key = next(word.relative_to(cache_folder()).parts[0] for word in words if word.is_relative_to(cache_folder()))
        copy = self.folder / "cache" / "arbiter" / "builds" / key
        if not copy.exists():
            shutil.copytree(cache_folder() / key, copy)
            self.user.own(self.folder)

    @property
    def pid(self) -> int:
        """Pid of the process that adopts whatever escapes."""
        if self._process is None:
            raise AssertionError("it was not started yet")
        return self._process.pid

    def _start(self) -> subprocess.Popen[bytes]:
        words = self.user.python("-m", "tests.agents.containment.play", self.folder)
        with self._stderr.open("w") as errors:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=self.user.folder, env=self.user.environment, start_new_session=True,
            )  # fmt: skip
        return self._process

    def close(self) -> None:
        """Close its input, which ends it; kill it with its process group if it does not exit."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin and process.stdout:
            process.stdin.close()
            process.stdout.close()
        try:
            process.wait(PATIENCE_MS / 1000)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
