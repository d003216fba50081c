"""The sandbox of an agent, from before its box is made until nothing of it remains."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partialmethod
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from arbiter.agents.ask.request import Request, Seat
from arbiter.agents.ask.table import Table
from arbiter.agents.launch import tree
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.prepare.launch_spec import Launch
from arbiter.agents.sandbox import box as box_module
from arbiter.agents.sandbox import first_process
from arbiter.agents.sandbox import sandbox as sandbox_module
from arbiter.agents.sandbox.box import Box, BoxFailed
from arbiter.agents.sandbox.cgroup_places import own_places
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import HOME, visible_files
from arbiter.game import Fault, FaultKind
from tests.agents.ask.harness import marked_processes
from tests.agents.sandbox.running import (
    BOXED,
    CONTAINED,
    PYTHON,
    is_ready,
    limits,
    need,
    program,
    python,
    said,
    sandbox_of,
    wait_for,
)
from tests.tools import ROOT, missing, until

pytestmark = pytest.mark.slow

LOOSE: tuple[Level, ...] = ("rlimits", "landlock")
KILLS_ITS_SPAWNER = "import os, signal\nos.kill(os.getppid(), 9)\nprint('done', flush=True)\nwhile True: signal.pause()"
DOUBTFUL_MS = 1000
"""How long to wait for an event that might not come."""


@pytest.fixture(params=BOXED)
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    return chosen


def kill_spawner(sandbox: Sandbox) -> None:
    """Kill by pidfd and not by pid: that of a missing box is -1, which means every process."""
    pidfd = sandbox.box()._spawner_pidfd
    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    wait_for(pidfd)


# -- what remains


def traces(folder: Path) -> dict[str, object]:
    """Everything that a sandbox could leave behind."""
    groups: list[str] = []
    with contextlib.suppress(OSError):
        bases = own_places().values() if os.getuid() == 0 else ()
        groups = sorted(path.name for base in bases for path in base.glob(f"arbiter-{os.getpid()}-*"))
    return {
        "files": sorted(os.listdir("/proc/self/fd")),  # noqa: PTH208
        "processes": tree.children(os.getpid()),
        "mounts": Path("/proc/self/mountinfo").read_text(encoding="utf-8"),
        "groups": groups,
        "folders": sorted(path.name for path in folder.iterdir()),
    }


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_a_sandbox_leaves_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    with sandbox_of(level, bot) as sandbox:
        for _ in range(2):
            with python(sandbox, "import os\nos.fork()\nos.mkdir('x')\nprint(flush=True)\ninput()") as started:
                started.line()
                sandbox.end()
            sandbox.fresh()
        kill_spawner(sandbox)
        sandbox.end()
        assert said(sandbox, "print(1)") == "1"
    assert traces(temporary) == before


@pytest.mark.parametrize("emptied", [False, True], ids=["while it is emptied", "after it was emptied"])
def test_a_sandbox_that_is_closed_while_its_folder_is_emptied_leaves_nothing_behind(
    level: Level, tmp_path: Path, temporary: Path, emptied: bool
) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    with sandbox_of(level, bot) as sandbox:
        said(sandbox, "open('memory', 'w').write('kept')")
        spawner = sandbox.head_pid
        sandbox.fresh()
        if emptied and sandbox.contained:
            box = sandbox._box
            assert box is not None
            wait_for(box._messages.fileno())
    assert traces(temporary) == before
    assert not Path(f"/proc/{spawner}").exists()


def test_a_sandbox_that_was_never_used_leaves_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    with sandbox_of(level, bot):
        pass
    with sandbox_of(level, bot) as sandbox:
        sandbox.prepare()
    assert traces(temporary) == before


@pytest.mark.parametrize("level", CONTAINED)
def test_a_failed_box_says_why_and_leaves_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    view = msgspec.structs.replace(visible_files(bot, [], []), own_links=(("no such folder/link", "target"),))
    with Sandbox(level, view, limits()) as sandbox:
        for _ in range(2):
            with pytest.raises(BoxFailed, match=r"laying out the root.*: No such file or directory"):
                sandbox.box()
    assert traces(temporary) == before


def test_programs_that_cannot_be_started_leave_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        sandbox.box().stop_counting()  # as the first spawn of a long-lived agent does
        before = traces(temporary)
        for _ in range(3):
            with pytest.raises(OSError):
                spawn(Launch(["/no/such"], sandbox.folder, {}), limits(), sandbox)
        assert traces(temporary) == before


# -- writable folders


def test_a_fresh_folder_is_empty_but_for_the_links(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    (tmp_path / "bot" / "book.txt").write_text("opening", encoding="utf-8")
    places = [".", "/tmp", "/dev/shm"] if level in CONTAINED else ["."]
    litter = f"""
