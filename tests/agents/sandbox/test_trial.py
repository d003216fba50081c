"""Trials of sandbox levels: done once, and again when anything changes that they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.agents.sandbox import trial
from arbiter.agents.sandbox.box import BoxFailed
from arbiter.agents.sandbox.levels import Level


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Level]:
    """The levels that were really tried; only rlimits works."""
    done: list[Level] = []

    def attempt(level: Level) -> None:
        done.append(level)
        if level != "rlimits":
            raise BoxFailed(f"{level}: Operation not permitted")

    monkeypatch.setattr(trial, "_try", attempt)
    return done


def outcome(file: Path, level: Level) -> str:
    try:
        trial._Remembered(file).attempt(level)
    except BoxFailed as failure:
        return str(failure)
    return "works"


def test_each_level_is_tried_once_and_its_outcome_is_remembered(tmp_path: Path, tried: list[Level]) -> None:
    file = tmp_path / "cache" / "sandbox.json"
    for _ in range(3):
        assert [outcome(file, "cgroup"), outcome(file, "rlimits")] == ["cgroup: Operation not permitted", "works"]
    assert tried == ["cgroup", "rlimits"]


def test_it_is_tried_again_under_other_conditions(
    tmp_path: Path, tried: list[Level], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sandbox.json"
    for uid in (1000, 1000, 0):
        monkeypatch.setattr("os.getuid", lambda uid=uid: uid)
        outcome(file, "landlock")
    assert tried == ["landlock", "landlock"]


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"conditions": 1}', '{"outcomes": {}}', "\xff"])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, tried: list[Level], damage: str) -> None:
    file = tmp_path / "sandbox.json"
    file.write_text(damage, encoding="latin-1")
    assert outcome(file, "rlimits") == "works"
    assert tried == ["rlimits"]


def test_a_folder_that_cannot_be_written_is_not_an_error(tmp_path: Path, tried: list[Level]) -> None:
    (tmp_path / "file").touch()
    assert outcome(tmp_path / "file" / "sandbox.json", "rlimits") == "works"
    assert tried == ["rlimits"]


@pytest.mark.parametrize("failure", ["all 4000 uids for agents are in use", "unshare: Cannot allocate memory", "fork"])
def test_a_failure_that_may_be_over_soon_is_not_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: str
) -> None:
    """Any user of the machine could cause it, and so weaken the sandbox until the next boot."""
    file = tmp_path / "sandbox.json"

    def fail(_: Level) -> None:
        raise BoxFailed(failure)

    monkeypatch.setattr(trial, "_try", fail)
    assert outcome(file, "namespace") == failure
    monkeypatch.setattr(trial, "_try", lambda _: None)
    assert [outcome(file, "landlock"), outcome(file, "namespace")] == ["works", "works"]
