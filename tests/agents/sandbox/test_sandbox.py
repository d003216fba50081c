"""Where an agent lives, from before its box is made until nothing of it is left."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.agents.launch import tree
from arbiter.agents.launch.process import Launch
from arbiter.agents.launch.spawn import spawn
from arbiter.agents.sandbox import sandbox as home_module
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.cgroups import own_places
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import HOME
from tests.agents.sandbox.running import (
    BOXED,
    CONTAINED,
    PYTHON,
    home_of,
    is_ready,
    limits,
    need,
    program,
    python,
    running,
    said,
    until,
    wait_for,
)
from tests.tools import ROOT, missing

LOOSE: tuple[Level, ...] = ("rlimits", "landlock")
DOUBTFUL_MS = 1000
"""How long to wait for what is known not to happen yet."""


@pytest.fixture(params=BOXED)
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    return chosen


def kill_spawner(home: Sandbox) -> None:
    """By its pidfd, never by a number: that of a box which is not there is -1, which means everybody."""
    pidfd = home.box()._spawner_pidfd
    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    wait_for(pidfd)


# -- nothing stays behind


def traces(folder: Path) -> dict[str, object]:
    """All that a home could leave."""
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


def test_a_home_leaves_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    with home_of(level, bot) as home:
        for _ in range(2):
            with python(home, "import os\nos.fork()\nos.mkdir('x')\nprint(flush=True)\ninput()") as started:
                started.line()
                home.end()
            home.fresh()
        kill_spawner(home)
        home.end()
        assert said(home, "print(1)") == "1"
    assert traces(temporary) == before


def test_a_home_that_was_never_used_leaves_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    with home_of(level, bot):
        pass
    with home_of(level, bot) as home:
        home.prepare()
    assert traces(temporary) == before


@pytest.mark.parametrize("level", CONTAINED)
def test_a_box_that_cannot_be_made_says_why_and_leaves_nothing_behind(
    level: Level, tmp_path: Path, temporary: Path
) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = traces(temporary)
    view = home_module.visible_files(bot, [], [], [str(tmp_path / "no such")])
    with Sandbox(level, view, limits()) as home:
        for _ in range(2):
            with pytest.raises(BoxFailed, match="no such: No such file or directory"):
                home.box()
    assert traces(temporary) == before


def test_programs_that_cannot_be_started_leave_nothing_behind(level: Level, tmp_path: Path, temporary: Path) -> None:
    with home_of(level, program(tmp_path / "bot")) as home:
        home.box()
        before = traces(temporary)
        for _ in range(3):
            with pytest.raises(OSError):
                spawn(Launch(["/no/such"], home.folder, {}, "mark"), limits(), home)
        assert traces(temporary) == before


# -- its folders


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
    with home_of(level, bot) as home:
        first = said(home, look)
        assert said(home, litter) == ""
        assert "file" in said(home, look.partition(", open")[0] + ")")
        home.fresh()
        assert said(home, look) == first
        assert "book.txt" in first
        assert first.endswith("opening")


def test_what_is_written_stays_until_then(level: Level, tmp_path: Path) -> None:
    with home_of(level, program(tmp_path / "bot")) as home:
        said(home, "open('memory', 'w').write('kept')")
        assert said(home, "print(open('memory').read())") == "kept"


@pytest.mark.parametrize("level", CONTAINED)
def test_all_writable_places_share_one_quota(level: Level, tmp_path: Path) -> None:
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
    with home_of(level, program(tmp_path / "bot"), disk="1MB") as home:
        assert 512 <= int(said(home, source)) <= 1024


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_from_a_folder_for_temporary_files_runs_after_a_fresh_start_too(level: Level) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, home_of(level, program(Path(folder, "bot"))) as home:
        for _ in range(2):
            with running(home, *PYTHON, "-c", f"print(__import__('os').listdir('{folder}/bot'))") as started:
                assert started.everything() == "['bot.py']"
            home.end()
            home.fresh()


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_in_a_folder_for_temporary_files_cannot_put_another_in_its_place(level: Level) -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as folder, home_of(level, program(Path(folder, "bot"))) as home:
        swap = f"import os\nos.rename('{folder}', '/tmp/away')\nos.makedirs('{folder}/bot')\nopen('{folder}/bot/bot.py', 'w').write('swapped')"
        said(home, swap)
        assert said(home, f"print(open('{folder}/bot/bot.py').read())") == ""


# -- boxes that break


def test_a_box_whose_spawner_was_killed_is_replaced(level: Level, tmp_path: Path) -> None:
    with home_of(level, program(tmp_path / "bot")) as home:
        first = home.box()
        kill_spawner(home)
        home.end()
        assert said(home, "print('again')") == "again"
        assert home.box() is not first


@pytest.mark.parametrize("level", CONTAINED)
def test_with_its_keeper_everything_in_a_box_ends(level: Level, tmp_path: Path) -> None:
    with home_of(level, program(tmp_path / "bot")) as home, python(home, "print(flush=True)\ninput()") as started:
        started.line()
        home.box()._keeper.kill()
        wait_for(started.pidfd)
        assert home.end().exit_code == -signal.SIGKILL


def test_an_agent_whose_box_broke_has_not_ended_well(level: Level, tmp_path: Path) -> None:
    with home_of(level, program(tmp_path / "bot")) as home, python(home, "input()"):
        box = home.box()
        kill_spawner(home)
        with contextlib.suppress(BoxFailed):
            box.stop()
        assert home.end().exit_code == -signal.SIGKILL


@pytest.mark.parametrize("level", LOOSE)
def test_an_agent_that_kills_its_spawner_is_ended_all_the_same(level: Level, tmp_path: Path) -> None:
    source = "import os, signal\nos.kill(os.getppid(), 9)\nprint('done', flush=True)\nwhile True: signal.pause()"
    with home_of(level, program(tmp_path / "bot")) as home:
        process, _ = spawn(Launch([*PYTHON, "-c", source], home.folder, {}, "mark"), limits(), home)
        wait_for(process.stdout)
        pidfd = os.dup(process.pidfd)
        try:
            process.kill(frozenset())
            assert is_ready(pidfd, DOUBTFUL_MS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)


def test_frozen_means_frozen(level: Level, tmp_path: Path) -> None:
    spin = "print(flush=True)\nwhile True: pass"
    with home_of(level, program(tmp_path / "bot")) as home, python(home, spin) as started:
        started.line()
        home.freeze()
        until(lambda: started.state() in "TD")
        frozen = started.cpu_ns()
        subprocess.run([sys.executable, "-S", "-I", "-c", "sum(range(300_000))"], check=True)
        assert started.cpu_ns() == frozen
        home.thaw()
        until(lambda: started.cpu_ns() > frozen)
        home.end()


# -- the control groups of a home


def test_processes_that_the_kernel_ended_for_want_of_memory_are_noticed(tmp_path: Path) -> None:
    with home_of("cgroup", program(tmp_path / "bot"), memory="64MB") as home:
        said(home, "print(1)")
        assert not home.memory_ran_out()
        hog = "import os\nfor _ in range(4):\n    os.fork()\nx = b'x' * (40 << 20)\nimport time\ntime.sleep(60)"
        with python(home, hog):
            until(home.memory_ran_out)
            assert not home.memory_ran_out() or home.end()
            home.end()


def test_memory_that_is_no_processs_own_does_not_end_the_box(tmp_path: Path) -> None:
    hog = "import os\nfd = os.memfd_create('x')\nwhile True: os.write(fd, bytes(1 << 20))"
    with home_of("cgroup", program(tmp_path / "bot"), memory="64MB", disk="1GB") as home:
        first = home.box()
        process, _ = spawn(Launch([*PYTHON, "-c", hog], home.folder, {}, "mark"), limits(), home)
        wait_for(process.pidfd)
        process.kill(frozenset())
        assert process.exit_code == -signal.SIGKILL
        assert home.memory_ran_out()
        assert home.box() is first


def test_the_peak_of_one_program_is_not_the_next_ones(tmp_path: Path) -> None:
    with home_of("cgroup", program(tmp_path / "bot")) as home:
        for source, most in (("x = b'x' * (50 << 20)", 80), ("pass", 30)):
            process, _ = spawn(Launch([*PYTHON, "-c", source], home.folder, {}, "mark"), limits(), home)
            wait_for(process.pidfd)
            process.kill(frozenset())
            assert process.peak_bytes < most << 20


def test_groups_that_somebody_left_behind_are_in_nobodys_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = program(tmp_path / "bot")
    need("cgroup")
    monkeypatch.setattr(home_module, "_numbers", itertools.count(900_001))
    left = [base / f"arbiter-{os.getpid()}-900001" for base in own_places().values()]
    for path in left:
        path.mkdir()
    try:
        with home_of("cgroup", bot) as home:
            assert said(home, "print(1)") == "1"
    finally:
        for path in left:
            path.rmdir()


# -- whoever runs it


@pytest.mark.parametrize("level", CONTAINED)
def test_a_strict_umask_closes_nothing_to_the_agent(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    need(level)
    before = os.umask(0o077)
    try:
        with home_of(level, bot) as home:
            assert said(home, "print(open('bot.py').read(), 'ran')") == "ran"
    finally:
        os.umask(before)


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_reads_its_own_files_though_they_are_closed_to_others(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bot", source="print('mine')")
    (tmp_path / "bot" / "bot.py").chmod(0o600)
    (tmp_path / "bot").chmod(0o700)
    with home_of(level, bot) as home:
        assert said(home, "print(open('bot.py').read())") == "print('mine')"


@pytest.mark.parametrize("level", CONTAINED)
def test_an_agent_is_nobody_and_has_no_rights(level: Level, tmp_path: Path) -> None:
    source = """