import os
for place in {places}:
    open(place + "/file", "w").write("x")
    os.makedirs(place + "/folder/folder")
    os.symlink("/", place + "/link")
os.unlink("book.txt")
"""
    look = f"import os\nprint([sorted(os.listdir(place)) for place in {places}], open('book.txt').read())"
    with sandbox_of(level, bot) as sandbox:
        first = said(sandbox, look)
        assert said(sandbox, litter) == ""
        assert "file" in said(sandbox, look.partition(", open")[0] + ")")
        sandbox.fresh()
        assert said(sandbox, look) == first
        assert "book.txt" in first
        assert first.endswith("opening")


def test_files_are_kept_from_one_process_to_the_next(level: Level, tmp_path: Path) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        said(sandbox, "open('memory', 'w').write('kept')")
        assert said(sandbox, "print(open('memory').read())") == "kept"


@pytest.mark.parametrize("level", CONTAINED)
def test_all_writable_folders_share_one_quota(level: Level, tmp_path: Path) -> None:
    source = """
import os
block, total = bytes(1 << 16), 0
for place in (".", "/tmp", "/dev/shm"):
    try:
        with open(place + "/big", "wb", buffering=0) as file:
            while True: total += file.write(block)
    except OSError as error:
        pass
print(total >> 10)
"""
    with sandbox_of(level, program(tmp_path / "bot"), disk="1MB") as sandbox:
        assert 512 <= int(said(sandbox, source)) <= 1024


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_installed_in_tmp_runs_again_after_its_folder_was_emptied(level: Level) -> None:
    need(level)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        bot, saved = program(Path(folder, "bot")), Path(folder, "bot", "games", "saved")
        saved.parent.mkdir()
        saved.touch()
        look = f"""
