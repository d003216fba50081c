"""Agents travel by content: what is sent, and what a host makes of it."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from arbiter.agents.building import archive
from arbiter.cluster.archive_store import ArchiveStore
from arbiter.cluster.payload import INSIDE, RunSpec, pack_agents
from arbiter.cluster.prepare_host import _write_settings, prepare_host
from arbiter.config.workspace import LanguageEntry, Workspace
from arbiter.errors import UserError
from tests.contest.running.around import auction, plan_of, varied
from tests.nullgame.place import write


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_host_gets_the_agents_files_and_none_of_the_others(place: Path) -> None:
    for where in ("bots", "shared"):
        write(place / where / "book.txt", "e4")
    programs = [*varied(place / "bots", "ann"), *varied(place / "shared", "bob"), *varied(place / "shared", "cat")]
    contest = auction(place, [*programs, "zoe=absent"])
    payload = pack_agents(plan_of(contest), "cup", "run")
    store = ArchiveStore()
    assert store.missing([*payload.archives]) == [*payload.archives]
    for key, data in payload.archives.items():
        store.add(key, data)
    assert store.missing([*payload.archives]) == []

    folder = place / "run"
    folder.mkdir()
    plan = prepare_host(payload.spec, folder)

    first = plan.entrants[0].agent
    assert (first.name, first.folder) == ("ann", folder / "0" / INSIDE)
    assert {path.name for path in first.folder.iterdir()} == {"ann.sh", "book.txt"}
    assert {path.name for path in plan.entrants[1].agent.folder.iterdir()} == {"bob.sh"}, "the book may be the other's"
    assert [entrant.agent.is_absent for entrant in plan.entrants] == [False, False, False, True]
    assert [entrant.fingerprint for entrant in plan.entrants] == [one.fingerprint for one in plan_of(contest).entrants]


def test_a_damaged_archive_is_refused(place: Path) -> None:
    with pytest.raises(UserError, match="damaged on the way"):
        ArchiveStore().add("0" * 64, b"anything")


def received(*members: tuple[tarfile.TarInfo, bytes]) -> str:
    """Keep an archive as if it had been sent, and return its hash."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for member, content in members:
            member.size = len(content) if member.isreg() else 0
            tar.addfile(member, io.BytesIO(content))
    key = hashlib.sha256(data.getvalue()).hexdigest()
    ArchiveStore().add(key, data.getvalue())
    return key


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", mode: int = 0o644) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.mode = kind, target, mode
    return made


@pytest.mark.parametrize("name", ["../outside", "/outside", "agent/../../outside"])
def test_an_archive_cannot_write_outside_its_folder(place: Path, name: str) -> None:
    key = received((member(name), b""))
    with pytest.raises(UserError, match="cannot be unpacked"):
        ArchiveStore().unpack(key, place / "into")
    assert not (place / "outside").exists()


@pytest.mark.parametrize("through", ["../..", "/", "{place}"])
def test_nothing_is_written_through_a_link(place: Path, through: str) -> None:
    link = member("agent/up", tarfile.SYMTYPE, through.format(place=place))
    key = received((link, b""), (member("agent/up/outside"), b"x"))
    with pytest.raises(UserError, match="cannot be unpacked"):
        ArchiveStore().unpack(key, place / "into")
    assert {*place.rglob("outside")} <= {place / "into" / "agent" / "up" / "outside"}
    assert not Path("/outside").exists()


def test_links_to_elsewhere_devices_and_set_uid_do_not_arrive(place: Path) -> None:
    (place / "secret").write_text("x")
    key = received(
        (member("agent/bot.sh", mode=0o6755), b"#!/bin/sh\n"),
        (member("agent/same", tarfile.SYMTYPE, "bot.sh"), b""),
        (member("agent/secret", tarfile.SYMTYPE, str(place / "secret")), b""),
        (member("agent/above", tarfile.SYMTYPE, "../../secret"), b""),
        (member("agent/disk", tarfile.BLKTYPE), b""),
        (member("agent/fifo", tarfile.FIFOTYPE), b""),
    )
    found = ArchiveStore().unpack(key, place / "into")
    assert {path.name for path in found.iterdir()} == {"bot.sh", "same"}
    assert (found / "bot.sh").stat().st_mode & 0o7777 == 0o755


def test_a_hard_link_leads_to_nothing_outside(place: Path) -> None:
    (place / "secret").write_text("x")
    for target in (str(place / "secret"), "../secret"):
        key = received((member("agent/own", tarfile.LNKTYPE, target), b""))
        with pytest.raises(UserError, match="cannot be unpacked"):
            ArchiveStore().unpack(key, place / str(len(target)))


def test_an_archive_has_limits(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = received(*((member(f"agent/{number}"), b"123") for number in range(4)))
    for limit, value, reason in (
        ("MOST_FILES", 3, "has more than 3 files"),
        ("MOST_BYTES", 10, "is larger than 10B"),
        ("DEEPEST", 0, "has folders nested more than 0 deep"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(archive, limit, value)
            with pytest.raises(UserError, match=f"an archive that was sent {reason}"):
                ArchiveStore().unpack(key, place / limit)


def test_an_archive_that_was_changed_in_the_cache_is_not_used(place: Path) -> None:
    key = received((member("agent/bot.sh"), b"ours"))
    (kept,) = ArchiveStore().folder.glob("*/*")
    kept.write_bytes(kept.read_bytes().replace(b"ours", b"evil"))
    with pytest.raises(UserError, match="is damaged; it was removed"):
        ArchiveStore().unpack(key, place / "into")
    assert ArchiveStore().missing([key]) == [key]


def test_languages_of_the_head_arrive_as_they_are(place: Path) -> None:
    """Whatever is in a string, it stays that string."""
    hostile = '"]\n[agents.x]\nrun = "evil" \x7f \u202e 🂡 \\'
    entry = LanguageEntry(extensions=[".odd"], run=["odd", hostile])
    contest = auction(place, varied(place, "ann", "bob"))
    spec = RunSpec(run="r", contest="cup", plan=plan_of(contest), agents=(), languages={hostile: entry})
    (place / "run").mkdir()
    _write_settings(spec, place / "run")
    found = [settings for _, settings in Workspace(place / "run").sources if hostile in settings.languages]
    assert found[0].languages == {hostile: entry}
    assert not found[0].agents


def test_a_key_is_not_a_path() -> None:
    with pytest.raises(UserError, match="is not the hash of an archive"):
        ArchiveStore().missing(["../../etc/passwd"])
