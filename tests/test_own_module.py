"""No process of the arbiter imports modules from the current folder, which may contain untrusted programs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arbiter.own_module import own_module
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

NAMES = (
    "arbiter", "click", "contextlib", "json", "msgspec", "pathlib", "re", "runpy", "signal", "socket", "subprocess",
    "yaml",
)  # fmt: skip
SPIES = "open({trace!r}, 'a').write(__file__)\n"
HERE = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "command",
    [
        own_module("arbiter.contest.worker"),
        own_module("arbiter.web.watcher", "99"),
        [sys.executable, "-m", "arbiter", "protocols"],
        [str(Path(sys.executable).with_name("arbiter")), "protocols"],
    ],
    ids=["worker", "watcher", "python -m arbiter", "arbiter"],
)
@pytest.mark.parametrize("from_checkout", [False, True])
def test_a_bot_named_like_a_module_is_not_imported(tmp_path: Path, command: Sequence[str], from_checkout: bool) -> None:
    trace = tmp_path / "trace"
    for name in NAMES if command[1] != "-m" else ("click", "msgspec", "yaml"):  # -m imports some before it runs ours
        write(tmp_path / "bots" / f"{name}.py", SPIES.format(trace=str(trace)))
    environment = {**os.environ, "PYTHONPATH": str(HERE)} if from_checkout else dict(os.environ)
    done = subprocess.run(
        command, cwd=tmp_path / "bots", env=environment, input="", capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert not trace.exists(), trace.read_text()
    assert "No module named" not in done.stderr
    assert "msgspec" not in done.stderr


def test_arguments_are_those_of_the_module() -> None:
    said = subprocess.run(
        own_module("timeit", "-n", "1", "-r", "1", "pass"), capture_output=True, text=True, check=True
    )
    assert said.stdout.startswith("1 loop, best of 1")


@pytest.mark.parametrize("entry", ["", "."])
def test_a_fork_does_not_search_the_current_folder_but_finds_the_arbiter(tmp_path: Path, entry: str) -> None:
    write(tmp_path / "bots" / "spy.py", "print('imported')\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from arbiter.own_module import search_own_modules_only\n"
        "search_own_modules_only(); import arbiter.text\n"
        "try: import spy\nexcept ImportError: print('not found')"
    )
    command = [sys.executable, "-c", code, entry]
    done = subprocess.run(command, cwd=tmp_path / "bots", capture_output=True, text=True, check=True)
    assert done.stdout == "not found\n"
