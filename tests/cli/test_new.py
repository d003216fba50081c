"""``arbiter new``: writes a first agent, and says what to type next."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from pathlib import Path

import pytest

from arbiter.errors import UserError
from arbiter.starters.languages import LANGUAGES
from arbiter.starters.project import write_files
from tests.cli.test_completion import offered
from tests.nullgame.command import arbiter
from tests.nullgame.place import HERE, write
from tests.starters.making import GAMES

pytestmark = pytest.mark.slow

COUNT_UP = """
format: words
game:
  about: What is known.
  start:
    word: [text, "always seat"]
    seat: [int, "my seat"]
    of: [text, "always of"]
    seats: [int, "number of seats"]
  turn:
    total: [int, "the total"]
    left: [int, "turns left"]
choose: |
  kibitz(f"{game.left} turns left")
  return f"{1 + game.total % 3}"
"""


@pytest.mark.parametrize(
    ("language", "tool", "install"),
    [
        ("typescript", "node 22.6 or later", "download it from nodejs.org"),
        ("csharp", "mcs", "apt install mono-mcs mono-runtime"),
        ("rust", "rustc", "apt install rustc"),
    ],
)
def test_a_tool_that_is_missing_is_named_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, tool: str, install: str
) -> None:
    write(tmp_path / "bin" / "node", "#!/bin/sh\necho v20.0.0\n", executable=True)
    (tmp_path / "bin" / "sh").symlink_to("/bin/sh")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    ran = arbiter("new", "rails", language, folder=tmp_path)
    assert (ran.code, ran.err) == (0, f"{tool} is not installed here, and this agent needs it: {install}\n")
    listed = arbiter("new", folder=tmp_path)
    assert f"; {tool} is missing: {install}" in " ".join(listed.out.split())
    if language == "typescript":
        refused = arbiter("play", "rails", f"./rails-{language}", "random", folder=tmp_path)
        assert refused.err.endswith(": run: needs node 22.6 or later, which is not installed\n")


def test_half_a_project_is_removed_so_that_the_command_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, *_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "chmod", full)
    with pytest.raises(UserError, match="No space left on device; name another directory"):
        write_files({"a": "", "b.sh": "#!/bin/sh\n"}, tmp_path / "mine")
    assert not (tmp_path / "mine").exists()


def test_what_was_made_and_two_commands_that_work(tmp_path: Path) -> None:
    ran = arbiter("new", "rails", "Python", folder=tmp_path)

    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("rails-python: an agent for Rails in Python\n  agent.py, agent.yaml, README.md\n")
    assert {file.name for file in (tmp_path / "rails-python").iterdir()} == {"agent.py", "agent.yaml", "README.md"}
    commands = re.findall(r"^  .*-m arbiter (play .*)$", ran.out, re.MULTILINE)
    assert commands == ["play rails ./rails-python random", "play rails ./rails-python random --games 10 --quiet"]
    played = arbiter(
        *shlex.split(commands[0]), "-o", "turns=3", "--time-factor", "20", "--fail-on-fault", folder=tmp_path
    )
    assert played.code == 0, played.out


def test_commands_are_quoted_for_the_shell(tmp_path: Path) -> None:
    ran = arbiter("new", "heroes", "c#", "my bots/first one", folder=tmp_path)

    assert "play heroes './my bots/first one' random random random\n" in ran.out
    assert (tmp_path / "my bots" / "first one" / "Json.cs").is_file()


def test_a_directory_will_do_that_is_empty_but_for_a_git_repository(tmp_path: Path) -> None:
    (tmp_path / "mine" / ".git").mkdir(parents=True)

    assert arbiter("new", "splendor", "cpp", "mine", folder=tmp_path).code == 0
    assert (tmp_path / "mine" / "agent.cpp").is_file()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    kept = write(tmp_path / "mine" / "notes.txt", "mine")
    write(tmp_path / "file", "a file")

    for directory, error in (
        ("mine", "the directory 'mine' is not empty; name a new one"),
        ("file", "cannot write to 'file': File exists; name another directory"),
        ("file/below", "cannot write to 'file/below': Not a directory; name another directory"),
    ):
        ran = arbiter("new", "splendor", "c", directory, folder=tmp_path)
        assert (ran.code, ran.out, ran.err) == (2, "", f"arbiter: {error}\n")
    assert [file.name for file in (tmp_path / "mine").iterdir()] == [kept.name]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("nonsense python", "unknown protocol 'nonsense'; choose from drones, green_circle, heroes, rails, splendor"),
        ("game", "a new game needs a name, such as: arbiter new game connect_four"),
        ("splendor cobol", "unknown language 'cobol'; choose from python, cpp, javascript, typescript, java, rust, c, csharp, go"),
    ],
)  # fmt: skip
def test_a_wrong_game_or_language_names_the_choices(words: str, error: str, tmp_path: Path) -> None:
    ran = arbiter("new", *words.split(), folder=tmp_path)

    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"arbiter: {error}")  # more games may be installed
    assert list(tmp_path.iterdir()) == []


def test_without_more_words_protocols_and_languages_are_listed(tmp_path: Path) -> None:
    every, one = arbiter("new", folder=tmp_path), arbiter("new", "splendor", folder=tmp_path)

    assert (every.code, one.code) == (0, 0)
    assert re.findall(r"^  (\w+)  ", every.out, re.MULTILINE) == [*GAMES, *LANGUAGES]
    assert re.findall(r"^  (\w+)  ", one.out, re.MULTILINE) == ["splendor", *LANGUAGES]
    assert one.out.endswith("arbiter new splendor python\n")
    assert list(tmp_path.iterdir()) == []


def test_completion_offers_games_and_languages(tmp_path: Path) -> None:
    assert offered("new sp", tmp_path) == ["splendor"]
    assert offered("new splendor j", tmp_path) == ["javascript", "java"]
    assert offered("new splendor C", tmp_path) == ["cpp", "c", "csharp"]


def third_party(folder: Path, wire: str) -> None:
    """Make a protocol of somebody else's in a folder of its own."""
    shutil.copytree(HERE / "count_up", folder / "count_up")
    write(folder / "arbiter.toml", '[protocols.count_up]\nfolder = "count_up"\n')
    if wire:
        write(folder / "count_up" / "wire.yaml", wire)


def test_a_third_party_protocol_brings_its_own_description(tmp_path: Path) -> None:
    third_party(tmp_path, COUNT_UP)

    ran = arbiter("new", "count_up", "python", folder=tmp_path)

    assert ran.code == 0
    assert "play count_up ./count_up-python ./count_up-python\n" in ran.out  # there is no agent called random
    words = ["play", "count_up", "./count_up-python", "./count_up-python", "--fail-on-fault", "--time-factor", "20"]
    played = arbiter(*words, folder=tmp_path)
    assert played.code == 0, played.out


def test_a_protocol_without_a_description_has_no_starters(tmp_path: Path) -> None:
    third_party(tmp_path, "")

    ran = arbiter("new", "count_up", "python", folder=tmp_path)

    expected = f"protocol 'count_up' has no wire.yaml in {tmp_path / 'count_up'}, from which starters are generated"
    assert (ran.code, ran.err) == (2, f"arbiter: {expected}\n")


def test_a_mistake_in_a_description_is_one_line(tmp_path: Path) -> None:
    third_party(tmp_path, COUNT_UP.replace("game.left", "game.lfet"))

    ran = arbiter("new", "count_up", "python", folder=tmp_path)

    file = tmp_path / "count_up" / "wire.yaml"
    assert (ran.code, ran.err) == (2, f"arbiter: {file}: choose, line 1: 'game.lfet' is not a field\n")
