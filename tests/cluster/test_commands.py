"""What users see who have no Dask, no scheduler, or no certificates."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from arbiter.cluster.connect import connect, security
from arbiter.cluster.local import local_cluster
from arbiter.errors import UserError, install_command
from tests.cluster.real import PATIENCE_S


def test_a_missing_library_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError) as error:
        connect("tcp://127.0.0.1:1")
    assert str(error.value) == f"a cluster needs distributed: {install_command('distributed')}"


def test_an_address_that_is_none_is_quoted() -> None:
    with pytest.raises(UserError, match="no Dask scheduler at 'nonsense://x'"):
        connect("nonsense://x")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"address": 5}', '{"address": "nonsense://x"}'])
def test_a_file_that_describes_no_scheduler_is_quoted(tmp_path: Path, text: str) -> None:
    path = tmp_path / "scheduler.json"
    path.write_text(text)
    with pytest.raises(UserError, match=f"no Dask scheduler at '{path}'"):
        connect(str(path))


@pytest.mark.parametrize("address", ["nonsense://x", "tls://127.0.0.1:1"])
def test_a_failed_connection_leaves_no_client_behind(address: str) -> None:
    """Such a client is closed by the garbage collector, and in the thread of the next client that is a deadlock."""
    before = threading.enumerate()
    with pytest.raises(UserError, match="no Dask scheduler"):
        connect(address)
    assert threading.enumerate() == before


def test_a_lost_connection_is_reported_by_us_and_not_by_dask() -> None:
    with pytest.raises(UserError):
        connect("nonsense://x")
    assert not logging.getLogger("distributed.client").isEnabledFor(logging.ERROR), "it would print tracebacks"


def test_a_certificate_that_is_missing_is_named(tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("")
    with pytest.raises(UserError, match=r"--tls: cannot read '.*/cert\.pem'"):
        security(tmp_path)


def test_a_scheduler_for_other_machines_needs_tls() -> None:
    with pytest.raises(UserError, match="can run programs on its workers"), local_cluster(1, "0.0.0.0", 0):
        pass


def test_no_more_games_than_cores() -> None:
    with pytest.raises(UserError, match="a core plays one game at a time"), local_cluster(100_000, "127.0.0.1", 0):
        pass


def test_ctrl_c_ends_a_cluster_without_a_traceback(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "arbiter", "cluster", "start", "--workers", "1", "--scheduler-port", "0"],
        cwd=tmp_path, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert running.stdout.readline().startswith("cluster  tcp://127.0.0.1:")
        assert running.stdout.readline().startswith("play ")
        os.killpg(running.pid, signal.SIGINT)  # a terminal sends it to the worker as well
        out, err = running.communicate(timeout=PATIENCE_S)
    assert (out.splitlines()[-1], err, running.returncode) == ("stopped", "", 0)


def test_a_scheduler_file_that_cannot_be_written_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(UserError, match=r"^cannot start a cluster on 127\.0\.0\.1 port 0: .*'/proc/x'"),
        local_cluster(1, "127.0.0.1", 0, Path("/proc/x")),
    ):
        pass
    assert capfd.readouterr().err == ""
