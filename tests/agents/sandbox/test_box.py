"""One box at every level: what runs in it, how it ends, and what is known of it afterwards."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.sandbox import box as box_module
from arbiter.agents.sandbox.box import pid_of
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from tests.agents.sandbox.running import (
    BOXED,
    CONTAINED,
    PYTHON,
    home_of,
    program,
    python,
    running,
    said,
    until,
    wait_for,
)

MEGABYTE = 1 << 20


@pytest.fixture(params=BOXED, scope="module")
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    return chosen


@pytest.fixture(scope="module")
def home(level: Level, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One for all tests of a level, as for all games of a series."""
    with home_of(level, program(tmp_path_factory.mktemp("bot")), processes=20) as made:
        yield made


# -- spawning


def test_a_program_gets_its_pipes_and_a_fresh_start(home: Sandbox) -> None:
    source = """
import os, signal, sys
print(sys.stdin.readline().strip(), os.getcwd(), sorted(os.listdir("/proc/self/fd")), os.getpid() == os.getsid(0))
print(sorted(os.environ), signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGCHLD).name)
"""
    with python(home, source) as started:
        os.write(started.stdin, b"hello\n")
        assert started.line() == f"hello {home.folder} ['0', '1', '2', '3'] True"
        assert started.line() == "['LC_CTYPE', 'PATH'] set() SIG_DFL"  # the first is Python's own doing
        home.end()


def test_when_memory_runs_out_agents_go_before_their_box(home: Sandbox) -> None:
    mine = Path("/proc/self/oom_score_adj").read_text(encoding="ascii")
    assert said(home, "print(open('/proc/self/oom_score_adj').read())") == "1000"
    assert Path(f"/proc/{home.head_pid}/oom_score_adj").read_text(encoding="ascii") == mine


def test_kernels_of_any_age_tell_who_is_behind_a_descriptor(home: Sandbox) -> None:
    with python(home, "input()") as started:
        assert box_module._pid_from_fdinfo(started.pidfd) == pid_of(started.pidfd) == started.pid
        home.end()
        assert box_module._pid_from_fdinfo(started.pidfd) == pid_of(started.pidfd) == -1


@pytest.mark.parametrize(("ending", "code"), [("os._exit(0)", 0), ("os._exit(7)", 7), ("os.abort()", -6), ("os.kill(os.getpid(), 9)", -9), ("os.kill(os.getpid(), 15)", -15)])  # fmt: skip
def test_it_is_known_how_a_program_ended(home: Sandbox, ending: str, code: int) -> None:
    with python(home, f"import os\n{ending}") as started:
        wait_for(started.pidfd)
        assert home.end().exit_code == code


def test_who_has_to_be_ended_was_killed(home: Sandbox) -> None:
    with python(home, "print(flush=True)\ninput()") as started:
        started.line()
        assert home.end().exit_code == -signal.SIGKILL
        assert started.has_ended()


def test_many_run_one_after_the_other(home: Sandbox) -> None:
    assert [said(home, f"print({number})") for number in range(5)] == ["0", "1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("argv", "error"),
    [(["/no/such"], errno.ENOENT), ([__file__], errno.EACCES), (["/usr"], errno.EACCES)],
    ids=["missing", "not executable", "a folder"],
)
def test_what_cannot_be_started_is_an_error_and_the_box_stays(home: Sandbox, argv: list[str], error: int) -> None:
    first = home.box()
    with pytest.raises(OSError) as refused, running(home, *argv):
        pass
    assert refused.value.errno in {error, errno.ENOENT}  # what lies elsewhere is not even there
    assert said(home, "print('still here')") == "still here"
    assert home.box() is first


def test_odd_words_reach_the_program_as_they_are(home: Sandbox) -> None:
    words = ["", "a b", "x\ny", "--=", os.fsdecode(b"\xff\xfe"), "é", "x" * 5000]
    with running(
        home, *PYTHON, "-c", "import os, sys\nprint([os.fsencode(w) for w in sys.argv[1:]])", *words
    ) as started:
        assert started.everything() == str([os.fsencode(word) for word in words])
        home.end()


def test_a_program_in_a_folder_with_an_odd_name_runs(level: Level, tmp_path: Path) -> None:
    folder = tmp_path / "a b,c:d=e\n" / os.fsdecode(b"\xff") / ("long" * 50)
    bot = program(folder, source="print(open('book').read())")
    (folder / "book").write_text("read", encoding="utf-8")
    with home_of(level, bot) as made:
        with running(made, *PYTHON, str(folder / "bot.py")) as started:
            assert started.everything() == "read"
        made.end()


# -- figures


def test_memory_in_use_is_known_afterwards(home: Sandbox) -> None:
    said(home, f"x = b'x' * {50 * MEGABYTE}")
    with python(home, f"x = b'x' * {50 * MEGABYTE}") as started:
        wait_for(started.pidfd)
        assert 50 * MEGABYTE <= home.end().peak_bytes <= 80 * MEGABYTE


def test_memory_that_one_program_used_is_not_the_next_ones(home: Sandbox) -> None:
    said(home, f"x = b'x' * {50 * MEGABYTE}")
    with python(home, "pass") as started:
        wait_for(started.pidfd)
        assert home.end().peak_bytes < 30 * MEGABYTE


def test_cpu_time_is_known_afterwards(home: Sandbox) -> None:
    burn = "import os, time\nif not os.fork():\n    while time.process_time() < 0.05: pass\n    os._exit(0)\nos.wait()\nwhile time.process_time() < 0.1: pass"
    with python(home, burn) as started:
        wait_for(started.pidfd)
        assert 100_000_000 <= started.cpu_ns() < 1_000_000_000
        assert 150_000_000 <= home.end().cpu_ns < 1_500_000_000


