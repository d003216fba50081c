"""The settings in force: the nearest arbiter.toml, then the bundled one."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from arbiter.config.game_settings import GameSettings
from arbiter.config.workspace import Workspace, bundled
from arbiter.errors import UserError
from arbiter.playing.planning import make_plan
from tests.nullgame.place import write
from tests.tools import refusal


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
    write(tmp_path / "arbiter.toml", '[agents]\nx = "all"\ny = "all"\n[protocols.ludo.agents]\nx = "chess"\n')
    workspace = Workspace(tmp_path)
    assert {name: workspace.agents("ludo")[name][1].agent for name in "xy"} == {"x": "chess", "y": "all"}
    assert workspace.agents(None)["x"][1].agent == "all"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("games = \n", ", line 1: invalid value in 'games ='; text must be in quotes"),
        ("\ngames = saved\n", ", line 2: invalid value in 'games = saved'; text must be in quotes"),
        ("games = 5\n", ", line 1: games 5: must be a string"),
        ('\n\ngame = "x"\n', ", line 3: unknown key 'game'; did you mean 'games'?"),
        ("[limit]\n", ", line 1: unknown key 'limit'; did you mean 'limits'?"),
        ("ponder = 'no'\n", ", line 1: ponder 'no': must be true or false"),
        ("visible = ['a',\n 5]\n", ", line 1: visible, item 2: 5: must be a string"),
        ('games = "a"\n[games]\n', ", line 2: '[games]' defines a key for the second time"),
        (
            '[protocols.ludo]\n# a comment\nrules = "x"\n',
            ", line 3: protocols.ludo: unknown key 'rules'; choose from agents, limits, options, folder, library",
        ),
        ("[agents.x]\nlimits = {}\n", ", line 1: agents.x: 'agent' is missing; it must be a string"),
        ('[agents.x]\nagent = "a"\nspeed = 1\n', ", line 3: agents.x: unknown key 'speed'; choose from agent, "),
        ("[agents]\na = 'a'\nb = 5\n", ", line 3: agents.b 5: must be a string or a mapping of names to values"),
        ("[agents]\nx = { agent = 'a', lifetime = 'gam' }\n", ", line 2: unknown lifetime 'gam'; did you mean 'game'?"),
        ("[agents.x]\nagent = 'a'\nthreads = -1\n", ", line 3: threads -1: must be a whole number, at least 1"),
        ('[languages.awk]\nrun = "awk"\nextensions = [".awk"]\n', ", line 2: languages.awk.run 'awk': must be a list, each item a string"),
        ("[languages.awk]\nrun = ['awk']\nextensions = []\n", ", line 3: extensions []: must be a list with at least one"),
        ("[limits]\nmove = 1.5\n", ", line 2: limits.move 1.5: must be a string or a whole number"),
        ("[limits]\nmove = '1s'\nmov = '1s'\n", ", line 3: unknown limit 'mov'; did you mean 'move'?"),
        ("[limits]\nmove = 'soon'\n", ", line 2: limit move 'soon': must be a duration such as 10s, 50ms or 2m"),
        ("protocols.ludo.limits.memory = 5\n", ", line 1: limit memory '5': must be a size such as 64KB, 256MB or 2GB"),
        (
            "[protocols.ludo.agents.x]\nagent = 'a'\n[protocols.ludo.agents.x.limits]\nmove = '1'\n",
            ", line 4: limit move '1': must be a duration",
        ),
        (f"x = {'[' * 5000}\n", ": brackets are nested too deeply"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_line_that_names_it_and_the_line(tmp_path: Path, text: str, reason: str) -> None:
    file = write(tmp_path / "arbiter.toml", text)
    assert refusal(lambda: Workspace(tmp_path)).startswith(f"{file}{reason}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("clock = 'fst'\n", "line 1: unknown clock 'fst'; choose from fair, wall, cpu"),
        ("clock = 'wal'\n", "line 1: unknown clock 'wal'; did you mean 'wall'?"),
        ("\nsandbox = 'box'\n", "line 2: unknown sandbox 'box'; choose from auto, none, "),
        ("visible = ['nowhere']\n", "line 1: visible 'nowhere': no such file or folder"),
        ("[protocols.splendr]\n", "line 1: unknown protocol 'splendr'; did you mean 'splendor'?"),
        ("[protocols.splendor.options]\nrounds = 1\n", "line 2: unknown splendor option 'rounds'; "),
        ("[protocols.splendor.options]\nmax_rounds = 'x'\n", "line 2: option max_rounds"),
    ],
)
def test_a_value_that_only_playing_needs_is_located_too(tmp_path: Path, text: str, reason: str) -> None:
    file = write(tmp_path / "arbiter.toml", text)
    said = refusal(lambda: make_plan("splendor", ["random", "random"], workspace=Workspace(tmp_path)))
    assert said.startswith(f"{file}, {reason}")


def test_a_value_on_the_command_line_is_not_blamed_on_the_file(tmp_path: Path) -> None:
    write(tmp_path / "arbiter.toml", "clock = 'wall'\n")
    said = refusal(
        lambda: make_plan("splendor", ["random", "random"], GameSettings(clock="x"), workspace=Workspace(tmp_path))
    )
    assert said == "unknown clock 'x'; choose from fair, wall, cpu"


def test_a_file_that_is_not_utf8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "arbiter.toml").write_bytes(b'games = "\xff"\n')
    with pytest.raises(UserError, match=r"arbiter\.toml: not a text file in UTF-8"):
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