import os
status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines() if ":\\t" in line)
print({status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}, status["NoNewPrivs"], os.getuid() != 0, os.environ.get("HOME"), os.getcwd())
"""
    with home_of(level, program(tmp_path / "bot")) as home:
        rights, new, unprivileged, *_ = said(home, source).rsplit(" ", 4)
        assert (rights, new, unprivileged) == ("{'0000000000000000'}", "1", "True")
        assert home.folder == HOME


# -- Landlock alone


def test_landlock_keeps_the_modes_of_other_peoples_files(tmp_path: Path) -> None:
    other = program(tmp_path / "other")
    with home_of("landlock", program(tmp_path / "bot"), [other]) as home:
        said(home, f"import os\nos.chmod('{other.folder}/bot.py', 0)")
    assert (other.folder / "bot.py").stat().st_mode & 0o777 != 0


def test_landlock_does_not_follow_links_out_of_an_agents_folder(tmp_path: Path) -> None:
    bot = program(tmp_path / "bot")
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("key", encoding="utf-8")
    (bot.folder / "games").mkdir()
    (bot.folder / "data").symlink_to(tmp_path / "secret")
    with home_of("landlock", bot, [], [bot.folder / "games"]) as home:
        assert "PermissionError" in said(home, f"print(open('{tmp_path}/secret/key').read())")


# -- when the arbiter is killed


@contextlib.contextmanager
def killed(level: Level, folder: Path, *more: str) -> Iterator[list[int]]:
    """Pidfds of everything below an arbiter that was killed just now."""
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
                until(lambda path=path: removed(path))  # type: ignore[misc]


def removed(group: Path) -> bool:
    try:
        group.rmdir()
    except OSError:
        return False
    return True


def test_when_the_arbiter_is_killed_everything_ends(level: Level, tmp_path: Path) -> None:
    with killed(level, tmp_path) as pidfds:
        assert len(pidfds) >= 3  # the box, the agent, its child
        for pidfd in pidfds:
            wait_for(pidfd)


@pytest.mark.parametrize("level", [*LOOSE, "namespace", "cgroup"])  # fmt: skip
def test_when_the_arbiter_is_killed_those_who_stand_still_end_too(level: Level, tmp_path: Path) -> None:
    if level == "cgroup" and os.getuid() == 0 and "unified" in own_places():
        missing("control groups of version 1")
    with killed(level, tmp_path, "frozen") as pidfds:
        assert all(is_ready(pidfd, DOUBTFUL_MS) for pidfd in pidfds)