# -- ending everything

SWARM = """
import os, signal
for number in range(10):
    if not os.fork():
        os.setsid()
        if number % 2 and os.fork(): os._exit(0)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(1, b".")
        while True: signal.pause()
"""


def test_ending_leaves_nobody(home: Sandbox) -> None:
    with python(home, f"{SWARM}\nprint(flush=True)\ninput()") as started:
        heard = ""
        while heard.count(".") < 10:
            assert "Error" not in heard
            wait_for(started.stdout)
            heard += os.read(started.stdout, 65536).decode()
        below = list(tree.descendants(home.head_pid))
        assert len(below) >= 11
        pidfds = [os.pidfd_open(pid) for pid in below]
        home.end()
        for pidfd in pidfds:
            wait_for(pidfd)
            os.close(pidfd)
        assert list(tree.descendants(home.head_pid)) == []


def test_whom_a_program_left_behind_goes_when_it_is_ended(home: Sandbox) -> None:
    with python(home, f"{SWARM}\nos._exit(3)") as started:
        wait_for(started.pidfd)
        assert home.end().exit_code == 3
        assert list(tree.descendants(home.head_pid)) == []


@pytest.mark.parametrize("level", CONTAINED, indirect=True)
def test_a_fork_bomb_stops_at_its_limit_and_goes_at_a_blow(home: Sandbox) -> None:
    bomb = """
import os
while True:
    try:
        os.fork()
    except OSError:
        os.write(1, b"full\\n")
"""
    with python(home, bomb) as started:
        assert started.line() == "full"
        assert len(list(tree.descendants(home.head_pid))) <= 20 + 2
        home.end()
        assert started.has_ended()
        assert list(tree.descendants(home.head_pid)) == []
    assert said(home, "print('again')") == "again"


def test_processes_that_fork_and_end_all_the_time_do_not_get_away(home: Sandbox) -> None:
    """Whoever is found by its number is gone already, and has left a child."""
    chain = """
import os
os.write(1, b"off\\n")
for _ in range(3000):
    if os.fork(): os._exit(0)
    os.setsid()
"""
    with python(home, chain) as started:
        assert started.line() == "off"
        home.end()
        assert list(tree.descendants(home.head_pid)) == []


# -- standing still


def test_stopped_means_stopped(home: Sandbox) -> None:
    """Judged by the CPU clock of the program, while somebody else gets work done."""
    box = home.box()
    with python(home, "print(flush=True)\nwhile True: pass") as started:
        started.line()
        before = started.cpu_ns()
        until(lambda: started.cpu_ns() > before)
        box.stop()
        until(lambda: started.state() == "T")
        stopped = started.cpu_ns()
        subprocess.run([sys.executable, "-S", "-I", "-c", "sum(range(1_000_000))"], check=True)
        assert started.cpu_ns() == stopped
        box.resume()
        until(lambda: started.cpu_ns() > stopped)
        home.end()


def test_who_is_stopped_can_be_ended(home: Sandbox) -> None:
    with python(home, f"{SWARM}\nprint(flush=True)\ninput()") as started:
        wait_for(started.stdout)
        home.box().stop()
        assert home.end().exit_code == -signal.SIGKILL
        assert list(tree.descendants(home.head_pid)) == []


# -- what a program could do to its box


@pytest.mark.parametrize("level", CONTAINED, indirect=True)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP, signal.SIGUSR1, signal.SIGINT])  # fmt: skip
def test_signals_from_inside_do_nothing_to_the_spawner(home: Sandbox, number: int) -> None:
    first = home.box()
    assert said(home, f"import os\nfor _ in range(100): os.kill(1, {int(number)})\nprint('sent')") == "sent"
    assert home.box() is first
    assert said(home, "print('still here')") == "still here"


@pytest.mark.parametrize("level", CONTAINED, indirect=True)
def test_the_spawner_cannot_be_looked_into(home: Sandbox) -> None:
    source = """
import os
for name in ("environ", "mem", "maps", "fd", "cwd", "root", "exe"):
    try:
        path = f"/proc/1/{name}"
        os.listdir(path) if name == "fd" else os.readlink(path) if name in ("cwd", "root", "exe") else open(path, "rb").read(1)
        print(name, "readable")
    except OSError as error:
        pass
print("done")
"""
    assert said(home, source) == "done"


# -- words that are too long, and descriptors that run out


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_an_environment_that_is_too_long_is_refused_and_the_box_stays(home: Sandbox) -> None:
    first = home.box()
    with pytest.raises(OSError):
        first.spawn(["/bin/true"], {"LONG": "x" * 300_000}, home.folder, [0, 1, 2])
    assert not first.broken


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_a_folder_with_many_files_of_long_names_can_be_played(level: Level, tmp_path: Path) -> None:
    folder = tmp_path / ("d" * 200) / ("e" * 200)
    bot = program(folder)
    for number in range(500):
        (folder / f"{number}-{'n' * 60}").touch()
    with home_of(level, bot) as made:
        assert said(made, "print('played')") == "played"


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_when_descriptors_run_out_that_is_an_error_of_the_operating_system(home: Sandbox) -> None:
    box = home.box()
    _, most = limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    hogs = [os.open(os.devnull, os.O_RDWR)]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hogs[0] + 30, most))
        with contextlib.suppress(OSError):
            while True:
                hogs.append(os.dup(hogs[0]))
        with pytest.raises(OSError):
            box.spawn(["/bin/true"], {}, home.folder, hogs[:3])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        for fd in hogs:
            os.close(fd)
    home.end()
    assert said(home, "print('still here')") == "still here"
