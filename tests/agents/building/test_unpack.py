"""Whatever is in the archive of a result, nothing is written outside its folder, and nothing leads out of it."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import tarfile
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.agents.building import archive
from arbiter.agents.building.archive import unpack_build
from arbiter.errors import UserError

pytestmark = pytest.mark.slow

NAMES = st.lists(st.sampled_from(["a", "b", "..", ".", "", "c", "\n", "é"]), min_size=1, max_size=4).map("/".join)
KINDS = st.sampled_from(
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
MEMBERS = st.lists(
    st.tuples(NAMES, KINDS, NAMES | st.sampled_from(["/", "/etc", "../..", "a/../../x"]), st.integers(0, 0o7777)),
    max_size=8,
)


def archived(*members: tuple[str, bytes, str, int], content: bytes = b"text") -> io.BytesIO:
    """Return an archive with these members: name, kind, target of a link, mode."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, kind, target, mode in members:
            member = tarfile.TarInfo(name)
            member.type, member.linkname, member.mode = kind, target, mode
            member.size = len(content) if kind == tarfile.REGTYPE else 0
            tar.addfile(member, io.BytesIO(content) if member.size else None)
    file.seek(0)
    return file


@settings(max_examples=150, deadline=None)
@given(MEMBERS)
def test_nothing_leaves_the_folder(members: list[tuple[str, bytes, str, int]]) -> None:
    with tempfile.TemporaryDirectory() as top:
        outside = Path(top, "outside")
        outside.write_text("untouched")
        folder = Path(top, "result")
        folder.mkdir()
        with contextlib.suppress(UserError):
            unpack_build(archived(*members), folder)
        assert sorted(path.name for path in Path(top).iterdir()) == ["outside", "result"]
        assert outside.read_text() == "untouched"
        for path in folder.rglob("*"):
            mode = path.lstat().st_mode
            assert stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode)
            assert stat.S_ISLNK(mode) or stat.S_IMODE(mode) in (0o644, 0o755)


@pytest.mark.parametrize("name", ["/etc/x", "../x", "a/../../x", "/"])
def test_a_member_that_leads_outside_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=r"its result cannot be unpacked: .* is outside"):
        unpack_build(archived((name, tarfile.REGTYPE, "", 0o644)), tmp_path)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").mkdir()
    (tmp_path / "result").mkdir()
    members = [("a", tarfile.SYMTYPE, "../target", 0o777), ("a/x", tarfile.REGTYPE, "", 0o644)]
    with pytest.raises(UserError, match="'a' is there twice"):
        unpack_build(archived(*members), tmp_path / "result")
    assert list((tmp_path / "target").iterdir()) == []


def test_a_link_is_kept_only_if_following_all_links_stays_inside(tmp_path: Path) -> None:
    (tmp_path / "result").mkdir()
    members = [
        ("x/y", tarfile.DIRTYPE, "", 0o755),
        ("file", tarfile.REGTYPE, "", 0o644),
        ("x/y/up", tarfile.SYMTYPE, "../..", 0o777),
        ("good", tarfile.SYMTYPE, "x/y/up/file", 0o777),
        ("climbs", tarfile.SYMTYPE, "x/y/up/..", 0o777),
        ("absolute", tarfile.SYMTYPE, str(tmp_path / "result" / "file"), 0o777),
        ("circle", tarfile.SYMTYPE, "circle", 0o777),
    ]
    unpack_build(archived(*members), tmp_path / "result")
    assert {path.name for path in (tmp_path / "result").rglob("*") if path.is_symlink()} == {"up", "good"}


def test_other_users_can_enter_folders_whatever_the_umask(tmp_path: Path, private_umask: None) -> None:
    members = [
        ("a", tarfile.DIRTYPE, "", 0o700),
        ("b/c/file", tarfile.REGTYPE, "", 0o600),
        ("d/link", tarfile.SYMTYPE, "../a", 0o777),
    ]
    unpack_build(archived(*members), tmp_path)
    modes = {str(path.relative_to(tmp_path)): oct(path.stat().st_mode & 0o777) for path in tmp_path.rglob("*")}
    assert modes == {"a": "0o755", "b": "0o755", "b/c": "0o755", "b/c/file": "0o644", "d": "0o755", "d/link": "0o755"}


def test_programs_are_executable_whatever_their_mode(tmp_path: Path) -> None:
    for name, content, executable in [
        ("elf", b"\x7fELF...", True),
        ("script", b"#!/bin/sh\n", True),
        ("text", b"t", False),
    ]:
        unpack_build(archived((name, tarfile.REGTYPE, "", 0o600), content=content), tmp_path)
        assert os.access(tmp_path / name, os.X_OK) is executable or not executable
        assert bool((tmp_path / name).stat().st_mode & 0o111) is executable


def test_too_many_files_too_many_bytes_and_too_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_FILES", 2)
    with pytest.raises(UserError, match="more than 2 files"):
        unpack_build(archived(*((f"{n}", tarfile.REGTYPE, "", 0o644) for n in range(3))), tmp_path)
    monkeypatch.setattr(archive, "MOST_BYTES", 3)
    with pytest.raises(UserError, match="larger than 3B"):
        unpack_build(archived(("x", tarfile.REGTYPE, "", 0o644)), tmp_path)
    with pytest.raises(UserError, match="nested more than"):
        unpack_build(archived(("/".join("d" * 70), tarfile.DIRTYPE, "", 0o755)), tmp_path)


@pytest.mark.parametrize("data", [b"", b"\0" * 100, b"not an archive at all" * 100, b"\xff" * 2048])
def test_a_file_that_is_not_an_archive_is_reported_in_one_line(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UserError, match="its result cannot be unpacked"):
        unpack_build(io.BytesIO(data), tmp_path)


def test_links_that_take_long_to_follow_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each link passes through a chain of others, each of which has hundreds of parts; and there may be many."""
    detour = "d/../" * 150
    chain = [(f"c{n}", tarfile.SYMTYPE, f"{detour}{f'c{n - 1}' if n else 'f'}", 0o777) for n in range(100)]
    unpack_build(archived(("d", tarfile.DIRTYPE, "", 0o755), ("f", tarfile.REGTYPE, "", 0o644), *chain), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d", "f"], "their targets are too long"
    monkeypatch.setattr(archive, "MOST_LINKS", 2)
    links = [(name, tarfile.SYMTYPE, "f", 0o777) for name in "xyz"]
    (tmp_path / "again").mkdir()
    with pytest.raises(UserError, match="more than 2 links"):
        unpack_build(archived(*links), tmp_path / "again")


def test_a_chain_that_the_kernel_does_not_follow_is_left_out(tmp_path: Path) -> None:
    chain = [(f"c{n}", tarfile.SYMTYPE, f"c{n - 1}" if n else "f", 0o777) for n in range(60)]
    unpack_build(archived(("f", tarfile.REGTYPE, "", 0o644), *chain), tmp_path)
    assert not (tmp_path / "c59").is_symlink()
    assert (tmp_path / "c1").read_text() == "text"
