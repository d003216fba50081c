"""Signals: every agent is killed, and the part that was played is a record that verifies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from tests.agents.ask.harness import wait_readable
from tests.nullgame import auction
from tests.nullgame.place import bidder, write
from tests.tools import ROOT

pytestmark = pytest.mark.slow

PATIENCE_S = 600
ASKS = """
read -r seat
while read -r state; do
    (trap '' HUP TERM INT; exec sleep 1000) &
    echo $! > {fifo}
    read -r never
done
"""
"""Starts a child, writes its pid to a named pipe, and never answers."""


def stopped(place: Path, signals: Sequence[int], before: str = "pass") -> tuple[int, str, int]:
    """Signal a game while an agent thinks; return exit status, standard error, and the pid of the agent's child."""
    fifo = place / "child"
    os.mkfifo(fifo)
    # Opened for reading and writing, so that opening does not block if the agent is never asked.
    reader = os.open(fifo, os.O_RDWR)
    words = ["play", "auction", bidder(place, "five", 5), str(write(place / "asks.sh", ASKS.format(fifo=fifo)))]
    words += ["--save", str(place / "games"), "--move", "600s", "--quiet"]
    code = f"import signal, sys; {before}; from arbiter.cli import main; sys.argv = ['arbiter', *sys.argv[1:]]; main()"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arbiter = subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True, env=environment)
    wait_readable(reader, "the agent to be asked")
    child = int(os.read(reader, 100))
    os.close(reader)
    for number in signals:
        arbiter.send_signal(number)
    _, said = arbiter.communicate(timeout=PATIENCE_S)
    return arbiter.returncode, said, child


@pytest.mark.parametrize(
    ("signals", "code", "said"),
    [([signal.SIGINT], 130, "arbiter: stopped\n"), ([signal.SIGTERM], 143, ""), ([signal.SIGHUP], 129, "")],
    ids=["interrupt", "terminate", "hang up"],
)
def test_a_signal_ends_the_game_and_every_agent(place: Path, signals: list[int], code: int, said: str) -> None:
    default = "signal.signal(signal.SIGINT, signal.default_int_handler); signal.signal(signal.SIGHUP, signal.SIG_DFL)"
    returned, complaint, child = stopped(place, signals, default)
    assert (returned, complaint.lstrip()) == (code, said)  # after a newline, since a terminal shows ^C
    assert tree.memory_bytes([child], 0) == 0
    (path,) = (place / "games").iterdir()
    record = load_record(path)
    assert record.result is None
    assert list(differences(record, auction.protocol)) == []


INTERRUPTED = """
import os, signal, sys

class Finder:
    def find_spec(self, name, *_):
        if name == "click":
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Finder())
from arbiter.start import main
main()
"""


def test_ctrl_c_while_modules_are_imported_is_no_traceback() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False, env=environment
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (-signal.SIGINT, "", "")


def test_further_signals_do_not_prevent_agents_from_being_killed(place: Path) -> None:
    returned, _, child = stopped(place, [signal.SIGTERM] + [signal.SIGTERM, signal.SIGHUP, signal.SIGINT] * 20)
    assert returned >= 128
    assert tree.memory_bytes([child], 0) == 0


def test_a_hang_up_that_is_ignored_stays_ignored(place: Path) -> None:
    ignored = "signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    returned, _, _ = stopped(place, [signal.SIGHUP, signal.SIGTERM], ignored)
    assert returned == 128 + signal.SIGTERM


def test_agents_are_reaped_even_if_sigchld_was_ignored(place: Path) -> None:
    ignored = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
    code = f"import signal, sys; {ignored}; from arbiter.cli import main; sys.argv = ['arbiter', *sys.argv[1:]]; main()"
    words = ["play", "auction", bidder(place, "five", 5), bidder(place, "six", 6), "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False, env=environment
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[2].split()[:3] == ["1", "1", "six"]
