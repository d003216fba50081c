"""The player as root and as an ordinary user: a process each, asked for one case after the other."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec

from tests.agents.ask.harness import PATIENCE_MS
from tests.tools import ROOT, missing

from .play import Came
from .rows import Row
from .seating import PREPARED

UID = 10001
"""Of the ordinary user, who need not exist."""
_INSTALLED = Path(msgspec.__file__).parents[1]
"""Where the packages are that the arbiter needs."""
_NEEDED = ("arbiter", "protocols", "sample_agents", "tests", "arbiter.toml")
_PACKAGES = ("arbiter-*.dist-info", "click", "msgspec", "psutil", "tabulate.py", "tabulate", "yaml", "_yaml")


class User:
    """Somebody who can run the arbiter, with a folder to live in that is reachable from the root of the machine."""

    def __init__(self, name: str) -> None:
        self.name = name
        if name == "root" and os.geteuid() != 0:
            missing("only root can see how root fares")
        self.switches = os.geteuid() == 0 and name == "ordinary"
        # Not where pytest keeps its folders: those are closed to others.
        self.folder = Path(tempfile.mkdtemp(prefix=f"containment-{name}-"))
        self.folder.chmod(0o755)
        self._tree = ROOT
        self.interpreter = sys.executable
        """A Python that this user can run."""
        if self.switches:
            os.chown(self.folder, UID, UID)
            self._find_python()
        if os.geteuid() == 0:
            _make_setuid_program(self.folder / PREPARED, UID if self.switches else 0)

    def command(self, *words: str | Path) -> list[str]:
        """Run by this user."""
        switch = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"] if self.switches else []
        # Over env, since setpriv still has root's rights when it starts the program itself.
        return [*switch, *(["env"] if switch else []), *map(str, words)]

    def python(self, *words: str | Path) -> list[str]:
        """Python with the arbiter, run by this user."""
        return self.command(self.interpreter, *words)

    @property
    def environment(self) -> dict[str, str]:
        """What the user's programs are started with."""
        packages = [str(self._tree), str(self._tree / "site-packages"), str(_INSTALLED)]
        kept = {name: os.environ[name] for name in ("LANG", "CI") if name in os.environ}
        # The system's own Python comes first: it starts in a third of the time that one with many packages takes.
        kept["PATH"] = os.pathsep.join([os.defpath, os.environ.get("PATH", "")])
        home = str(self.folder) if self.switches else os.environ.get("HOME", "/")
        return {**kept, "HOME": home, "TMPDIR": str(self.folder), "PYTHONPATH": os.pathsep.join(packages)}

    def _find_python(self) -> None:
        """One that an ordinary user may run: root's own may lie in a home folder that is closed to others."""
        for tree in (ROOT, self.folder / "tree"):
            if tree != ROOT:
                _copy_tree(tree)
            self._tree = tree
            for python in dict.fromkeys((sys.executable, shutil.which("python3", path=os.defpath), "/usr/bin/python3")):
                self.interpreter = python or sys.executable
                if self._can_import():
                    return
        missing("there is no Python here that an ordinary user can run with the packages of this one")

    def _can_import(self) -> bool:
        words = self.python("-c", "import tests.agents.containment.play, protocols.splendor")
        return not subprocess.run(words, env=self.environment, cwd="/", capture_output=True, check=False).returncode

    def own(self, folder: Path) -> None:
        """Have everything in a folder belong to the user."""
        if self.switches:
            subprocess.run(["chown", "-R", f"{UID}:{UID}", folder], check=True)

    def close(self) -> None:
        """Nothing of it stays."""
        subprocess.run(["rm", "-rf", self.folder], check=True)


def _copy_tree(tree: Path) -> None:
    """All that is needed, where others can read it."""
    packages = tree / "site-packages"
    packages.mkdir(parents=True)
    for name in _NEEDED:
        _copy(ROOT / name, tree)
    for pattern in _PACKAGES:
        for source in _INSTALLED.glob(pattern):
            _copy(source, packages)
    subprocess.run(["chmod", "-R", "a+rX", tree], check=True)


def _copy(source: Path, folder: Path) -> None:
    copy = shutil.copytree if source.is_dir() else shutil.copy
    copy(source, folder / source.name)


def _make_setuid_program(folder: Path, owner: int) -> None:
    """Tells whom it runs as, which is root."""
    folder.mkdir()
    os.chown(folder, owner, owner)
    program = Path(shutil.copy("/usr/bin/id", folder / "setuid-id"))
    program.chmod(0o4755)


class Players:
    """Asks the player of a user; a player that has died, which is what some agents try, is replaced."""

    def __init__(self, user: User, name: str = "player") -> None:
        self.user, self.folder = user, user.folder / name
        self._process: subprocess.Popen[bytes] | None = None
        self._words = user.folder / f"words of {name}"

    def came(self, row: Row, level: str) -> Came:
        """What came of a row at a level."""
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:
            raise AssertionError("the player has pipes")
        process.stdin.write(f"{row.name}:{level}\n".encode())
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_MS / 1000)
        line = process.stdout.readline() if ready else b""
        if line:
            return msgspec.json.decode(line, type=Came)
        self.close()
        what = "the arbiter was killed or hung" if ready else "the arbiter did not come back"
        raise AssertionError(f"{what} by {row.name} at level {level}:\n{self._words.read_text(errors='replace')}")

    @property
    def pid(self) -> int:
        """Of its parent, who adopts what gets away."""
        if self._process is None:
            raise AssertionError("it was not asked for anything yet")
        return self._process.pid

    def _start(self) -> subprocess.Popen[bytes]:
        words = self.user.python("-m", "tests.agents.containment.play", self.folder)
        with self._words.open("w") as errors:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                cwd=self.user.folder, env=self.user.environment, start_new_session=True,
            )  # fmt: skip
        return self._process

    def close(self) -> None:
        """End of input ends it; a player that is stuck is killed with its parent."""
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
