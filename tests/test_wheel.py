"""The wheel: installed somewhere else, it brings its games, its sample agents and a saved game along."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.tools import ROOT

Run = Callable[..., str]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # With the build tool at hand there is no need to fetch another one.
    isolated = [] if importlib.util.find_spec("hatchling") is None else ["--no-isolation"]
    build = [sys.executable, "-m", "build", "--wheel", *isolated, "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of an environment that has the wheel, in a folder with nothing in it."""
    home = tmp_path_factory.mktemp("installed")
    environment, elsewhere = home / "venv", home / "elsewhere"
    elsewhere.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, "--disable-pip-version-check"], check=True)
    (site,) = environment.glob("lib/python*/site-packages")
    # The dependencies of this environment, without its .pth files, which would bring in the checkout.
    (site / "dependencies.pth").write_text(f"{Path(click.__file__).parents[1]}\n")

    def run(program: str, *words: str) -> str:
        done = subprocess.run(
            [environment / "bin" / program, *words], cwd=elsewhere, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return run


def test_the_wheel_holds_what_is_not_python_too(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"arbiter/py.typed", "arbiter/bundled/arbiter.toml", "arbiter/agents/prepare/shims/readline.js"} <= names
    assert "arbiter/bundled/sample_agents/splendor/greedy.cpp" in names
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests/")]


def test_it_is_the_wheel_that_runs_and_not_the_checkout(run: Run) -> None:
    where = run(
        "python", "-c", "import arbiter, arbiter.protocols; print(arbiter.__file__, arbiter.protocols.__file__)"
    )
    assert str(ROOT) not in where
    assert "site-packages" in where


def test_its_games_are_listed(run: Run) -> None:
    assert "splendor" in run("arbiter", "protocols")


def test_its_agents_are_listed_and_can_run(run: Run) -> None:
    rows = [line.split() for line in run("arbiter", "agents", "--protocol", "splendor").splitlines()]
    assert ["splendor", "greedy", "Python", "yes"] in [row[:4] for row in rows]


def test_its_sample_agents_play(run: Run) -> None:
    words = ["play", "splendor", "greedy", "random", "--seed", "1", "--option", "max_rounds=4", "-q"]
    played = run("arbiter", *words)
    assert played.startswith("game   1  greedy ")
    assert "fault" not in played


def test_its_saved_game_is_found_and_true(run: Run) -> None:
    assert "after " in run("arbiter", "show", "matches/samples", "--all")
    document = json.loads(run("arbiter", "verify", "matches/samples", "--json"))
    assert document["verified"] >= 1
    assert document["differ"] == 0
