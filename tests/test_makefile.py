"""The Makefile on machines that lack something, with programs that only note that they were called."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.nullgame.place import write
from tests.tools import ROOT, need_tool

NOTES = '#!/bin/sh\necho "$0" "$@" >>calls\n'
PYTHON = f"""#!/bin/sh
[ "$1" = -c ] && exit $LACKS
echo venv >>calls
mkdir -p .venv/bin
for name in python arbiter; do printf '%s' '{NOTES}' >.venv/bin/$name; chmod +x .venv/bin/$name; done
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a PATH without compilers."""
    need_tool("make")
    folder = tmp_path / "my arbiter"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for name in ("sh", "make", "cat", "mkdir", "chmod", "touch", "od", "tr", "nproc"):
        link = tmp_path / "bin" / name
        link.parent.mkdir(exist_ok=True)
        link.symlink_to(need_tool(name))
    write(tmp_path / "bin" / "python3", PYTHON, executable=True)
    return folder


def make(folder: Path, *words: str, lacks: int = 0) -> tuple[int, list[str], list[str]]:
    """Run make; return its exit status, the programs that it called, and what was printed."""
    (folder / "calls").write_text("")
    environment = {"PATH": str(folder.parent / "bin"), "LACKS": str(lacks), "HOME": os.devnull}
    done = subprocess.run(
        ["make", "PYTHON=python3", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, (folder / "calls").read_text().splitlines(), (done.stdout + done.stderr).splitlines()


def test_without_a_compiler_the_demo_plays_scripts(checkout: Path) -> None:
    code, calls, printed = make(checkout, "demo")
    assert (code, calls[-1]) == (0, ".venv/bin/arbiter play splendor greedy random --seed 7")
    assert printed[-1] == "no C++ compiler found: both agents are scripts"


def test_with_a_compiler_the_demo_compiles(checkout: Path) -> None:
    write(checkout.parent / "bin" / "g++", NOTES, executable=True)
    code, calls, printed = make(checkout, "demo")
    assert (code, calls[-1]) == (0, ".venv/bin/arbiter play splendor greedy-cpp greedy --seed 7")
    assert "scripts" not in "\n".join(printed)


def test_a_python_that_makes_no_environments_is_one_line(checkout: Path) -> None:
    code, calls, printed = make(checkout, "install", lacks=1)
    assert (code, calls) == (2, [])
    assert [line for line in printed if not line.startswith("make:")] == [
        "python3 cannot make virtual environments: install its package for them, such as python3-venv, and try again"
    ]


def test_a_checkout_that_was_moved_is_set_up_again(checkout: Path) -> None:
    assert make(checkout, "install")[1][0] == "venv"
    assert make(checkout, "install")[1] == []
    moved = checkout.rename(checkout.with_name("moved"))
    assert make(moved, "install")[1][0] == "venv"
    assert make(moved, "install")[1] == []
