"""Uids that agents run under: one per box."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.agents.sandbox import uids
from arbiter.agents.sandbox.uids import FIRST_UID, ReservedUid
from tests.tools import ROOT, until


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lock files of this test alone, so that it works for ordinary users, too."""
    monkeypatch.setattr(uids, "FOLDERS", (str(tmp_path / "first"), str(tmp_path / "second")))
    return tmp_path / "first"


def test_uids_reserved_at_the_same_time_differ() -> None:
    several = [ReservedUid() for _ in range(5)]
    assert [reserved.uid for reserved in several] == list(range(FIRST_UID, FIRST_UID + 5))
    for reserved in several:
        reserved.close()


def test_a_released_uid_can_be_reserved_again() -> None:
    reserved = ReservedUid()
    reserved.close()
    again = ReservedUid()
    assert again.uid == reserved.uid
    again.close()


def test_a_uid_is_reserved_across_processes_until_its_owner_is_killed(folder: Path) -> None:
    source = (
        "from arbiter.agents.sandbox import uids\n"
        f"uids.FOLDERS = ({str(folder)!r},)\n"
        "reserved = uids.ReservedUid()\n"
        "print(reserved.uid, flush=True)\n"
        "input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    ) as owner:
        assert owner.stdout is not None
        taken = int(owner.stdout.readline())
        second = ReservedUid()
        assert (taken, second.uid) == (FIRST_UID, FIRST_UID + 1)
        second.close()
        owner.send_signal(signal.SIGKILL)

    def is_free() -> bool:
        reserved = ReservedUid()
        reserved.close()
        return reserved.uid == taken

    until(is_free, "a free uid")


def test_only_the_owner_of_the_lock_folder_can_reserve_uids(folder: Path) -> None:
    ReservedUid().close()
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o750])
def test_a_lock_folder_that_others_can_enter_is_not_used(folder: Path, mode: int) -> None:
    folder.mkdir()
    folder.chmod(mode)
    ReservedUid().close()
    assert not any(folder.iterdir())


def test_a_link_in_the_place_of_the_lock_folder_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    ReservedUid().close()
    assert not any((tmp_path / "elsewhere").iterdir())


def test_no_usable_lock_folder_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(uids, "FOLDERS", (str(tmp_path / "file"),))
    with pytest.raises(OSError, match="no folder for the locks of agents' uids"):
        ReservedUid()


def test_running_out_of_uids_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uids, "_COUNT", 0)
    with pytest.raises(OSError, match="all 0 uids for agents are in use"):
        ReservedUid()
