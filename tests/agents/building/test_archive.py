"""What goes into a build is hashed in full, and is packed exactly as it was hashed."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.agents.building import archive
from arbiter.errors import UserError
from tests.nullgame.place import write

pytestmark = pytest.mark.slow

NAME = st.text("abé ", min_size=1, max_size=3).map(lambda text: f"n{text}")
TREES = st.dictionaries(
    st.lists(NAME, min_size=1, max_size=3).map("/".join), st.tuples(st.binary(max_size=9), st.booleans()), max_size=5
)


def made(top: str, tree: dict[str, tuple[bytes, bool]]) -> Path | None:
    """Return a folder with these files; None if one is needed as a folder by another."""
    folder = Path(tempfile.mkdtemp(dir=top))
    for name, (content, executable) in tree.items():
        try:
            path = write(folder / name, "", executable=executable)
        except OSError:
            return None
        path.write_bytes(content)
    return folder


@settings(deadline=None)
@given(TREES, TREES)
def test_equal_hashes_mean_equal_folders(
    one: dict[str, tuple[bytes, bool]], other: dict[str, tuple[bytes, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as top:
        first, second = made(top, one), made(top, other)
        if first and second:
            hashes = [archive.digest(archive.folder_inputs(folder, ())) for folder in (first, second)]
            assert (hashes[0] == hashes[1]) is (one == other)


@settings(deadline=None)
@given(TREES)
def test_what_is_packed_is_what_was_hashed(tree: dict[str, tuple[bytes, bool]]) -> None:
    with tempfile.TemporaryDirectory() as top:
        folder = made(top, tree)
        if folder is None:
            return
        inputs = archive.folder_inputs(folder, ())
        packed = io.BytesIO()
        assert archive.pack_inputs(inputs, "src", ("src", "out"), packed) == archive.digest(inputs)
        with tarfile.open(fileobj=packed) as tar:
            found = {
                member.name.removeprefix("src/"): (tar.extractfile(member).read(), bool(member.mode & 0o100))  # type: ignore[union-attr]
                for member in tar
                if member.isreg()
            }
            assert {member.uid for member in tar.getmembers()} == {0}
        assert found == tree


def test_special_files_and_history_do_not_go_in(tmp_path: Path) -> None:
    write(tmp_path / "bot.c", "")
    write(tmp_path / ".git" / "config", "")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/etc/shadow")
    inputs = archive.folder_inputs(tmp_path, ())
    assert [each.name for each in inputs] == ["bot.c", "link"]
    packed = io.BytesIO()
    archive.pack_inputs(inputs, "src", (), packed)
    with tarfile.open(fileobj=packed) as tar:
        assert [(member.name, member.issym(), member.linkname) for member in tar] == [
            ("src/bot.c", False, ""),
            ("src/link", True, "/etc/shadow"),
        ]


def test_a_file_that_became_a_link_or_a_pipe_is_not_read(tmp_path: Path) -> None:
    source = write(tmp_path / "bot.c", "")
    inputs = archive.folder_inputs(tmp_path, ())
    source.unlink()
    source.symlink_to("/etc/passwd")
    with pytest.raises(OSError, match="Too many levels"):
        archive.digest(inputs)
    source.unlink()
    os.mkfifo(source)
    with pytest.raises(UserError, match=r"'bot\.c' is no longer a regular file"):
        archive.digest(inputs)


def test_more_than_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "one", "12345")
    write(tmp_path / "two", "12345")
    monkeypatch.setattr(archive, "MOST_BYTES", 9)
    with pytest.raises(UserError, match="up to 'two' it has more than 9B, too much to build"):
        archive.digest(archive.folder_inputs(tmp_path, ()))
    monkeypatch.setattr(archive, "MOST_FILES", 1)
    with pytest.raises(UserError, match="more than 1 files"):
        archive.folder_inputs(tmp_path, ())


@pytest.mark.parametrize("when", ["listed", "packed"])
def test_a_folder_that_becomes_a_link_meanwhile_gives_away_nothing(tmp_path: Path, when: str) -> None:
    """Its author may be a user of this machine, who swaps folders while root's arbiter copies them."""
    write(tmp_path / "private" / "key", "secret")
    folder = tmp_path / "bot"
    write(folder / "inner" / "key", "public")
    walk = archive._walk(folder, "", ())
    found = [next(walk)] if when == "listed" else list(walk)
    assert found[0].name == "inner"
    (folder / "inner").rename(tmp_path / "was")
    (folder / "inner").symlink_to(tmp_path / "private")
    with pytest.raises(OSError, match=r"inner|key|Not a directory|symbolic"), io.BytesIO() as packed:
        archive.pack_inputs([*found, *walk], "src", (), packed)


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UserError, match="too much to build"):
        archive.digest(archive.folder_inputs(tmp_path, ()))
