"""Cgroups: where ours are, and what is written to and read from them."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.sandbox.cgroup_places import own_places
from arbiter.agents.sandbox.cgroups import Cgroups
from tests.tools import missing

# -- finding our own

VERSION_1 = (
    "9:name=systemd:/\n8:pids:/user.slice\n6:freezer:/\n4:memory:/user.slice/session-1.scope\n2:cpu,cpuacct:/user.slice\n",
    """\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 25 0:26 / {at}/memory rw,nosuid shared:9 - cgroup cgroup rw,memory
31 25 0:27 / {at}/pids rw,nosuid shared:10 - cgroup cgroup rw,pids
32 25 0:28 / {at}/cpu,cpuacct rw,nosuid shared:11 master:3 - cgroup cgroup rw,cpu,cpuacct
33 25 0:29 / {at}/freezer rw,nosuid - cgroup cgroup rw,freezer
34 25 0:30 / {at}/systemd rw,nosuid - cgroup cgroup rw,xattr,name=systemd
""",
    {"memory": "memory/user.slice/session-1.scope", "pids": "pids/user.slice", "cpuacct": "cpu,cpuacct/user.slice", "cpu": "cpu,cpuacct/user.slice"},
)  # fmt: skip
HYBRID = (
    VERSION_1[0] + "0::/user.slice/session-1.scope\n",
    VERSION_1[1] + "35 25 0:31 / {at}/unified rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
    {**VERSION_1[2], "freezer": "unified/user.slice/session-1.scope"},
)
VERSION_2 = (
    "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope\n",
    "30 25 0:26 / {at} rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n",
    {"unified": "user.slice/user-1000.slice/user@1000.service/app.slice/run-1.scope"},
)
CONTAINER_1 = (
    "4:memory:/docker/abc\n8:pids:/docker/abc\n2:cpu,cpuacct:/docker/abc/below\n6:freezer:/docker/abc\n",
    """\
30 25 0:26 /docker/abc {at}/memory ro - cgroup cgroup rw,memory
31 25 0:27 /docker/abc {at}/pids ro - cgroup cgroup rw,pids
32 25 0:28 /docker/abc {at}/cpuacct ro - cgroup cgroup rw,cpu,cpuacct
33 25 0:29 /docker/abc {at}/freezer ro - cgroup cgroup rw,freezer
""",
    {"memory": "memory", "pids": "pids", "cpuacct": "cpuacct/below", "cpu": "cpuacct/below"},
)
CONTAINER_2 = ("0::/\n", "30 25 0:26 / {at} rw - cgroup2 cgroup rw\n", {"unified": "."})


@pytest.mark.parametrize(
    ("own", "mounts", "expected"),
    [VERSION_1, HYBRID, VERSION_2, CONTAINER_1, CONTAINER_2],
    ids=["version 1", "hybrid", "version 2", "container, version 1", "container, version 2"],
)
def test_cgroups_are_created_beneath_our_own(tmp_path: Path, own: str, mounts: str, expected: dict[str, str]) -> None:
    at = tmp_path / "fs"
    for path in expected.values():
        (at / path).mkdir(parents=True, exist_ok=True)
        (at / path / "cgroup.subtree_control").write_text("cpu memory pids\n", encoding="utf-8")
    assert places(tmp_path, own, mounts.format(at=at)) == {name: at / path for name, path in expected.items()}


def places(folder: Path, own: str, mounts: str) -> dict[str, Path]:
    for name, text in (("own", own), ("mounts", mounts)):
        (folder / name).write_text(text, encoding="utf-8")
    return own_places(folder / "own", folder / "mounts")


def test_a_machine_without_cgroups_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="no cgroups are mounted on this machine"):
        places(tmp_path, "0::/\n", "22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw\n")


def test_some_controllers_of_version_1_are_not_enough(tmp_path: Path) -> None:
    mounts = f"30 25 0:26 / {tmp_path}/memory rw - cgroup cgroup rw,memory\n"
    with pytest.raises(OSError, match="no cgroups"):
        places(tmp_path, "4:memory:/\n8:pids:/\n", mounts)


class Unified:
    """A fake hierarchy of version 2, which refuses to enable controllers for a cgroup with processes in it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.mine = folder, folder / "fs" / "mine"
        self._make(self.mine)
        (folder / "mounts").write_text(f"30 25 0:26 / {folder / 'fs'} rw - cgroup2 cgroup2 rw\n", encoding="utf-8")
        self.move(self.mine)
        self._write = Path.write_text
        monkeypatch.setattr(Path, "write_text", lambda *words, **how: self._written(*words, **how))  # noqa: PLW0108 - a method would be bound

    def _make(self, group: Path) -> None:
        group.mkdir(parents=True, exist_ok=True)
        (group / "cgroup.subtree_control").touch()

    def move(self, group: Path) -> None:
        """Move ourselves to this cgroup."""
        self.where = group
        with (self.folder / "own").open("w", encoding="utf-8") as own:
            own.write(f"0::/{group.relative_to(self.folder / 'fs')}\n")

    def _written(self, path: Path, text: str, **how: str) -> int:
        if path.name == "cgroup.procs":
            assert int(text) in (os.getpid(), *tree.descendants(os.getpid()))
            self._make(path.parent)
            if int(text) == os.getpid():
                self.move(path.parent)
        elif path.name == "cgroup.subtree_control":
            if path.parent == self.where:
                raise OSError(errno.EBUSY, "Device or resource busy", str(path))
            already = path.read_text(encoding="utf-8").split()
            text = " ".join([*already, text.replace("+", "")])
        return self._write(path, text, **how)

    def places(self) -> dict[str, Path]:
        return own_places(self.folder / "own", self.folder / "mounts")


