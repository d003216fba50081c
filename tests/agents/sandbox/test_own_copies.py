"""Copies of the files next to a program: what is copied, what is a link, and what is known about them afterwards."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arbiter.agents.prepare.agent import Agent
from arbiter.agents.prepare.launch_spec import launch_spec
from arbiter.agents.sandbox import kept_files, own_copies
from arbiter.agents.sandbox.own_copies import OwnCopies


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "book").mkdir(parents=True)
    for name in ("bot.py", "book/a.txt", "book/b.txt"):
        (folder / name).write_text(name, encoding="utf-8")
    (folder / "bot.py").chmod(0o555)
    return folder


def fill(shipped: Path) -> tuple[Path, OwnCopies]:
    own, copies = shipped.parent / "own", OwnCopies()
    own.mkdir()
    copies.fill(str(own), [(path.name, str(path)) for path in sorted(shipped.iterdir())])
    return own, copies


def test_files_and_folders_are_copied_and_can_be_written_to(shipped: Path) -> None:
    own, _ = fill(shipped)
    for name in ("bot.py", "book/a.txt", "book/b.txt"):
        assert (own / name).read_text(encoding="utf-8") == name
        assert not (own / name).is_symlink()
        (own / name).write_text("mine", encoding="utf-8")
        assert (shipped / name).read_text(encoding="utf-8") == name
    assert (own / "bot.py").stat().st_mode & 0o777 == 0o755


def test_what_is_too_large_is_a_link(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_copies, "MOST_BYTES", len("book/a.txt") + len("bot.py"))
    own, _ = fill(shipped)
    assert not (own / "book" / "a.txt").is_symlink()
    assert (own / "book" / "b.txt").readlink() == shipped / "book" / "b.txt"
    assert not (own / "bot.py").is_symlink()


def test_what_is_too_many_is_a_link(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_copies, "MOST_FILES", 2)
    own, _ = fill(shipped)
    assert not (own / "book" / "a.txt").is_symlink()
    assert (own / "book" / "b.txt").is_symlink()
    assert (own / "bot.py").readlink() == shipped / "bot.py"


def test_what_is_not_a_file_becomes_a_link_and_nothing_waits_for_it(shipped: Path) -> None:
    os.mkfifo(shipped / "fifo")
    (shipped / "nowhere").symlink_to("no such file")
    (shipped / "around").symlink_to(shipped)
    (shipped / "alias.txt").symlink_to("book/a.txt")
    own, _ = fill(shipped)
    assert all((own / name).is_symlink() for name in ("fifo", "nowhere", "around"))
    (own / "alias.txt").write_text("mine", encoding="utf-8")
    assert (shipped / "book" / "a.txt").read_text(encoding="utf-8") == "book/a.txt"


def test_copies_are_kept_only_if_the_agent_changed_them(shipped: Path, tmp_path: Path) -> None:
    own, copies = fill(shipped)
    (own / "book" / "a.txt").write_text("learnt", encoding="utf-8")
    (own / "new.txt").write_text("new", encoding="utf-8")
    folder = os.open(own, os.O_RDONLY | os.O_DIRECTORY)
    kept = kept_files.keep(folder, tmp_path / "kept", copies=copies.made)
    os.close(folder)
    found = sorted(str(path.relative_to(tmp_path / "kept")) for path in (tmp_path / "kept").rglob("*.*"))
    assert (kept.files, found) == (2, ["book/a.txt", "new.txt"])


def test_the_copy_of_the_program_is_run(shipped: Path) -> None:
    own, _ = fill(shipped)
    command = ("/usr/bin/python3", str(shipped / "bot.py"), f"{shipped}x", str(shipped / "gone"), str(shipped))
    agent = Agent("bot", "bot", command, shipped)
    expected = ("/usr/bin/python3", str(own / "bot.py"), f"{shipped}x", str(shipped / "gone"), str(own))
    assert launch_spec(agent, "game", str(own), copied=True).argv == expected
    assert launch_spec(agent, "game", str(own)).argv == command
