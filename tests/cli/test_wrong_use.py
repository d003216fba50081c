"""Usage errors: exit status 2 and one line on standard error. Also help, version and shell completion."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from arbiter.cli import COMMANDS
from tests.nullgame.command import arbiter
from tests.nullgame.place import bidder, write
from tests.tools import ROOT

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--colour"], "No such option"),
        (["verify"], "Missing argument 'GAMES...'.  (try 'arbiter verify --help')"),
        (["doctor", "now"], "Got unexpected extra argument (now)  (try 'arbiter doctor --help')"),
    ],
)
def test_it_is_one_line_that_says_where_help_is(place: Path, words: list[str], message: str) -> None:
    ran = arbiter(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arbiter: {message}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["protocols", "doctor", "play a b"])
def test_a_bad_arbiter_toml_is_one_line_whatever_the_command(tmp_path: Path, command: str) -> None:
    write(tmp_path / "arbiter.toml", "game = 5\n")
    ran = arbiter(*command.split(), folder=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"arbiter: {tmp_path}/arbiter.toml, line 1: unknown key 'game'; did you mean 'games'?\n"


def test_a_current_folder_that_is_gone_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        f"import os, sys; os.rmdir({str(gone)!r}); sys.argv[1:] = ['protocols']; from arbiter.cli import main; main()"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=gone, capture_output=True, text=True, check=False, env=environment
    )
    assert (ran.returncode, ran.stderr) == (2, "arbiter: the current folder no longer exists: change to another one\n")


def test_no_command_prints_help_and_exits_with_status_2() -> None:
    ran = arbiter()
    assert ran.code == 2
    assert "Usage: arbiter [OPTIONS] COMMAND" in ran.out


def test_every_command_has_help_of_its_own() -> None:
    """In processes: click remembers the flags of a command's help from its first use, which a test may have made alone."""
    for name in COMMANDS:
        shown = arbiter(name, "-h")
        assert shown.code == 0, (name, shown.err)
        assert shown.out.startswith(f"Usage: arbiter {name} ")


def test_help_imports_no_slow_library() -> None:
    code = (
        "import atexit, sys; sys.argv[1:] = ['--help']\n"
        "slow = {'msgspec', 'sqlite3', 'rich', 'psutil', 'yaml'}\n"
        "atexit.register(lambda: print(sorted(slow & set(sys.modules))))\n"
        "from arbiter.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("\n[]\n")


def test_the_version_is_that_of_the_package() -> None:
    assert arbiter("--version").out == f"arbiter, version {version('arbiter-games')}\n"


def test_a_bug_is_a_traceback_and_exit_status_70() -> None:
    code = (
        "import sys; sys.argv[1:] = ['protocols']\n"
        "import arbiter.cli.protocols as protocols\n"
        "def fail(*_, **__): raise RuntimeError('surprise')\n"
        "protocols.command.callback = fail\n"
        "from arbiter.cli import main\n"
        "main()\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 70
    assert "RuntimeError: surprise" in ran.stderr
    assert ran.stderr.splitlines()[-1].startswith("arbiter: this is a bug in arbiter ")


def test_a_failing_third_party_protocol_is_not_a_bug_of_arbiter(tmp_path: Path) -> None:
    write(tmp_path / "odd" / "__init__.py", "raise RuntimeError('surprise')\n")
    write(tmp_path / "arbiter.toml", '[protocols.odd]\nfolder = "odd"\n')
    ran = arbiter("protocols", "odd", folder=tmp_path)
    place = f"{tmp_path / 'odd' / '__init__.py'}, line 1"
    assert (ran.code, ran.err) == (2, f"arbiter: protocol 'odd' failed: {place}: RuntimeError: surprise\n")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8:strict"])
def test_characters_outside_the_terminal_encoding_are_escaped(place: Path, encoding: str) -> None:
    agent = write(place / os.fsdecode(b"b\xf6t.sh"), "echo 1\n")
    environment = {"PYTHONIOENCODING": encoding}
    ran = arbiter("play", "count_up", str(agent), "--explain", environment=environment)
    assert (ran.code, ran.err) == (0, "")
    assert arbiter("play", "count_up", str(agent), environment=environment).code == 0


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o nosort -F"), ("zsh", "#compdef arbiter"), ("fish", "complete --no-files")]
)
def test_the_completion_script_of_a_shell(shell: str, sign: str) -> None:
    ran = arbiter("--completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert sign in ran.out
    assert "_ARBITER_COMPLETE" in ran.out


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command line in which ``arbiter`` is the one under test."""
    line = command.replace("arbiter", f"{shlex.quote(sys.executable)} -m arbiter", 1)
    return subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", ["protocols --json", "--help", "--version", "play --help"])
def test_output_to_a_full_device_is_one_line(place: Path, words: str) -> None:
    ran = shell(f"arbiter {words} > /dev/full")
    assert (ran.returncode, ran.stderr) == (2, "arbiter: cannot write output: No space left on device\n")


def test_help_that_nobody_can_read_is_no_traceback() -> None:
    ran = shell("arbiter > /dev/full")
    assert (ran.returncode, ran.stderr) == (2, "")


def test_an_error_that_nobody_can_read_still_has_its_exit_status() -> None:
    assert shell("arbiter nonsense 2> /dev/full").returncode == 2
    assert shell("arbiter --version > /dev/full 2> /dev/full").returncode == 2


def test_a_game_is_played_with_all_streams_closed(place: Path) -> None:
    bots = shlex.join([bidder(place, "five", 5), bidder(place, "six", 6)])
    assert shell(f"arbiter play auction {bots} --games 2 <&- >&- 2>&-").returncode == 0
    assert len(list((place / "matches" / "games").iterdir())) == 2


def test_a_human_without_standard_input_is_one_line(place: Path) -> None:
    ran = shell(f"arbiter play auction human {shlex.quote(bidder(place, 'five', 5))} --quiet <&-")
    assert ran.returncode == 2
    assert ran.stderr.startswith("arbiter: 'human' needs a standard input")
