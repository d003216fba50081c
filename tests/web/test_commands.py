"""``arbiter view`` and ``arbiter export`` as typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter.errors import install_command
from tests.nullgame.command import arbiter as run_arbiter
from tests.records import games

pytestmark = pytest.mark.slow


def arbiter(*words: object, cwd: Path, hidden: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command; modules named in ``hidden`` cannot be imported."""
    if not hidden:
        typed = list(map(str, words))
        ran = run_arbiter(*typed, folder=cwd)
        return subprocess.CompletedProcess(typed, ran.code, ran.out, ran.err)
    start = (
        f"import sys\nfor name in {hidden.split()!r}: sys.modules[name] = None\nfrom arbiter.start import main\nmain()"
    )
    python = [sys.executable, "-c", start, *map(str, words)]
    return subprocess.run(python, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.fixture
def game(place: Path) -> Path:
    return games.counting(place / "counted.jsonl").path


def test_a_game_is_exported_in_several_formats_at_once(place: Path, game: Path) -> None:
    done = arbiter("export", game, "game.html", "game.json", "game.csv", cwd=place)
    assert done.returncode == 0, done.stderr
    assert (place / "game.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    document = json.loads((place / "game.json").read_text(encoding="utf-8"))
    assert (len(document["views"]), len(document["answers"])) == (9, 8)
    assert len((place / "game.csv").read_text(encoding="utf-8").splitlines()) == 9
    assert [line.split()[:2] for line in done.stderr.splitlines()] == [
        ["written", "game.html"],
        ["written", "game.json"],
        ["written", "game.csv"],
    ]


def test_an_export_to_standard_output_is_nothing_but_the_export(place: Path, game: Path) -> None:
    done = arbiter("export", game, "-", "--format", "csv", cwd=place)
    assert done.stdout.startswith("turn,seat,agent,move")
    assert done.stderr == ""
    done = arbiter("export", game, "-", "--format", "json", cwd=place)
    document = json.loads(done.stdout)
    assert (len(document["views"]), len(document["answers"]), done.stderr) == (9, 8, "")


def test_a_game_is_exported_in_the_format_of_the_contest_itself(place: Path) -> None:
    done = arbiter("export", "matches/samples/splendor.jsonl", "-", "--format", "original", cwd=place)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout) > 1000


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "Missing argument 'FILE...'"),
        (["x.html", "--turn", "3"], "--turn is for SVG"),
        (["x.pdf"], "'x.pdf': unknown format; end its name in .html, "),
        (["-", "--format", "original"], "count_up: there is no other format of saved games for this protocol"),
        (["no/such/folder.html"], "cannot write no/such/folder.html: No such file or directory"),
    ],
)
def test_a_mistake_is_one_line(place: Path, game: Path, words: list[str], reason: str) -> None:
    done = arbiter("export", game, *words, cwd=place)
    assert done.returncode == 2
    assert reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "hidden", "package"),
    [
        (["view", "counted.jsonl"], "uvicorn", "uvicorn"),
        (["arena", "--port", "0"], "httptools", "httptools"),
        (["arena", "--port", "0"], "wsproto", "wsproto"),
        (["games"], "click", "click"),
        (["run", "cup.yaml"], "yaml", "pyyaml"),
    ],
)
def test_a_damaged_installation_is_one_line_that_says_what_to_install(
    place: Path, game: Path, words: list[str], hidden: str, package: str
) -> None:
    (place / "cup.yaml").write_text("protocol: count_up\nagents: [a, b]\n")
    done = arbiter(*words, cwd=place, hidden=hidden)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"arbiter: arbiter needs {package}: {install_command(package)}\n"


def test_exports_need_no_server(place: Path, game: Path) -> None:
    assert arbiter("export", game, "game.html", cwd=place, hidden="starlette uvicorn").returncode == 0


@pytest.mark.parametrize("words", [["nothing.jsonl"], ["--port", "70000"], ["binary.jsonl"]])
def test_view_explains_a_mistake_in_one_line(place: Path, words: list[str]) -> None:
    (place / "binary.jsonl").write_bytes(b"\0\xff\n")
    done = arbiter("view", *words, cwd=place)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert words[-1] in done.stderr


def test_view_prints_its_address_and_ends_with_ctrl_c(place: Path, game: Path) -> None:
    environment = {**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": "", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-m", "arbiter", "view", str(game), "--no-open"]
    view = subprocess.Popen(
        command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert view.stdout is not None
    assert re.match(r"viewing  http://127\.0\.0\.1:\d+/ ", view.stdout.readline())
    view.send_signal(signal.SIGINT)
    _, said = view.communicate(timeout=600)
    assert (view.returncode, said) == (0, "")


def test_view_of_a_folder_without_games_says_so(place: Path) -> None:
    (place / "empty").mkdir()
    command = [sys.executable, "-m", "arbiter", "view", "empty", "--no-open"]
    view = subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert view.stdout is not None
    assert view.stdout.readline().startswith("viewing  ")
    view.send_signal(signal.SIGINT)
    _, said = view.communicate(timeout=600)
    assert said == "no saved games in empty yet; the page lists those that are saved there\n"
