"""Trials of sandbox levels: done once, and again when anything changes that they depend on."""

from __future__ import annotations

import errno
import json
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.agents.sandbox import trial
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import LEVELS, Level
from arbiter.errors import UserError
from tests.tools import ROOT, missing, need_tool


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Level]:
    """The levels that were really tried; only rlimits works."""
    done: list[Level] = []

    def attempt(level: Level) -> None:
        done.append(level)
        if level != "rlimits":
            raise BoxFailed(f"{level}: Operation not permitted")

    monkeypatch.setattr(trial, "_try", attempt)
    return done


def outcome(file: Path, level: Level) -> str:
    try:
        trial._Remembered(file).attempt(level)
    except BoxFailed as failure:
        return str(failure)
    return "works"


def test_each_level_is_tried_once_and_its_outcome_is_remembered(tmp_path: Path, tried: list[Level]) -> None:
    file = tmp_path / "cache" / "sandbox.json"
    for _ in range(3):
        assert [outcome(file, "cgroup"), outcome(file, "rlimits")] == ["cgroup: Operation not permitted", "works"]
    assert tried == ["cgroup", "rlimits"]


def test_it_is_tried_again_under_other_conditions(
    tmp_path: Path, tried: list[Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sandbox.json"
    for uid in (1000, 1000, 0):
        monkeypatch.setattr("os.getuid", lambda uid=uid: uid)
        outcome(file, "landlock")
    assert tried == ["landlock", "landlock"]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"conditions": 1}', '{"outcomes": {}}', "\xff"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, tried: list[Level], damage: str) -> None:
    file = tmp_path / "sandbox.json"
    file.write_text(damage, encoding="latin-1")
    assert outcome(file, "rlimits") == "works"
    assert tried == ["rlimits"]


def test_a_folder_that_cannot_be_written_is_not_an_error(tmp_path: Path, tried: list[Level]) -> None:
    (tmp_path / "file").touch()
    assert outcome(tmp_path / "file" / "sandbox.json", "rlimits") == "works"
    assert tried == ["rlimits"]


@pytest.mark.parametrize("failure", ["all 4000 uids for agents are in use", "unshare: Cannot allocate memory", "fork"])
def test_a_failure_that_may_be_over_soon_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    """Any user of the machine could cause it, and so weaken the sandbox until the next boot."""
    file = tmp_path / "sandbox.json"

    def fail(_: Level) -> None:
        raise BoxFailed(failure)

    monkeypatch.setattr(trial, "_try", fail)
    assert outcome(file, "namespace") == failure
    monkeypatch.setattr(trial, "_try", lambda _: None)
    assert [outcome(file, "landlock"), outcome(file, "namespace")] == ["works", "works"]


WITHOUT_USER_NAMESPACES = """
import ctypes, struct, sys, os
number = {number}
new_user, refuse, allow, seccomp, no_new_privileges = 0x10000000, 0x50000 | {error}, 0x7FFF0000, 22, 38
code = [(0x20, 0, 0, 0), (0x15, 0, 3, number), (0x20, 0, 0, 16), (0x45, 0, 1, new_user), (6, 0, 0, refuse), (6, 0, 0, allow)]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
filter = struct.pack("HxxxxxxP", len(code), ctypes.addressof(program))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(no_new_privileges, 1, 0, 0, 0) == 0
assert libc.prctl(seccomp, 2, filter) == 0, os.strerror(ctypes.get_errno())
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Runs a command in which unshare(CLONE_NEWUSER) fails, as on a machine where user namespaces are switched off."""
UNSHARE = {"x86_64": 272, "aarch64": 97}


def without_user_namespaces(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    if platform.machine() not in UNSHARE:
        missing(f"the number of unshare on {platform.machine()}")
    program = WITHOUT_USER_NAMESPACES.format(number=UNSHARE[platform.machine()], error=errno.ENOSPC)
    command = [sys.executable, "-c", program, sys.executable, "-m", "arbiter", *words]
    environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPATH": str(ROOT)} | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_where_user_namespaces_are_switched_off_agents_play_at_a_level_without_them(tmp_path: Path) -> None:
    """Root needs one to make an agent the owner of its files, so the levels that do are not offered."""
    tools = tmp_path / "tools"  # doctor tries every language on the PATH
    tools.mkdir()
    for name in ("sh", "true"):
        (tools / name).symlink_to(need_tool(name))
    found = json.loads(without_user_namespaces(tmp_path, "doctor", "--json", PATH=str(tools)).stdout)
    reasons = {level: found["sandbox"][level] for level in ("namespace", "cgroup")}
    assert all("unshare(CLONE_NEWUSER" in str(reason) or "delegated" in str(reason) for reason in reasons.values())
    (tmp_path / "bot.py").write_text("print(1, 0)\n", encoding="utf-8")
    played = without_user_namespaces(
        tmp_path, "play", "splendor", "./bot.py", "b=./bot.py", "--option", "max_rounds=2", "--fail-on-fault"
    )
    assert played.returncode == 0, played.stderr
    refused = without_user_namespaces(tmp_path, "play", "splendor", "./bot.py", "b=./bot.py", "--sandbox", "namespace")
    assert refused.returncode == 2
    assert "unshare(CLONE_NEWUSER" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1


def test_games_in_which_no_agent_could_be_started_are_a_failure(tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    damaged.write_bytes(Path(shutil.which("cat") or sys.executable).read_bytes()[:200])
    damaged.chmod(0o755)
    (tmp_path / "bot.py").write_text("print(1, 0)\n", encoding="utf-8")
    command = [sys.executable, "-m", "arbiter", "play", "splendor", "--option", "max_rounds=2", "--quiet", "./damaged"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}

    def play(other: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*command, other], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    nobody = play("b=./damaged")
    assert (nobody.returncode, len(nobody.stderr.splitlines())) == (2, 1)
    assert "no agent could be started" in nobody.stderr
    assert os.strerror(errno.ENOEXEC) in nobody.stderr
    assert play("./bot.py").returncode == 0


def test_a_kernel_without_pidfd_open_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> int:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    monkeypatch.setattr(os, "pidfd_open", refuse)
    for level in LEVELS:
        with pytest.raises(
            UserError, match=r"^cannot start agents: pidfd_open: .* needs Linux 5.3 or later, and this is"
        ):
            trial.choose_sandbox.__wrapped__(level)
    monkeypatch.delattr(os, "pidfd_open")
    assert "this Python was built without it" in trial.lacks_pidfd()
