"""Members of a hostile archive, written where they belong or refused with the whole archive."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import pytest

from arbiter.errors import UserError
from arbiter.unpacking import ArchiveBounds, Member, unpack
from tests.tools import refusal

BOUNDS = ArchiveBounds(members=10, bytes=100, depth=3, path=40, name=20, links=2, target=10)


def file(path: str, content: bytes = b"text") -> Member:
    return Member(path, io.BytesIO(content))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    made = tmp_path / "inside"
    made.mkdir()
    return made


def outside(folder: Path) -> list[Path]:
    return list((folder.parent / "outside").iterdir())


@pytest.mark.parametrize(
    "member", [file("link/file"), Member("link/folder"), Member("link/link", link="x"), Member("link/hard", same_as="first")]
)  # fmt: skip
def test_nothing_passes_through_a_link_even_if_one_is_there(folder: Path, member: Member) -> None:
    """No archive can make one before its files, so this is for what no archive can do."""
    (folder / "link").symlink_to("../outside")
    with pytest.raises(UserError, match=r"^it cannot be unpacked: 'link/[a-z]+' passes through a link or a file$"):
        unpack([file("first"), member], folder, BOUNDS, "it")
    assert outside(folder) == []


def test_a_hard_link_passes_through_no_link(folder: Path) -> None:
    (folder.parent / "outside" / "secret").touch()
    (folder / "link").symlink_to("../outside")
    (folder / "secret").symlink_to("../outside/secret")
    with pytest.raises(UserError, match="'mine' passes through a link"):
        unpack([Member("mine", same_as="link/secret")], folder, BOUNDS, "it")
    unpack([Member("mine", same_as="secret")], folder, BOUNDS, "it")
    assert (folder / "mine").is_symlink(), "of the link, and not of what it leads to"


def test_nothing_is_written_over_a_link_that_is_there(folder: Path) -> None:
    (folder / "link").symlink_to("../outside/file")
    with pytest.raises(UserError, match="'link' is there twice"):
        unpack([file("link")], folder, BOUNDS, "it")
    assert outside(folder) == []


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ([Member("a", link="b"), file("a/b")], "'a' is there twice"),
        ([Member("a", link="b"), Member("b"), Member("a/c", link="d")], "'a/c' passes through a link or a file"),
        ([file("a"), file("./a")], "'./a' is there twice"),
        ([file("a"), Member("a", link="b")], "'a' is there twice"),
        ([file("a"), Member("a/b")], "'a/b' passes through a link or a file"),
        ([Member("a"), file("a")], "'a' is there twice"),
        ([file("a"), Member("b", same_as="a"), file("b")], "'b' is there twice"),
        ([Member("a"), Member("b", same_as="a")], "'b' Operation not permitted"),
        ([Member("b", same_as="a")], "'b' No such file or directory"),
        ([Member("b", same_as=".")], "'b' No such file or directory"),
        ([file(".")], "'.' is outside"),
        ([file("/a")], "'/a' is outside"),
        ([file("a/../b")], "'a/../b' is outside"),
        ([Member("b", same_as="../a")], "'b' is outside"),
        ([file("a\0b")], "embedded null byte"),
    ],
)
def test_members_that_contradict_each_other_or_lead_outside_are_refused(
    folder: Path, members: list[Member], reason: str
) -> None:
    said = refusal(lambda: unpack(members, folder, BOUNDS, "it"))
    assert said.startswith("it cannot be unpacked: ")
    assert reason in said
    assert str(folder) not in said


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ([file(str(number)) for number in range(11)], "more than 10 files"),
        ([Member(str(number)) for number in range(11)], "more than 10 files"),
        ([file("a", bytes(50)), file("b", bytes(51))], "larger than 100B when unpacked"),
        ([file("a/b/c/d/e")], "nested more than 3 deep"),
        ([Member("b", same_as="a/b/c/d/e")], "nested more than 3 deep"),
        ([file("a//" * 14)], "nested more than 3 deep"),
        ([file("ä" * 11)], "a file whose name is longer than 20 bytes"),
        ([Member(str(number), link="x") for number in range(3)], "more than 2 links"),
    ],
)
def test_what_is_unpacked_is_bounded(folder: Path, members: list[Member], reason: str) -> None:
    with pytest.raises(UserError, match=f"^it .*{reason}"):
        unpack(members, folder, BOUNDS, "it")


def test_everybody_can_read_what_was_unpacked_whatever_the_umask_is(folder: Path) -> None:
    members = [Member("a/b"), file("c/d"), Member("e", io.BytesIO(b"x"), executable=True), file("f", b"#!/bin/sh")]
    before = os.umask(0o077)
    try:
        unpack(members, folder, BOUNDS, "it")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert modes == {"a": 0o755, "b": 0o755, "c": 0o755, "d": 0o644, "e": 0o755, "f": 0o755}


def test_links_that_lead_out_or_nowhere_are_left_out(folder: Path) -> None:
    members = [Member("a/up", link=".."), Member("a/out", link="up/.."), file("file")]
    unpack(members, folder, BOUNDS, "it")
    assert [path.name for path in folder.rglob("*") if path.is_symlink()] == ["up"]