import os
os.chdir('{folder}/bot')
print(sorted(os.listdir('/tmp')), sorted(os.listdir()), os.path.exists('games/saved'), open('bot.py').read())
"""
        with Sandbox(level, visible_files(bot, [], [saved.parent]), limits()) as sandbox:
            box, first = sandbox.box(), said(sandbox, look)
            assert "['bot.py', 'games'] False" in first
            for _ in range(2):
                said(sandbox, "open('/tmp/kept', 'w').close()")
                assert "kept" in said(sandbox, look)
                sandbox.fresh()
                assert said(sandbox, look) == first
            assert sandbox.box() is box, "it was made again, which takes as long as many moves"


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_installed_in_tmp_cannot_replace_its_program(level: Level) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, sandbox_of(level, program(Path(folder, "bot"))) as sandbox:
        swap = f"import os\nos.rename('{folder}', '/tmp/away')\nos.makedirs('{folder}/bot')\nopen('{folder}/bot/bot.py', 'w').write('swapped')"
        for _ in range(2):
            said(sandbox, swap)
            assert said(sandbox, f"print(open('{folder}/bot/bot.py').read())") == ""
            sandbox.fresh()


# -- broken boxes


def test_a_box_whose_spawner_was_killed_is_replaced(level: Level, tmp_path: Path) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        first = sandbox.box()
        kill_spawner(sandbox)
        sandbox.end()
        assert said(sandbox, "print('again')") == "again"
        assert sandbox.box() is not first


@pytest.mark.parametrize("level", CONTAINED)
def test_killing_the_keeper_ends_everything_in_the_box(level: Level, tmp_path: Path) -> None:
    with (
        sandbox_of(level, program(tmp_path / "bot")) as sandbox,
        python(sandbox, "print(flush=True)\ninput()") as started,
    ):
        started.line()
        os.kill(sandbox.box().first_pid, signal.SIGKILL)
        wait_for(started.pidfd)
        assert sandbox.end().exit_code == -signal.SIGKILL


def test_an_agent_whose_box_broke_counts_as_killed(level: Level, tmp_path: Path) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox, python(sandbox, "input()"):
        box = sandbox.box()
        kill_spawner(sandbox)
        with contextlib.suppress(BoxFailed):
            box.stop()
        assert sandbox.end().exit_code == -signal.SIGKILL


@pytest.mark.parametrize("level", LOOSE)
def test_an_agent_that_kills_its_spawner_is_killed(level: Level, tmp_path: Path) -> None:
    source = f"input()\n{KILLS_ITS_SPAWNER}"
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        process, _ = spawn(Launch([*PYTHON, "-c", source], sandbox.folder, {}), limits(), sandbox)
        os.write(process.stdin, b"\n")  # only now: until the spawner has replied, nobody knows the agent
        wait_for(process.stdout)
        pidfd = os.dup(process.pidfd)
        try:
            process.kill()
            assert is_ready(pidfd, DOUBTFUL_MS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)


def test_an_agent_that_kills_its_spawner_before_it_replies_has_crashed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It must not pass for an agent that could not be started, which would annul the game."""
    spawners: list[int] = []

    def reply_is_lost(box: Box, request: bytes, fds: Sequence[int] = ()) -> NoReturn:
        with contextlib.suppress(BoxFailed):
            _, received = ask(box, request, fds)
            for fd in received:
                os.close(fd)
        spawners.append(box.pid)
        wait_for(box._spawner_pidfd)
        raise box._fail("the sandbox's spawner has exited")

    ask = Box._ask
    with sandbox_of("rlimits", program(tmp_path / "bot")) as sandbox:
        seat = Seat(Launch([*PYTHON, "-c", KILLS_ITS_SPAWNER], sandbox.folder, {}), limits(), "move", sandbox)
        with Table([seat]) as table, monkeypatch.context() as patch:
            sandbox.box()
            patch.setattr(Box, "_ask", reply_is_lost)
            (answer,) = table.ask([Request(0, "\n", lambda _: "")])
            assert marked_processes() == []
    assert answer.fault == Fault(FaultKind.CRASHED, "the sandbox's spawner has exited: the agent killed or stopped it")
    assert len(set(spawners)) == 2, "it is tried once more, since another process may have killed the first"


def is_frozen(sandbox: Sandbox) -> bool:
    """Whether the kernel reports that the agent's cgroup is frozen."""
    groups = sandbox.cgroups
    return bool(groups and "frozen 1" in (groups._of("freezer") / "cgroup.events").read_text(encoding="ascii"))


def test_a_frozen_agent_ends_with_its_box(tmp_path: Path) -> None:
    spin = "print(flush=True)\nwhile True: pass"
    with sandbox_of("cgroup", program(tmp_path / "bot")) as sandbox, python(sandbox, spin) as started:
        started.line()
        sandbox.freeze()
        os.kill(sandbox.box().first_pid, signal.SIGKILL)
        wait_for(started.pidfd)


def test_an_agent_that_gives_way_gets_what_others_leave(tmp_path: Path) -> None:
    """Both spin on one core until the other has used a good deal of CPU time."""
    spin = "print(flush=True)\nwhile True: pass"
    core = {min(os.sched_getaffinity(0))}
    agents = [program(tmp_path / name) for name in ("greedy", "asked")]
    with sandbox_of("cgroup", agents[0]) as greedy, sandbox_of("cgroup", agents[1]) as asked:
        for sandbox in (greedy, asked):
            sandbox.box().place(frozenset(core))
        with python(greedy, spin) as first, python(asked, spin) as second:
            first.line()
            second.line()
            assert greedy.give_way()
            before, after = first.cpu_ns(), second.cpu_ns() + 200_000_000
            until(lambda: second.cpu_ns() >= after, "CPU time")
            assert first.cpu_ns() - before < 20_000_000
            greedy.share_equally()
            before, after = first.cpu_ns(), second.cpu_ns() + 200_000_000
            until(lambda: second.cpu_ns() >= after, "CPU time")
            assert first.cpu_ns() - before > 50_000_000


