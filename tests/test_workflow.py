"""The workflow that gates a bot's repository: its shell steps, run on a scratch repository."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from tests.nullgame.place import write
from tests.tools import ROOT, need_tool

WORKFLOW = yaml.safe_load((ROOT / "examples" / "workflow" / "arbiter.yml").read_text(encoding="utf-8"))
STEPS = {step["name"]: step["run"] for step in WORKFLOW["jobs"]["gate"]["steps"] if "run" in step}
GH = '#!/bin/sh\necho "$@" >commented\ncat "$5" >>commented\n'


@dataclass
class Repository:
    """A repository whose main branch is fetched, as the workflow finds it."""

    folder: Path
    environment: dict[str, str]

    def git(self, *words: str) -> None:
        names = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
        subprocess.run(["git", *names, *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self, bot: str) -> None:
        write(self.folder / "bot.sh", f"echo {bot}\n")
        self.git("add", "-A")
        self.git("commit", "-qm", f"say {bot}")

    def run(self, step: str) -> subprocess.CompletedProcess[str]:
        """Run a step as the service does."""
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[step]]
        return subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )


@pytest.fixture
def repository(place: Path) -> Repository:
    need_tool("git")
    write(place / "bin" / "arbiter", f'#!/bin/sh\nexec {sys.executable} -m arbiter "$@"\n', executable=True)
    write(place / "bin" / "gh", GH, executable=True)
    environment = {
        **os.environ,
        "PATH": f"{place / 'bin'}:{os.environ['PATH']}",
        **{name: str(value) for name, value in WORKFLOW["env"].items()},
        "GAME": "count_up",
        "BOT": "bot.sh",
        "QUESTION": "better(new,old,elo1=400)",
        "MOST_GAMES": "40",
        "MORE": "-o turns=2",
        "NUMBER": "7",
        "GITHUB_BASE_REF": "main",
        "RUNNER_TEMP": str(place / "temp"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
    }
    made = Repository(place, environment)
    made.git("init", "-q", "-b", "main")
    return made


def gated(repository: Repository, old: str, new: str) -> tuple[str, int]:
    """Propose a new version; return the comment and the exit status of the gate."""
    if old:
        repository.commit(old)
    else:
        repository.git("commit", "-qm", "empty", "--allow-empty")
    repository.git("update-ref", "refs/remotes/origin/main", "HEAD")
    repository.commit(new)
    for step in ("Match", "Comment"):
        done = repository.run(step)
        assert done.returncode == 0, done.stderr
    comment = (repository.folder / "commented").read_text()
    assert comment.startswith("pr comment 7 --body-file verdict.md\n")
    assert (repository.folder / "summary").read_text() in comment
    return comment, repository.run("Gate").returncode


def test_a_better_version_passes_with_its_verdict_as_a_comment(repository: Repository) -> None:
    comment, status = gated(repository, "1", "3")
    assert "new is better than old: yes" in comment
    assert status == 0


def test_a_worse_version_is_stopped(repository: Repository) -> None:
    comment, status = gated(repository, "3", "1")
    assert "new is better than old: no," in comment
    assert status == 1


def test_the_first_version_of_a_bot_passes(repository: Repository) -> None:
    comment, status = gated(repository, "", "1")
    assert "There is no bot.sh on main yet" in comment
    assert status == 0


def test_an_agent_that_does_not_run_fails_the_check(repository: Repository) -> None:
    repository.commit("1; exit 3")
    assert repository.run("Check").returncode == 1


def test_the_steps_come_in_the_order_that_a_verdict_needs() -> None:
    assert list(STEPS) == ["Install", "Check", "Match", "Comment", "Gate"]
    assert STEPS["Install"] == "python -m pip install arbiter-games"
