"""The example games: their own tests pass, their agents play without a fault, and the better one wins."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from arbiter import play
from arbiter.config.workspace import Workspace
from tests.nullgame.command import arbiter
from tests.tools import ROOT, missing

pytestmark = pytest.mark.slow

EXAMPLES = sorted(path.parent for path in (ROOT / "examples").glob("*/arbiter.toml"))


@pytest.mark.parametrize("folder", EXAMPLES, ids=lambda folder: folder.name)
def test_the_tests_of_an_example_pass(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


def test_tron_is_played_by_its_agents_verified_and_shown(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        missing("node is not installed")
    workspace = Workspace(ROOT / "examples" / "tron")
    report = play(
        "tron", ["spacious", "random"], games=4, seed=1, save=tmp_path, workspace=workspace, time_factor=20
    )  # fmt: skip
    assert [game.faults for game in report.games] == [[], [], [], []]
    assert report.totals["spacious"].wins > report.totals["random"].wins
    record = report.games[0].record
    assert arbiter("verify", record, folder=workspace.folder).code == 0
    assert arbiter("export", record, tmp_path / "page.html", folder=workspace.folder).code == 0
    assert ".floor {" in (tmp_path / "page.html").read_text(encoding="utf-8")
