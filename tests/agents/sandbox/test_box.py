"""One box at every level: what runs in it, how it ends, and what is reported of it."""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.sandbox import box as box_module
from arbiter.agents.sandbox.box import pid_of
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from tests.agents.sandbox.running import BOXED, PYTHON, program, python, running, said, sandbox_of, wait_for

pytestmark = pytest.mark.slow

MEGABYTE = 1 << 20
ALIKE = pytest.mark.parametrize("level", ["rlimits", "cgroup"], indirect=True)
"""For what no level changes: the weakest and the strongest."""


@pytest.fixture(params=BOXED, scope="module")
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    return chosen


@pytest.fixture(scope="module")
def sandbox(level: Level, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One sandbox for all tests of a level, as for all games of a series."""
    with sandbox_of(level, program(tmp_path_factory.mktemp("bot")), processes=20) as made:
        yield made


# -- spawning


def test_a_program_starts_with_its_pipes_and_default_signal_handling(sandbox: Sandbox) -> None:
    source = """
import os, signal, sys
print(sys.stdin.readline().strip(), os.getcwd(), sorted(os.listdir("/proc/self/fd")), os.getpid() == os.getpgid(0))
print(sorted(os.environ), signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGCHLD).name)
"""
    with python(sandbox, source) as started:
        os.write(started.stdin, b"hello\n")
        assert started.line() == f"hello {sandbox.folder} ['0', '1', '2', '3'] True"
        assert started.line() == "['LC_CTYPE', 'PATH'] set() SIG_DFL"  # LC_CTYPE is set by Python itself
        sandbox.end()


def test_the_oom_killer_prefers_agents_to_their_box(sandbox: Sandbox) -> None:
    mine = Path("/proc/self/oom_score_adj").read_text(encoding="ascii")
    assert said(sandbox, "print(open('/proc/self/oom_score_adj').read())") == "1000"
    assert Path(f"/proc/{sandbox.head_pid}/oom_score_adj").read_text(encoding="ascii") == mine


@ALIKE
def test_a_pidfd_is_resolved_to_its_pid_on_old_and_new_kernels(sandbox: Sandbox) -> None:
    with python(sandbox, "input()") as started:
        assert box_module._pid_from_fdinfo(started.pidfd) == pid_of(started.pidfd) == started.pid
        sandbox.end()
        assert box_module._pid_from_fdinfo(started.pidfd) == pid_of(started.pidfd) == -1


@ALIKE
@pytest.mark.parametrize(("ending", "code"), [("os._exit(0)", 0), ("os._exit(7)", 7), ("os.abort()", -6), ("os.kill(os.getpid(), 9)", -9), ("os.kill(os.getpid(), 15)", -15)])  # fmt: skip
def test_the_exit_status_is_reported(sandbox: Sandbox, ending: str, code: int) -> None:
    with python(sandbox, f"import os\n{ending}") as started:
        wait_for(started.pidfd)
        assert sandbox.end().exit_code == code


@ALIKE
def test_programs_run_one_after_another(sandbox: Sandbox) -> None:
    assert [said(sandbox, f"print({number})") for number in range(5)] == ["0", "1", "2", "3", "4"]


@ALIKE
@pytest.mark.parametrize(
    ("argv", "error"),
    [
        (["/no/such"], errno.ENOENT),
        ([__file__], errno.EACCES),
        (["/usr"], errno.EACCES),
        (["/bin/true", "\0"], errno.EINVAL),
    ],
    ids=["missing", "not executable", "a folder", "a null character"],
)
def test_a_program_that_cannot_be_started_is_an_error_and_the_box_survives(
    sandbox: Sandbox, argv: list[str], error: int
) -> None:
    first = sandbox.box()
    for _ in range(2):  # the same again takes another way
        with pytest.raises(OSError) as refused, running(sandbox, *argv):
            pass
        assert refused.value.errno in {error, errno.ENOENT}  # other files may not even be visible
    assert said(sandbox, "print('still here')") == "still here"
    assert sandbox.box() is first


@ALIKE
def test_odd_arguments_reach_the_program_unchanged(sandbox: Sandbox) -> None:
    words = ["", "a b", "x\ny", "--=", os.fsdecode(b"\xff\xfe"), "é", "x" * 5000]
    with running(
        sandbox, *PYTHON, "-c", "import os, sys\nprint([os.fsencode(w) for w in sys.argv[1:]])", *words
    ) as started:
        assert started.everything() == str([os.fsencode(word) for word in words])
        sandbox.end()


def test_a_program_in_a_folder_with_an_odd_name_runs(level: Level, tmp_path: Path) -> None:
    folder = tmp_path / "a b,c:d=e\n" / os.fsdecode(b"\xff") / ("long" * 50)
    bot = program(folder, source="print(open('book').read())")
    (folder / "book").write_text("read", encoding="utf-8")
    with sandbox_of(level, bot) as made:
        with running(made, *PYTHON, str(folder / "bot.py")) as started:
            assert started.everything() == "read"
        made.end()


# -- resource usage


def test_peak_memory_is_reported(sandbox: Sandbox) -> None:
    said(sandbox, f"x = b'x' * {50 * MEGABYTE}")
    with python(sandbox, f"x = b'x' * {50 * MEGABYTE}") as started:
        wait_for(started.pidfd)
        assert 50 * MEGABYTE <= sandbox.end().peak_bytes <= 80 * MEGABYTE


def test_peak_memory_is_that_of_the_last_program_only(sandbox: Sandbox) -> None:
    said(sandbox, f"x = b'x' * {50 * MEGABYTE}")
    with python(sandbox, "pass") as started:
        wait_for(started.pidfd)
        assert sandbox.end().peak_bytes < 30 * MEGABYTE


def test_cpu_time_is_reported(sandbox: Sandbox) -> None:
    burn = "import os, time\nif not os.fork():\n    while time.process_time() < 0.05: pass\n    os._exit(0)\nos.wait()\nwhile time.process_time() < 0.1: pass"
    with python(sandbox, burn) as started:
        wait_for(started.pidfd)
        assert 100_000_000 <= started.cpu_ns() < 1_000_000_000
        assert 150_000_000 <= sandbox.end().cpu_ns < 1_500_000_000


# -- killing

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


def test_ending_kills_every_process(sandbox: Sandbox) -> None:
    with python(sandbox, f"{SWARM}\nprint(flush=True)\ninput()") as started:
        heard = ""
        while heard.count(".") < 10:
            assert "Error" not in heard
            wait_for(started.stdout)
            heard += os.read(started.stdout, 65536).decode()
        below = list(tree.descendants(sandbox.head_pid))
        assert len(below) >= 11
        pidfds = [os.pidfd_open(pid) for pid in below]
        sandbox.end()
        for pidfd in pidfds:
            wait_for(pidfd)
            os.close(pidfd)
        assert list(tree.descendants(sandbox.head_pid)) == []


def test_processes_left_behind_are_killed_when_the_agent_is_ended(sandbox: Sandbox) -> None:
    with python(sandbox, f"{SWARM}\nos._exit(3)") as started:
        wait_for(started.pidfd)
        assert sandbox.end().exit_code == 3
        assert list(tree.descendants(sandbox.head_pid)) == []


def test_a_chain_of_processes_that_fork_and_exit_cannot_escape(sandbox: Sandbox) -> None:
    """Each process is gone, and replaced by a child, before it can be listed and killed."""
    chain = """
