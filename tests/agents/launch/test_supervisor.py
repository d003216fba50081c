"""Attributes of the arbiter's process are restored when the last table is closed."""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from arbiter.agents.ask.table import Seat, Table
from arbiter.agents.launch import supervisor
from arbiter.agents.prepare.launch_spec import Launch
from tests.agents.ask.harness import request, terms, wait_for_end

_libc = ctypes.CDLL(None)


def is_subreaper() -> bool:
    value = ctypes.c_int(-1)
    assert _libc.prctl(37, ctypes.byref(value), 0, 0, 0) == 0
    return bool(value.value)


def is_dumpable() -> bool:
    return bool(_libc.prctl(3, 0, 0, 0, 0))


@pytest.fixture(params=[False, True], ids=["no subreaper", "subreaper"])
def was_subreaper(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = is_subreaper()
    _libc.prctl(36, int(request.param), 0, 0, 0)
    yield request.param
    _libc.prctl(36, int(before), 0, 0, 0)


@pytest.fixture(params=[True, False], ids=["dumpable", "not dumpable"])
def was_dumpable(request: pytest.FixtureRequest) -> Iterator[bool]:
    before = is_dumpable()
    _libc.prctl(4, int(request.param), 0, 0, 0)
    yield request.param
    _libc.prctl(4, int(before), 0, 0, 0)


def python(source: str) -> Seat:
    return Seat(Launch([sys.executable, "-c", source], "/", dict(os.environ)), terms(), "move")


def test_a_table_restores_what_the_embedding_program_had(was_subreaper: bool, was_dumpable: bool) -> None:
    with Table([python("print(1)")]) as table:
        assert (is_subreaper(), is_dumpable()) == (True, False)
        assert table.ask([request("")])[0].text == "1\n"
    assert (is_subreaper(), is_dumpable()) == (was_subreaper, was_dumpable)


@pytest.mark.parametrize("first_out", [0, 1])
def test_tables_may_be_closed_in_any_order(was_subreaper: bool, was_dumpable: bool, first_out: int) -> None:
    tables = [contextlib.ExitStack(), contextlib.ExitStack()]
    for table in tables:
        table.enter_context(Table([python("print(1)")]))
    tables[first_out].close()
    assert (is_subreaper(), is_dumpable()) == (True, False)
    tables[1 - first_out].close()
    assert (is_subreaper(), is_dumpable()) == (was_subreaper, was_dumpable)


def test_a_forked_child_becomes_a_subreaper_of_its_own(was_subreaper: bool) -> None:
    with supervisor.subreaper():
        child = os.fork()
        if not child:
            inherited = is_subreaper()
            with supervisor.subreaper():
                held = is_subreaper()
            os._exit(0 if (inherited, held, is_subreaper()) == (False, True, False) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert is_subreaper()


# -- children of the embedding program

_DAEMON = "import os, signal\nif not os.fork():\n    os.setsid()\n    os.close(1)\n    signal.pause()\nprint(1)"


@pytest.mark.parametrize("own_session", [False, True], ids=["our session", "own session"])
@pytest.mark.parametrize("ended", [False, True], ids=["running", "ended"])
@pytest.mark.parametrize("before", [False, True], ids=["started during the game", "started before"])
def test_children_of_the_embedding_program_are_neither_killed_nor_reaped(
    own_session: bool, ended: bool, before: bool
) -> None:
    def start() -> subprocess.Popen[bytes]:
        command = ["sh", "-c", "exit 7"] if ended else ["sh", "-c", "read line; exit 7"]
        return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=own_session)

    with contextlib.ExitStack() as stack:
        child = stack.enter_context(start()) if before else None
        with Table([python(_DAEMON)]) as table:
            child = child or stack.enter_context(start())
            if ended:
                wait_for_end(child.pid)
            assert table.ask([request("")])[0].text == "1\n"  # whose process is swept with its daemon
        child.communicate(b"\n")
        assert child.returncode == 7
