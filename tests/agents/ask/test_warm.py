"""Programs that were evicted from memory are read before they are started."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest

from arbiter.agents.ask.fresh_process import ProgramFile
from tests.tools import missing


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "program"
    with path.open("wb") as file:
        file.write(os.urandom(3 << 20))
        file.flush()
        os.fsync(file.fileno())
    return path


def test_a_program_that_was_evicted_is_read_once(program: Path) -> None:
    with program.open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        try:
            os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
            missing("a file system that is not kept in memory")
        except BlockingIOError:
            pass
    with contextlib.closing(ProgramFile(str(program))) as found:
        assert found.warm()
        assert not found.warm()


@pytest.mark.parametrize("kind", ["missing", "folder", "fifo", "empty"])
def test_whatever_is_not_a_program_is_left_to_the_spawn(tmp_path: Path, kind: str) -> None:
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "empty":
        path.touch()
    with contextlib.closing(ProgramFile(str(path))) as found:
        assert not found.warm()
