"""What can really be read from inside a box: files that are reached by another path stay hidden at every level."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arbiter.agents.prepare.build import cache_folder
from arbiter.agents.sandbox.levels import Level
from arbiter.agents.sandbox.sandbox import Sandbox
from arbiter.agents.sandbox.visible import visible_files
from tests.agents.sandbox.running import BOXED, PYTHON, limits, need, program, said, sandbox_of
from tests.tools import missing

pytestmark = pytest.mark.slow

STRICT = BOXED[1:]
"""The levels at which agents read only their own files."""
DENIED = ("PermissionError", "FileNotFoundError")


@pytest.fixture(params=STRICT)
def level(request: pytest.FixtureRequest) -> Level:
    chosen: Level = request.param
    return chosen


def reading(sandbox: Sandbox, *paths: Path | str) -> list[str]:
    """Return what an agent reads at each path: its content, or the name of the error."""
    source = f"""
import os
for path in {[os.fspath(path) for path in paths]!r}:
    try:
        print(" ".join(os.listdir(path)) if os.path.isdir(path) else open(path).read())
    except OSError as error:
        print(type(error).__name__)
"""
    return said(sandbox, source).splitlines()


def assert_denied(sandbox: Sandbox, *paths: Path | str) -> None:
    found = reading(sandbox, *paths)
    assert len(found) == len(paths)
    assert set(found) <= set(DENIED)


def secret(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("secret\n", encoding="utf-8")
    return path


def test_saved_games_given_as_a_relative_path_are_hidden(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = program(tmp_path / "bots")
    record = secret(tmp_path / "bots" / "games" / "1.jsonl")
    monkeypatch.chdir(tmp_path)
    with sandbox_of(level, bot, private=[Path("bots/games")]) as sandbox:
        assert_denied(sandbox, record, "games/1.jsonl")


def test_saved_games_are_hidden_before_there_are_any(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bots")
    games = tmp_path / "bots" / "new" / "games"
    with sandbox_of(level, bot, private=[games]) as sandbox:
        sandbox.box()
        record = secret(games / "1.jsonl")
        assert_denied(sandbox, record, "new/games/1.jsonl")


def test_saved_games_are_hidden_behind_links(level: Level, tmp_path: Path) -> None:
    """Both a link in the agent's folder to the games, and games whose folder is given by a link."""
    bot = program(tmp_path / "bots")
    record = secret(tmp_path / "bots" / "real" / "1.jsonl")
    elsewhere = secret(tmp_path / "elsewhere" / "2.jsonl")
    (tmp_path / "bots" / "again").symlink_to("real")
    (tmp_path / "bots" / "out").symlink_to(elsewhere.parent)
    (tmp_path / "games").symlink_to(tmp_path / "bots" / "again")
    with sandbox_of(level, bot, private=[tmp_path / "games", elsewhere.parent]) as sandbox:
        assert_denied(sandbox, record, bot.folder / "again" / "1.jsonl", "again/1.jsonl", "out/2.jsonl", elsewhere)


@pytest.mark.parametrize("swapped", ["bots", "bots/inner"])
def test_a_folder_that_its_owner_swaps_for_a_link_after_the_start_is_not_shown(
    level: Level, tmp_path: Path, swapped: str
) -> None:
    bot = program(tmp_path / "bots" / "inner")
    shown = secret(tmp_path / "private" / "inner" / "key").parent
    with sandbox_of(level, bot) as sandbox:
        (tmp_path / swapped).rename(tmp_path / "was")
        (tmp_path / swapped).symlink_to(shown if swapped != "bots" else shown.parent)
        assert reading(sandbox, bot.folder / "key") == [
            "FileNotFoundError" if level not in STRICT[:1] else "PermissionError"
        ]


def test_an_opponent_is_hidden_in_a_folder_that_is_reached_by_a_link(level: Level, tmp_path: Path) -> None:
    program(tmp_path / "real", "one", "mine")
    two = program(tmp_path / "real", "two", "theirs")
    (tmp_path / "alias").symlink_to("real")
    through = tmp_path / "alias" / "one.py"
    one = msgspec.structs.replace(
        two, name="one", command=(*PYTHON, str(through)), folder=tmp_path / "alias", origin=through
    )
    with sandbox_of(level, one, [two]) as sandbox:
        paths = [tmp_path / folder / "two.py" for folder in ("alias", "real")]
        assert_denied(sandbox, *paths)
        assert reading(sandbox, through, tmp_path / "real" / "one.py", "one.py") == ["mine"] * 3


def test_a_hard_link_to_an_opponent_is_hidden(level: Level, tmp_path: Path) -> None:
    bot, other = program(tmp_path / "bots" / "mine"), program(tmp_path / "bots" / "other", source="theirs")
    (bot.folder / "data").mkdir()
    os.link(other.folder / "bot.py", bot.folder / "data" / "copy")
    with sandbox_of(level, bot, [other]) as sandbox:
        assert_denied(sandbox, bot.folder / "data" / "copy", "data/copy")


@contextlib.contextmanager
def bound(source: Path, target: Path) -> Iterator[Path]:
    """Mount a folder at a second place meanwhile."""
    target.mkdir()
    words = ["mount", "--bind", str(source), str(target)]
    if os.geteuid() or subprocess.run(words, check=False, capture_output=True).returncode:
        missing("bind mounts")
    try:
        yield target
    finally:
        subprocess.run(["umount", "-l", target], check=True)


def test_saved_games_are_hidden_where_they_are_mounted_again(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bots")
    record = secret(tmp_path / "work" / "games" / "1.jsonl")
    inner = secret(tmp_path / "work" / "games" / "inner" / "2.jsonl")
    with (
        bound(record.parent, bot.folder / "same") as same,
        bound(record.parents[1], bot.folder / "above") as above,
        bound(inner.parent, bot.folder / "below") as below,
        sandbox_of(level, bot, private=[record.parent]) as sandbox,
    ):
        assert_denied(sandbox, same / "1.jsonl", above / "games" / "1.jsonl", below / "2.jsonl", record)


def test_a_build_is_visible_in_a_cache_inside_a_visible_folder(
    level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "bots" / "cache"))
    mine, theirs = (cache_folder() / name / "program" for name in ("mine-1", "theirs-1"))
    for path in (mine, theirs):
        secret(path)
    bot = program(tmp_path / "bots")
    bot = msgspec.structs.replace(bot, command=(*PYTHON, str(mine)))
    with sandbox_of(level, bot) as sandbox:
        assert_denied(sandbox, theirs, cache_folder().relative_to(bot.folder) / "theirs-1" / "program")
        assert reading(sandbox, mine) == ["secret"]


def test_what_cannot_be_shown_is_left_out(level: Level, tmp_path: Path) -> None:
    bot = program(tmp_path / "bots", source="mine")
    gone = secret(tmp_path / "tool" / "bin" / "lua").parent
    view = visible_files(bot, [], [], [str(gone), str(tmp_path / "no such")])
    assert view.left_out == (str(tmp_path / "no such"),)
    subprocess.run(["rm", "-r", gone], check=True)
    need(level)
    with Sandbox(level, view, limits()) as sandbox:
        assert reading(sandbox, "bot.py") == ["mine"]
