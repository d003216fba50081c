"""Only regular files are kept, within bounds, under harmless names."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbiter.agents.sandbox import kept_files
from arbiter.agents.sandbox.kept_files import KeptFiles, keep, new_folder, plain_name, write_list
from tests.nullgame.place import write
from tests.tools import until

pytestmark = pytest.mark.slow


def kept(folder: Path, target: Path, since_ns: int = 0) -> KeptFiles:
    """Keep what is in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        return keep(descriptor, target, since_ns=since_ns)
    finally:
        os.close(descriptor)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder of an agent."""
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


def test_files_are_copied_with_their_folders(own: Path, tmp_path: Path) -> None:
    write(own / "log.txt", "hello")
    write(own / "data" / "book.bin", "xyz")
    found = kept(own, tmp_path / "kept")
    assert (found.files, found.bytes, dict(found.left_out)) == (2, 8, {})
    assert (tmp_path / "kept" / "log.txt").read_text() == "hello"
    assert (tmp_path / "kept" / "data" / "book.bin").read_text() == "xyz"


def test_nothing_but_regular_files_is_opened(own: Path, tmp_path: Path) -> None:
    secret = write(tmp_path / "secret", "the organiser's")
    (own / "inner").mkdir()
    (own / "inner" / "link").symlink_to(secret)
    (own / "inner" / "folder").symlink_to(tmp_path)
    os.mkfifo(own / "pipe")  # opening it would wait for a writer
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(own / "socket"))
        found = kept(own, tmp_path / "kept")
    assert (found.files, dict(found.left_out)) == (0, {"not a regular file": 4})
    assert not (tmp_path / "kept").exists()


def test_links_to_the_program_at_the_top_are_not_mentioned(own: Path, tmp_path: Path) -> None:
    (own / "bot.py").symlink_to(write(tmp_path / "bot.py", "pass"))
    assert kept(own, tmp_path / "kept") == KeptFiles()


def test_files_and_bytes_are_bounded(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MOST_BYTES", 3 << 20)
    monkeypatch.setattr(kept_files, "MOST_FILES", 2)
    with (own / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    for name in "abc":
        write(own / name, "x" * (1 << 20))
    found = kept(own, tmp_path / "kept")
    assert (found.files, found.bytes) == (2, 2 << 20)
    assert sum(found.left_out.values()) == 2
    assert not (tmp_path / "kept" / "sparse").exists()


def test_folders_are_not_followed_into_any_depth(own: Path, tmp_path: Path) -> None:
    deepest = own.joinpath(*["d"] * (kept_files.DEEPEST + 3))
    write(deepest / "file", "x")
    assert dict(kept(own, tmp_path / "kept").left_out) == {"nested too deeply": 1}


def test_the_number_of_entries_looked_at_is_bounded(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MOST_SEEN", 5)
    for number in range(9):
        (own / f"d{number}").mkdir()
    assert dict(kept(own, tmp_path / "kept").left_out) == {"not looked at: too many files": 1}


def test_only_what_has_changed_since_is_kept(own: Path, tmp_path: Path) -> None:
    old = write(own / "old", "x")
    since = old.stat().st_ctime_ns + 1
    os.utime(old, ns=(since * 2, since * 2))  # which changes the change time, and may set any other time
    until(lambda: write(own / "new", "y").stat().st_ctime_ns >= since, "the clock of the file system")
    new = own / "new"
    os.utime(new, ns=(0, 0))
    assert kept(own, tmp_path / "kept", since_ns=new.stat().st_ctime_ns).files >= 1
    assert kept(own, tmp_path / "none", since_ns=new.stat().st_ctime_ns + 10**12).files == 0


@given(
    st.sets(
        st.text(
            st.characters(exclude_characters="/\0", categories=("L", "M", "N", "P", "S", "Z", "Cc", "Cf")),
            min_size=1,
            max_size=300,
        )
    )
)
def test_names_stay_different_and_harmless(names: set[str]) -> None:
    shown = [plain_name(name) for name in names]
    assert len(set(shown)) == len(names)
    assert all(name.isascii() and name.isprintable() and "/" not in name and len(name) < 256 for name in shown)


def test_a_name_that_is_not_text_is_kept(own: Path, tmp_path: Path) -> None:
    (own / os.fsdecode(b"\xff\x1b[31m\n")).write_text("x")
    assert kept(own, tmp_path / "kept").files == 1
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["%FF%1B%5B31m%0A"]


def test_a_second_game_of_the_same_name_gets_a_folder_of_its_own(tmp_path: Path) -> None:
    assert [new_folder(tmp_path, "game").name for _ in range(3)] == ["game", "game-2", "game-3"]


def test_the_list_says_what_was_left_out(own: Path, tmp_path: Path) -> None:
    os.mkfifo(own / "pipe")
    write(own / "log", "abc")
    write_list(kept(own, tmp_path / "kept"), tmp_path / "list.json")
    expected = {"files": 1, "bytes": 3, "left_out": {"not a regular file": 1}}
    assert json.loads((tmp_path / "list.json").read_text()) == expected