import os
os.write(1, b"off\\n")
for _ in range(3000):
    if os.fork(): os._exit(0)
    os.setsid()
"""
    with python(sandbox, chain) as started:
        assert started.line() == "off"
        sandbox.end()
        assert list(tree.descendants(sandbox.head_pid)) == []


# -- stopping


def test_a_stopped_program_can_be_killed(sandbox: Sandbox) -> None:
    with python(sandbox, f"{SWARM}\nprint(flush=True)\ninput()") as started:
        wait_for(started.stdout)
        sandbox.box().stop()
        assert sandbox.end().exit_code == -signal.SIGKILL
        assert list(tree.descendants(sandbox.head_pid)) == []


# -- attacks on the box


# -- requests that are too long, and running out of file descriptors


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_an_environment_that_is_too_long_is_an_error_and_the_box_survives(sandbox: Sandbox) -> None:
    first = sandbox.box()
    with pytest.raises(OSError):
        first.spawn(["/bin/true"], {"LONG": "x" * 300_000}, sandbox.folder, [0, 1, 2])
    assert not first.broken


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_a_folder_with_many_files_of_long_names_can_be_played(level: Level, tmp_path: Path) -> None:
    folder = tmp_path / ("d" * 200) / ("e" * 200)
    bot = program(folder)
    for number in range(500):
        (folder / f"{number}-{'n' * 60}").touch()
    with sandbox_of(level, bot) as made:
        assert said(made, "print('played')") == "played"


@pytest.mark.parametrize("level", ["namespace"], indirect=True)
def test_running_out_of_file_descriptors_is_an_oserror(sandbox: Sandbox) -> None:
    box = sandbox.box()
    _, most = limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    hogs = [os.open(os.devnull, os.O_RDWR)]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hogs[0] + 30, most))
        with contextlib.suppress(OSError):
            while True:
                hogs.append(os.dup(hogs[0]))
        with pytest.raises(OSError):
            box.spawn(["/bin/true"], {}, sandbox.folder, hogs[:3])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        for fd in hogs:
            os.close(fd)
    sandbox.end()
    assert said(sandbox, "print('still here')") == "still here"