def test_a_frozen_agent_uses_no_cpu_time(level: Level, tmp_path: Path) -> None:
    spin = "print(flush=True)\nwhile True: pass"
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox, python(sandbox, spin) as started:
        started.line()
        sandbox.freeze()
        until(lambda: started.state() == "T" or is_frozen(sandbox), "its stop")
        frozen = started.cpu_ns()
        subprocess.run([sys.executable, "-S", "-I", "-c", "sum(range(300_000))"], check=True)
        assert started.cpu_ns() == frozen
        sandbox.thaw()
        until(lambda: started.cpu_ns() > frozen, "CPU time after the thaw")
        sandbox.end()


# -- a spawner that takes its time

SOON = struct.pack("ll", 0, 20_000)


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_whose_spawner_does_not_answer_is_started_in_a_new_box(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        monkeypatch.setattr(box_module, "_TIMEOUT", SOON)
        monkeypatch.setattr(box_module, "_TRIES", 200)
        first = sandbox.box()
        monkeypatch.setattr(box_module, "_TRIES", 1)
        os.kill(first.pid, signal.SIGSTOP)
        monkeypatch.setattr(Box, "begin", partialmethod(patient_begin, Box.begin, monkeypatch))
        process, _ = spawn(Launch([*PYTHON, "-c", "print(1)"], sandbox.folder, {}), limits(), sandbox)
        wait_for(process.stdout)
        assert os.read(process.stdout, 10) == b"1\n"
        assert sandbox.box() is not first
        process.kill()


def patient_begin(box: Box, begin: Callable[[Box], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin a new box, which may take as long as it needs."""
    monkeypatch.setattr(box_module, "_TRIES", 1000)
    begin(box)


@pytest.mark.parametrize("level", CONTAINED)
def test_a_spawner_that_lives_is_waited_for(level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        first = sandbox.box()
        first._control.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, SOON)
        monkeypatch.setattr(box_module, "_TRIES", 1000)
        os.kill(first.pid, signal.SIGSTOP)
        looked = itertools.count()

        def wake(box: Box) -> None:
            if next(looked) == 2:
                os.kill(box.pid, signal.SIGCONT)

        monkeypatch.setattr(Box, "_wake", wake)
        first.end()
        assert sandbox.box() is first


@pytest.mark.parametrize("level", LOOSE)
def test_a_spawner_that_is_stopped_again_and_again_is_killed_soon(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        first = sandbox.box()
        os.kill(first.pid, signal.SIGSTOP)
        monkeypatch.setattr(Box, "_wake", lambda _: None)  # an agent stops it as soon as it is continued
        with pytest.raises(BoxFailed, match="was stopped again and again"):
            first.end()
        monkeypatch.setattr(first_process, "_EXIT_MS", 1 << 40)  # it is not waited for
        assert sandbox.end().exit_code == -signal.SIGKILL
        assert not tree.threads(first.pid)
        assert sandbox.box() is not first


# -- cgroups


def test_processes_killed_at_the_memory_limit_are_reported(tmp_path: Path) -> None:
    with sandbox_of("cgroup", program(tmp_path / "bot"), memory="64MB") as sandbox:
        said(sandbox, "print(1)")
        assert not sandbox.memory_ran_out()
        hog = "import os\nfor _ in range(4):\n    os.fork()\nx = b'x' * (40 << 20)\nimport time\ntime.sleep(60)"
        with python(sandbox, hog):
            until(sandbox.memory_ran_out, "the end of its memory")
            assert not sandbox.memory_ran_out() or sandbox.end()
            sandbox.end()


def test_memory_that_belongs_to_no_process_does_not_end_the_box(tmp_path: Path) -> None:
    hog = "import os\nfd = os.memfd_create('x')\nwhile True: os.write(fd, bytes(1 << 20))"
    with sandbox_of("cgroup", program(tmp_path / "bot"), memory="64MB", disk="1GB") as sandbox:
        first = sandbox.box()
        process, _ = spawn(Launch([*PYTHON, "-c", hog], sandbox.folder, {}), limits(), sandbox)
        wait_for(process.pidfd)
        process.kill()
        assert process.exit_code == -signal.SIGKILL
        assert sandbox.memory_ran_out()
        assert sandbox.box() is first


def test_cgroups_left_behind_by_a_killed_arbiter_are_harmless(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = program(tmp_path / "bot")
    need("cgroup")
    monkeypatch.setattr(sandbox_module, "_numbers", itertools.count(900_001))
    left = [base / f"arbiter-{os.getpid()}-900001" for base in own_places().values()]
    for path in left:
        path.mkdir()
    try:
        with sandbox_of("cgroup", bot) as sandbox:
            assert said(sandbox, "print(1)") == "1"
    finally:
        for path in left:
            path.rmdir()


# -- users


@pytest.mark.parametrize("level", CONTAINED)
def test_a_strict_umask_of_the_arbiter_does_not_affect_the_agent(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = os.umask(0o077)
    try:
        with sandbox_of(level, bot) as sandbox:
            assert said(sandbox, "print(open('bot.py').read(), 'ran')") == "ran"
    finally:
        os.umask(before)


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_reads_its_own_files_even_if_other_users_may_not(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bot", source="print('mine')")
    (tmp_path / "bot" / "bot.py").chmod(0o600)
    (tmp_path / "bot").chmod(0o700)
    with sandbox_of(level, bot) as sandbox:
        assert said(sandbox, "print(open('bot.py').read())") == "print('mine')"


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_has_no_privileges(level: Level, tmp_path: Path) -> None:
    source = """
import os
status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
print({status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}, status["NoNewPrivs"], os.getuid() != 0, os.environ.get("HOME"), os.getcwd())
"""
    with sandbox_of(level, program(tmp_path / "bot")) as sandbox:
        rights, new, unprivileged, *_ = said(sandbox, source).rsplit(" ", 4)
        assert (rights, new, unprivileged) == ("{'0000000000000000'}", "1", "True")
        assert sandbox.folder == HOME


# -- Landlock alone


def test_landlock_keeps_agents_from_changing_modes_of_other_files(tmp_path: Path) -> None:
    other = program(tmp_path / "other")
    with sandbox_of("landlock", program(tmp_path / "bot"), [other]) as sandbox:
        said(sandbox, f"import os\nos.chmod('{other.folder}/bot.py', 0)")
    assert (other.folder / "bot.py").stat().st_mode & 0o777 != 0


def test_landlock_does_not_follow_links_out_of_an_agents_folder(tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("key", encoding="utf-8")
    (bot.folder / "games").mkdir()
    (bot.folder / "data").symlink_to(tmp_path / "secret")
    with sandbox_of("landlock", bot, [], [bot.folder / "games"]) as sandbox:
        assert "PermissionError" in said(sandbox, f"print(open('{tmp_path}/secret/key').read())")


# -- when the arbiter is killed


@contextlib.contextmanager
def killed(level: Level, folder: Path, *more: str) -> Iterator[list[int]]:
    """Yield pidfds of all descendants of an arbiter that was just killed."""
    need(level)
    words = [sys.executable, "-m", "tests.agents.sandbox.doomed", level, str(folder), *more]
    pidfds: list[int] = []
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as arbiter:
        try:
            if arbiter.stdout is None:
                raise AssertionError("it was given a pipe")
            wait_for(arbiter.stdout.fileno())
            pidfds += [os.pidfd_open(int(word)) for word in arbiter.stdout.readline().split()]
            arbiter.kill()
            yield pidfds
        finally:
            arbiter.kill()
            groups = list(own_places().values()) if level == "cgroup" else []
            left = [path for base in groups for path in base.glob(f"arbiter-{arbiter.pid}-*")]
            for path in left:
                if (path / "freezer.state").exists():
                    (path / "freezer.state").write_text("THAWED", encoding="ascii")
            for pidfd in pidfds:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
                wait_for(pidfd)
                os.close(pidfd)
            for path in left:
                until(lambda path=path: removed(path), "the removal")  # type: ignore[misc]


def removed(group: Path) -> bool:
    try:
        group.rmdir()
    except OSError:
        return False
    return True


@pytest.mark.parametrize("level", [*LOOSE, "namespace", "cgroup"])  # fmt: skip
def test_when_the_arbiter_is_killed_frozen_agents_end_too(level: Level, tmp_path: Path) -> None:
    if level == "cgroup" and os.getuid() == 0 and "unified" in own_places():
        missing("cgroups of version 1")
    with killed(level, tmp_path, "frozen") as pidfds:
        assert all(is_ready(pidfd, DOUBTFUL_MS) for pidfd in pidfds)