def test_we_move_to_a_leaf_to_enable_controllers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unified = Unified(tmp_path, monkeypatch)
    assert unified.places() == {"unified": unified.mine}
    assert unified.where == unified.mine / f"arbiter-{os.getpid()}"
    assert (unified.mine / "cgroup.subtree_control").read_text(encoding="utf-8").split() == ["memory", "pids", "cpu"]


def test_an_ordinary_user_uses_the_delegated_cgroup_above_that_has_controllers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a terminal of a desktop, the shell is in our own cgroup, for which no controllers can be enabled then."""
    own = tmp_path / "fs" / "user-1000.slice" / "user@1000.service" / "app.slice" / "terminal.scope"
    own.mkdir(parents=True)
    for place, enabled in ((own, ""), (own.parent, "cpu memory pids"), (own.parents[1], "cpu memory pids")):
        (place / "cgroup.procs").touch()
        (place / "cgroup.subtree_control").write_text(enabled, encoding="ascii")
    mounts = f"30 25 0:26 / {tmp_path / 'fs'} rw - cgroup2 cgroup2 rw\n"
    group = f"0::/{own.relative_to(tmp_path / 'fs')}\n"
    owner = own.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner or 1000)
    if owner == 0:
        for place in (own, own.parent):
            os.chown(place, 1000, 1000)
    assert places(tmp_path, group, mounts) == {"unified": own.parent}
    monkeypatch.setattr(os, "getuid", lambda: 0)  # root stays within the limits that were set for it
    assert places(tmp_path, group, mounts) == {"unified": own}


def test_we_move_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unified = Unified(tmp_path, monkeypatch)
    first = unified.places()
    assert unified.places() == first


# -- version 2, faked


@pytest.fixture
def second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Cgroups, Path]]:
    """A cgroup of version 2, with the files that the kernel would create."""
    base = tmp_path / "mine"
    base.mkdir()
    make = Path.mkdir
    files = {
        "cgroup.procs": "", "pids.max": "max", "memory.max": "max", "memory.swap.max": "max", "cgroup.freeze": "0",
        "memory.current": "10000000", "memory.peak": "60000000",
        "cpu.stat": "usage_usec 1234\nuser_usec 1000\nsystem_usec 234\n",
        "memory.events": "low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n",
    }  # fmt: skip

    def mkdir(path: Path, *how: Any) -> None:
        make(path, *how)
        for name, text in files.items():
            (path / name).write_text(text, encoding="ascii")

    monkeypatch.setattr(Path, "mkdir", mkdir)
    made = Cgroups("box", 12, {"unified": base})
    yield made, base / "box"
    for name in files:
        (base / "box" / name).unlink(missing_ok=True)
    made.close()
    assert list(base.iterdir()) == []


def test_limits_are_written_in_the_format_of_version_2(second: tuple[Cgroups, Path]) -> None:
    made, folder = second
    made.add(4711)
    made.limit_memory(50_000_000)
    made.freeze()
    found = {name: (folder / name).read_text(encoding="ascii") for name in ("pids.max", "cgroup.procs", "memory.max", "memory.swap.max", "cgroup.freeze")}  # fmt: skip
    assert found == {
        "pids.max": "12",
        "cgroup.procs": "4711",
        "memory.max": "60000000",
        "memory.swap.max": "0",
        "cgroup.freeze": "1",
    }
    made.thaw()
    assert (folder / "cgroup.freeze").read_text(encoding="ascii") == "0"


def test_readings_of_version_2_are_parsed(second: tuple[Cgroups, Path]) -> None:
    made, _ = second
    made.limit_memory(1)
    assert (made.cpu_ns(), made.peak_bytes(), made.oom_kills()) == (1_234_000, 50_000_000, 2)


def test_cgroups_that_cannot_be_created_leave_nothing_behind(tmp_path: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for name in ("memory", "pids"):
        (tmp_path / name).mkdir()
    bases = {"memory": tmp_path / "memory", "pids": tmp_path / "pids", "cpuacct": tmp_path / "no", "freezer": tmp_path}
    with pytest.raises(OSError) as refused:
        Cgroups("box", 12, bases)
    assert refused.value.filename == str(tmp_path / "no" / "box")
    assert not (tmp_path / "memory" / "box").exists()
    assert not (tmp_path / "pids" / "box").exists()
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


# -- for real, with the version that this machine has


@pytest.fixture
def real() -> Iterator[Cgroups]:
    """Cgroups beneath our own."""
    if os.getuid() != 0:
        missing("running as root: creating cgroups")
    try:
        bases = own_places()
    except OSError as error:
        missing(f"cgroups: {error}")
    made = Cgroups(f"arbiter-test-{os.getpid()}", 5, bases)
    yield made
    made.close()
    assert not [base for base in bases.values() if (base / f"arbiter-test-{os.getpid()}").exists()]


def inside(made: Cgroups, source: str) -> tuple[str, int]:
    """Run a Python program in these cgroups; return what it prints and its exit status."""
    words = [sys.executable, "-S", "-I", "-c", f"input()\n{source}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        made.add(process.pid)
        made.limit_memory(64 << 20)
        out, _ = process.communicate("\n")
    return out.strip(), process.returncode


def test_peak_memory_is_recorded(real: Cgroups) -> None:
    out, code = inside(real, "x = b'x' * (40 << 20)\nprint(len(x))")
    assert (out, code, real.oom_kills()) == (str(40 << 20), 0, 0)
    assert 38 << 20 <= real.peak_bytes() <= 60 << 20


def test_cgroups_stay_beneath_our_own(real: Cgroups) -> None:
    for controller, folder in real._folders.items():
        assert folder.parent == own_places()[controller]
