"""A file is written whole or not at all, whatever the disk does."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arbiter.errors import UserError
from arbiter.output_files import write_whole
from tests.nullgame.command import arbiter
from tests.records import games

ROOM = 4096


@pytest.fixture
def little_room() -> Iterator[None]:
    """No file of this process becomes larger than a page, which the kernel says as it says that a disk is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_that_does_not_fit_leaves_nothing(tmp_path: Path, little_room: None) -> None:
    file = tmp_path / "list.csv"
    with pytest.raises(UserError, match=f"^cannot write {file}: File too large$"):
        write_whole(file, b"x" * (ROOM + 1))
    assert list(tmp_path.iterdir()) == []


def test_what_was_there_before_stays(tmp_path: Path, little_room: None) -> None:
    file = tmp_path / "list.csv"
    write_whole(file, "earlier")
    with pytest.raises(UserError):
        write_whole(file, b"x" * (ROOM + 1))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("list.csv", "earlier")]


def test_a_replaced_file_keeps_its_mode_and_its_links(tmp_path: Path) -> None:
    file, link = tmp_path / "real.csv", tmp_path / "link.csv"
    file.write_text("earlier")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, "später")
    assert (file.read_text(encoding="utf-8"), stat.S_IMODE(file.stat().st_mode), link.is_symlink()) == (
        *("später", 0o640),
        True,
    )
    assert len(list(tmp_path.iterdir())) == 2


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "new.csv", "")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.csv").stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_whole(Path("/dev/null"), "x")
    with pytest.raises(UserError, match=r"^cannot write /dev/full: No space left on device$"):
        write_whole(Path("/dev/full"), "x")
    assert Path("/dev/full").is_char_device()


def test_a_folder_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"^cannot write {tmp_path}/no/x: No such file or directory$"):
        write_whole(tmp_path / "no" / "x", "x")


@pytest.mark.parametrize(
    "words",
    [
        "export a.jsonl out --format json",
        "export a.jsonl out --format html",
        "games . --format json --output out",
        "games . --format parquet --output out",
    ],
)
def test_exports_are_written_whole_or_not_at_all(place: Path, words: str) -> None:
    games.counting(place / "a.jsonl")
    arbiter("games", ".", folder=place)  # the index is not what the disk is too small for
    whole = arbiter(*words.split(), folder=place)
    assert (whole.code, len(whole.err.splitlines())) == (0, 1), whole.err
    size = (place / "out").stat().st_size
    (place / "out").unlink()
    before = {path.name for path in place.iterdir()}
    ran = subprocess.run(
        [sys.executable, "-m", "arbiter", *words.split()],
        capture_output=True,
        check=False,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, size - 1)),
    )
    assert (ran.returncode, ran.stderr) == (2, "arbiter: cannot write out: File too large\n")
    assert {path.name for path in place.iterdir()} == before
