"""Removing the untrusted content of an agent's folder."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arbiter.agents.sandbox import own_folder
from tests.tools import missing

UID = 10001
DEEP = 3000
MODULE = "import sys, types\nown_folder = types.ModuleType('own_folder')\nexec(sys.stdin.read(), own_folder.__dict__)"
"""For programs that read the module's source from standard input, since they may run as a user who cannot read its file."""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Not tmp_path, which pytest could not remove if a test leaves it deep; in memory, where that is fast."""
    if os.access("/dev/shm", os.W_OK):
        monkeypatch.setattr(tempfile, "tempdir", "/dev/shm")
    path = Path(own_folder.make([("book.txt", "/etc/hostname")]))
    yield path
    subprocess.run(["rm", "-rf", path], check=True)


def deep(folder: Path) -> None:
    """Make a path longer than PATH_MAX."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("down", dir_fd=at)
        below = os.open("down", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)


def many(folder: Path) -> None:
    for number in range(3000):
        (folder / f"{number}").touch()


def wide(folder: Path) -> None:
    """Make folders with folders of the same names."""
    for first in range(12):
        for second in range(12):
            (folder / f"{first}" / f"{second}" / "1").mkdir(parents=True)
            (folder / f"{first}" / f"{second}" / "file").touch()


def special(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    os.mkfifo(folder / "closed pipe", 0)
    end = socket.socket(socket.AF_UNIX)
    with end:
        here = os.open(folder, os.O_RDONLY)  # its path may be too long for a socket
        end.bind(f"/proc/self/fd/{here}/socket")
        os.close(here)


def odd_names(folder: Path) -> None:
    for name in (b"a b", b"a\nb", b"\xff\xfe", b"-rf", b"*", b".lifted-1-1", b"n" * 255):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).touch()
        below = Path(os.fsdecode(os.fsencode(folder) + b"/folder/" + name))
        below.mkdir(parents=True)


def named_like_ours(folder: Path) -> None:
    """Make folders with names like those that nested folders are given when they are moved up."""
    for number in range(5):
        (folder / f".lifted-{number}-{os.getpid()}" / "in").mkdir(parents=True)
        (folder / "x" / f"{number}" / "y").mkdir(parents=True)


def closed(folder: Path) -> None:
    for name in ("a", "b"):
        (folder / name / "in" / "in").mkdir(parents=True)
        (folder / name / "in" / "file").touch()
        (folder / name / "in" / "in").chmod(0)
        (folder / name / "in").chmod(0)
        (folder / name).chmod(0o500 if name == "a" else 0)


LITTER = [
    deep, many, wide, special, odd_names, closed,
    named_like_ours,
]  # fmt: skip


@pytest.mark.parametrize("leave", LITTER)
def test_any_content_can_be_removed(folder: Path, leave: Callable[[Path], None]) -> None:
    leave(folder)
    own_folder.empty(str(folder))
    assert list(folder.iterdir()) == []
    leave(folder)
    own_folder.remove(str(folder))
    assert not folder.exists()


def test_targets_of_links_are_kept(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    kept.chmod(0o750)
    (kept / "file").write_text("precious", encoding="utf-8")
    (kept / "file").chmod(0o640)
    for name, target in (("folder", kept), ("file", kept / "file"), ("self", folder), ("nowhere", tmp_path / "no")):
        (folder / name).symlink_to(target)
        (folder / "below").mkdir(exist_ok=True)
        (folder / "below" / name).symlink_to(target)
    own_folder.remove(str(folder))
    assert not folder.exists()
    assert (kept / "file").read_text(encoding="utf-8") == "precious"
    assert (kept.stat().st_mode & 0o777, (kept / "file").stat().st_mode & 0o777) == (0o750, 0o640)


def test_a_folder_that_was_replaced_by_a_link_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder.joinpath("book.txt").unlink()
    folder.rmdir()
    folder.symlink_to(tmp_path)
    own_folder.empty(str(folder))
    assert (tmp_path / "file").exists()
    assert not folder.is_symlink()
    assert list(folder.iterdir()) == []


def test_an_empty_folder_is_filled_again_with_the_same_links(folder: Path) -> None:
    assert (folder / "book.txt").readlink() == Path("/etc/hostname")
    (folder / "mine").touch()
    own_folder.empty(str(folder))
    own_folder.add_links(str(folder), [("book.txt", "/etc/hostname"), ("other", "/no/such")])
    assert {path.name: str(path.readlink()) for path in folder.iterdir()} == {
        "book.txt": "/etc/hostname",
        "other": "/no/such",
    }


def test_other_users_cannot_read_a_new_folder(folder: Path) -> None:
    assert folder.stat().st_mode & 0o777 == 0o700


def test_removing_a_folder_that_is_gone_is_not_an_error(tmp_path: Path) -> None:
    own_folder.remove(str(tmp_path / "gone"))


def test_folders_of_an_arbiter_in_another_container_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may share the folder for temporary files with us."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = Path(own_folder.make([("book.txt", "/etc/hostname")]))
    source = f"{MODULE}\nimport tempfile\ntempfile.tempdir = {str(tmp_path)!r}\nown_folder.remove(own_folder.make([]))"
    container = [
        "unshare",
        *([] if os.getuid() == 0 else ["--user", "--map-root-user"]),
        "--pid",
        "--fork",
        "--mount-proc",
    ]
    if subprocess.run([*container, "true"], capture_output=True, check=False).returncode:
        missing("pid namespaces")
    text = Path(own_folder.__file__).read_text(encoding="utf-8")
    subprocess.run([*container, sys.executable, "-I", "-c", source], input=text, text=True, check=True)
    assert (folder / "book.txt").is_symlink()
    own_folder.remove(str(folder))


def test_emptying_a_folder_leaks_no_file_descriptor(folder: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    wide(folder)
    own_folder.remove(str(folder))
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


# -- as a user who is bound by permissions


def as_ordinary_user(source: str) -> str:
    """Run a program that has the module as ``own_folder`` as an ordinary user, and return what it prints."""
    code = f"{MODULE}\n{source}"
    words = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups"] if os.getuid() == 0 else []
    if words and not shutil.which("setpriv"):
        missing("setpriv is not installed")
    python = "/usr/bin/python3" if words else sys.executable
    if not Path(python).exists():
        missing("a Python that every user may run")
    module = Path(own_folder.__file__).read_text(encoding="utf-8")
    ran = subprocess.run([*words, python, "-I", "-c", code], input=module, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


CLOSED = """
import os
folder = own_folder.make([])
for name in ("a", "b"):
    os.makedirs(f"{folder}/{name}/in/in")
    open(f"{folder}/{name}/in/file", "w").close()
    os.mkfifo(f"{folder}/{name}/pipe", 0)
    for path, mode in ((f"{name}/in/in", 0), (f"{name}/in", 0o100), (name, 0o500 if name == "a" else 0)):
        os.chmod(f"{folder}/{path}", mode)
"""


def test_an_ordinary_user_can_remove_folders_without_permissions() -> None:
    assert as_ordinary_user(f"{CLOSED}own_folder.remove(folder)\nprint(os.path.exists(folder))") == "False"


def test_a_folder_whose_permissions_the_agent_removed_can_be_emptied() -> None:
    left = as_ordinary_user(f"""{CLOSED}
os.chmod(folder, 0)
try:
    own_folder.empty(folder)
    own_folder.remove(folder)
except OSError as error:
    print(type(error).__name__)
    os.chmod(folder, 0o700)
    own_folder.remove(folder)
print(os.path.exists(folder))""")
    assert left == "False"


def test_an_agent_that_removes_its_own_folder_gets_a_new_one() -> None:
    folder = Path(tempfile.mkdtemp())
    folder.rmdir()
    own_folder.empty(str(folder))
    assert list(folder.iterdir()) == []
    folder.rmdir()
