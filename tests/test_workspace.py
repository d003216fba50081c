"""The settings in force: the nearest arbiter.toml, then the bundled one."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from arbiter.errors import UserError
from arbiter.workspace import Workspace, bundled
from tests.nullgame.place import write


def test_the_file_is_found_in_a_parent_folder(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", 'games = "saved"\n')
    below = tmp_path / "bots" / "old"
    below.mkdir(parents=True)
    workspace = Workspace(below)
    assert workspace.file == tmp_path / "arbiter.toml"
    assert workspace.folder == tmp_path
    assert workspace.games == tmp_path / "saved"


def test_the_nearest_file_is_used(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", 'games = "far"\n')
    write(tmp_path / "near" / "arbiter.toml", 'games = "near"\n')
    assert Workspace(tmp_path / "near").games == tmp_path / "near" / "near"


def test_without_a_file_the_workspace_is_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    workspace = Workspace()
    assert (workspace.file, workspace.folder) == (None, tmp_path)
    assert workspace.games == tmp_path / "matches" / "games"


def test_the_bundled_agents_are_found_from_any_folder(tmp_path: Path) -> None:
    folder, entry = Workspace(tmp_path).agents("splendor")["greedy"]
    assert folder == bundled()
    assert (folder / entry.agent).is_file()


def test_the_users_names_override_bundled_ones(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", '[protocols.splendor.agents]\ngreedy = "mine.py"\n')
    agents = Workspace(tmp_path).agents("splendor")
    assert agents["greedy"][0] == tmp_path
    assert agents["greedy"][1].agent == "mine.py"
    assert agents["random"][0] == bundled()


def test_agents_of_a_protocol_override_agents_of_all_protocols(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", '[agents]\nx = "all"\ny = "all"\n[protocols.chess.agents]\nx = "chess"\n')
    workspace = Workspace(tmp_path)
    assert {name: workspace.agents("chess")[name][1].agent for name in "xy"} == {"x": "chess", "y": "all"}
    assert workspace.agents(None)["x"][1].agent == "all"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("games = \n", "Invalid value"),
        ("games = 5\n", "Expected `str`, got `int` - at `$.games`"),
        ('game = "x"\n', "Object contains unknown field `game`"),
        ('[protocols.chess]\nrules = "x"\n', "unknown field `rules` - at `$.protocols"),
        ("[agents.x]\nlimits = {}\n", "missing required field `agent`"),
        ('[agents.x]\nagent = "a"\nspeed = 1\n', "unknown field `speed`"),
        ('[languages.awk]\nrun = "awk"\nextensions = [".awk"]\n', "Expected `array`, got `str`"),
        ("[limits]\nmove = 1.5\n", "Expected `int | str`, got `float`"),
        (f"x = {'[' * 5000}\n", "recursion"),
    ],
)
def test_a_bad_file_is_one_line_that_names_it(tmp_path: Path, text: str, reason: str) -> None:
    file = write(tmp_path / "arbiter.toml", text)
    with pytest.raises(UserError) as refused:
        Workspace(tmp_path)
    assert str(refused.value).startswith(f"{file}: ")
    assert reason in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "arbiter.toml").write_bytes(b'games = "\xff"\n')
    with pytest.raises(UserError, match=r"arbiter\.toml: .*utf-8"):
        Workspace(tmp_path)


def test_a_current_folder_that_no_longer_exists_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(UserError, match="the current folder no longer exists"):
        Workspace()


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write(tmp_path / "arbiter.toml", "")

    def denied(*_: object, **__: object) -> str:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "read_text", denied)
    with pytest.raises(UserError, match=f"{file}: Permission denied"):
        Workspace(tmp_path)


def test_parent_folders_without_read_permission_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stat = os.stat

    def denied(path: str | Path, *words: Any, **named: Any) -> os.stat_result:
        if str(path).endswith("arbiter.toml"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return stat(path, *words, **named)

    monkeypatch.setattr("os.stat", denied)
    assert Workspace(tmp_path).file is None
