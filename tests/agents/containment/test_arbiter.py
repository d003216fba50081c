"""What the table promises about the arbiter itself: its rulings, what it refuses before the match, and its own death."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arbiter import UserError, play
from arbiter.agents.launch import tree
from arbiter.config.workspace import Workspace
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from tests.agents.ask.harness import PATIENCE_MS, wait_readable
from tests.nullgame import count_up
from tests.nullgame.place import adder, arbiter_toml, write
from tests.tools import missing

from .conftest import Asked
from .rows import SPREAD, USERS
from .seating import SOURCES
from .users import User

pytestmark = pytest.mark.slow

AGENTS = SOURCES["agents"]
LIMIT_MS = 40
MOST_GAMES = 100


def test_an_answer_at_the_deadline_is_judged_by_its_arrival_time(place: Path) -> None:
    """Both rulings are seen sooner or later: a busy machine delays some answers and not others."""
    agent = (AGENTS / "15_at_the_deadline.py").as_posix()
    entry = f'[agents.guest]\nagent = "{agent}"\nenvironment = {{ LIMIT_MS = "{LIMIT_MS}" }}\n'
    arbiter_toml(place, entry)
    limits = {"move": f"{LIMIT_MS}ms", "first_move": "30s"}
    kinds: set[str] = set()
    for _ in range(MOST_GAMES):
        report = play("count_up", ["guest"], lifetime="game", clock="wall", limits=limits, options={"turns": 12})
        record = load_record(Path(report.games[0].record))
        for line in (line for line in record.answers if not line.started):
            kinds.add(line.fault.kind if line.fault else "played")
            if line.fault is None:
                assert line.wall_us <= LIMIT_MS * 1000
            elif line.fault.kind == "late":
                assert line.wall_us >= LIMIT_MS * 1000
        assert list(differences(record, count_up.protocol)) == []
        if {"played", "late"} <= kinds:
            break
    assert kinds in ({"played", "late"}, {"played", "late", "spent"})


# -- what cannot run is refused before the match ---------------------------------------------------------------------


def _not_executable(path: Path) -> None:
    path.chmod(0o644)


def _missing_interpreter(path: Path) -> None:
    path.write_text("#!/no/such/interpreter\n")


def _wrong_processor(path: Path) -> None:
    path.write_bytes(b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x02\0" + (0x7FFF).to_bytes(2, "little") + b"\0" * 44)


@pytest.mark.parametrize("spoil", [_not_executable, _missing_interpreter, _wrong_processor])
def test_a_program_that_cannot_run_is_refused_before_the_match(place: Path, spoil: Callable[[Path], None]) -> None:
    program = write(place / "bot", "#!/bin/sh\n", executable=True)
    spoil(program)
    with pytest.raises(UserError) as refused:
        play("count_up", [str(program), adder(place, "one", 1)], save=place / "games")
    assert str(program) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (place / "games").exists()


def test_a_program_that_is_being_written_does_not_lose_on_time(place: Path) -> None:
    program = place / "bot"
    program.write_bytes(Path("/bin/sleep").read_bytes())
    program.chmod(0o755)
    with program.open("ab"):
        try:
            report = play("count_up", [str(program)], options={"turns": 1}, save=place / "games")
        except UserError as refused:
            complaint = str(refused)
        else:
            (fault,) = report.games[0].faults
            complaint = f"{fault.kind}: {fault.detail}"
    assert complaint.endswith("Text file busy")
    assert "late" not in complaint


# -- the end of the arbiter ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "user"), SPREAD[1:])
def test_every_agent_dies_with_the_arbiter(
    level: str, user: str, players: Asked, record_property: Callable[[str, object], None]
) -> None:
    with playing(players(user).user, level) as (arbiter, games):
        agents = [(pid, os.pidfd_open(pid)) for pid in tree.descendants(arbiter.pid)]
        killed = time.monotonic()
        arbiter.kill()
        left = gone(dict(agents))
        record_property("gone_after_ms", round((time.monotonic() - killed) * 1000))
        assert len(agents) >= 3
        assert left == []
        (path,) = games.iterdir()
        record = load_record(path)
        assert record.result is None
        assert len(record.answers) <= 1
        assert list(differences(record, count_up.protocol)) == []


@contextlib.contextmanager
def playing(user: User, level: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """An arbiter in the middle of a game, whose one agent means to outlive it; and where it saves its games."""
    folder = user.folder / f"killed-{level}"
    folder.mkdir()
    arbiter_toml(folder, root=user.tree)
    agent = write(folder / "agent" / "guest.py", (AGENTS / "49_outlives.py").read_text(encoding="utf-8"))
    user.own(folder)
    words: list[str | Path] = [
        "-m",
        "arbiter",
        "play",
        "count_up",
        agent,
        "--sandbox",
        f"only:{level}",
        "--verbose",
        "--move",
        "600s",
    ]
    words += ["--lifetime", "game", "--save", folder / "games"]
    errors = folder / "errors"
    with errors.open("wb") as said:
        arbiter = subprocess.Popen(
            user.python(*words), cwd=folder, env=user.environment, stdout=subprocess.PIPE, stderr=said
        )
    try:
        if arbiter.stdout is None:
            raise AssertionError("it was given a pipe")
        wait_readable(arbiter.stdout.fileno(), "the first move")
        while (line := arbiter.stdout.readline()) and b"adds" not in line:
            pass
        if not line:
            missing(f"sandbox level {level}: {user.name}: {errors.read_text(encoding='utf-8')}")
        yield arbiter, folder / "games"
    finally:
        arbiter.kill()
        arbiter.communicate()
        remove_groups_of(arbiter.pid)


def gone(agents: dict[int, int]) -> list[str]:
    """Wait until all of them have ended; kill and return those that do not."""
    poll = select.poll()
    for pidfd in agents.values():
        poll.register(pidfd, select.POLLIN)
    until = time.monotonic() + PATIENCE_MS / 1000
    waiting = {pidfd: pid for pid, pidfd in agents.items()}
    while waiting and (left := until - time.monotonic()) > 0:
        for pidfd, _ in poll.poll(left * 1000):
            poll.unregister(pidfd)
            del waiting[pidfd]
    for pidfd in waiting:
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    for pidfd in agents.values():
        os.close(pidfd)
    return [f"process {pid}" for pid in waiting.values()]


def remove_groups_of(pid: int) -> None:
    """Remove the cgroups that a killed arbiter left behind, which are empty."""
    for folder, inside, _ in os.walk("/sys/fs/cgroup"):  # others come and go meanwhile
        for name in inside:
            if name.startswith(f"arbiter-{pid}-"):
                Path(folder, name).rmdir()


# -- a full disk -----------------------------------------------------------------------------------------------------

_FULL = """
mount -t tmpfs -o size=24k none games && cp old games/old && "$@"
echo "code $?"
cmp old games/old && echo intact
cp games/*.jsonl rescued
"""


@pytest.mark.parametrize("user", USERS)
def test_a_full_disk_is_one_clear_line_and_older_games_are_safe(user: str, players: Asked) -> None:
    who = players(user).user
    folder = who.folder / "full"
    (folder / "games").mkdir(parents=True)
    write(folder / "old", "an older game\n" * 500)
    arbiter_toml(folder, root=who.tree)
    agent = write(folder / "agent" / "talks.sh", "while read -r line; do echo 1 and a few words more; done\n")
    who.own(folder)
    alone = ["unshare", "--mount"] if user == "root" else ["unshare", "--user", "--map-root-user", "--mount"]
    arbiter = [who.interpreter, "-m", "arbiter", "play", "count_up", str(agent), "--option", "turns=1000", "--quiet"]
    words = who.command(*alone, "sh", "-c", _FULL, "sh", *arbiter, "--save", "games")
    ran = subprocess.run(words, cwd=folder, env=who.environment, capture_output=True, text=True, check=False)
    complaints = [line for line in ran.stderr.splitlines() if line.startswith("arbiter:")]
    assert (ran.stdout.splitlines(), len(complaints)) == (["code 2", "intact"], 1), ran.stderr
    assert complaints[0].endswith(".jsonl: No space left on device")
    assert "Traceback" not in ran.stderr
    (folder / "rescued").rename(folder / "rescued.jsonl")
    assert len(load_record(folder / "rescued.jsonl").answers) > 10


# -- levels that are not available -----------------------------------------------------------------------------------


def test_an_ordinary_user_gets_cgroups_or_one_line_that_says_why_not(players: Asked) -> None:
    who = players("ordinary").user
    folder = who.folder / "asks"
    folder.mkdir()
    arbiter_toml(folder, root=who.tree)
    agent = adder(folder, "one", 1)
    who.own(folder)
    words = who.python("-m", "arbiter", "play", "count_up", agent, "--sandbox", "cgroup", "--save", "games", "--quiet")
    ran = subprocess.run(words, cwd=folder, env=who.environment, capture_output=True, text=True, check=False)
    if ran.returncode == 0:
        (path,) = (folder / "games").iterdir()
        assert load_record(path).header.sandbox == "cgroup"
    else:
        assert ran.returncode == 2
        assert ran.stderr.count("\n") == 1
        assert "sandbox level 'cgroup' is not available on this machine" in ran.stderr
        assert not (folder / "games").exists()


def test_games_are_not_saved_where_an_agent_would_see_them(tmp_path: Path) -> None:
    arbiter_toml(tmp_path)
    agent = adder(tmp_path / "bots", "one", 1)
    with pytest.raises(
        UserError,
        match=r"games cannot be saved in '.*bots': one could read them there; choose another folder with --save",
    ):
        play("count_up", [agent], sandbox="rlimits", save=tmp_path / "bots", workspace=Workspace(tmp_path))
