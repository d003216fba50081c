"""Agents as they were in a commit: ``git:REF`` and ``git:REF:PATH``."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest

from arbiter.agents.prepare import git_version
from arbiter.agents.prepare.git_version import extract_commit, extracted
from arbiter.errors import UserError
from tests.nullgame.command import arbiter
from tests.nullgame.place import ADDS, write


def git(folder: Path, *words: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main")
    return subprocess.run(["git", *author, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(place: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an agent that adds 1, then 2, and now 3 without a commit."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "cache"))
    git(place, "init", "-q")
    for number in (1, 2):
        write(place / "bots" / "bot.sh", ADDS.format(number))
        write(place / "bots" / "agent.yaml", "run: sh bot.sh\n")
        git(place, "add", "bots")
        git(place, "commit", "-qm", str(number))
    write(place / "bots" / "bot.sh", ADDS.format(3))
    return place


def test_versions_play_against_each_other(repository: Path) -> None:
    agents = ["new=bots", "old=git:HEAD~1:bots/bot.sh", "head=git:main:bots"]
    ran = arbiter("play", "count_up", *agents, "-o", "turns=3", "--json")
    assert ran.code == 0, ran.err
    (game,) = ran.document["games"]
    assert dict(zip(game["seats"], game["scores"], strict=True)) == {"new": 3, "old": 1, "head": 2}


def test_without_a_path_it_is_the_current_folder(repository: Path) -> None:
    ran = arbiter(
        "play",
        "count_up",
        "git:HEAD",
        "-o",
        "turns=1",
        "--json",
        "--save",
        repository / "g",
        folder=repository / "bots",
    )
    assert ran.code == 0, ran.err
    assert ran.document["games"][0]["scores"] == [2]
    assert ran.document["games"][0]["seats"] == ["bots-HEAD"]


def test_nothing_of_the_repository_is_run(repository: Path) -> None:
    trap = write(repository / "trap.sh", f"#!/bin/sh\ntouch {repository}/sprung\ncat\n", executable=True)
    write(repository / ".gitattributes", "* filter=trap diff=trap\n")
    git(repository, "add", ".gitattributes")
    git(repository, "commit", "-qm", "trap")
    for name in (
        "filter.trap.smudge",
        "filter.trap.process",
        "core.fsmonitor",
        "core.pager",
        "diff.trap.textconv",
        "tar.tar.command",
    ):
        git(repository, "config", name, str(trap))
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        write(repository / ".git" / "hooks" / hook, trap.read_text(encoding="utf-8"), executable=True)
    found = extracted("git:HEAD:bots/bot.sh", repository)
    assert found.read_text(encoding="utf-8") == ADDS.format(2)
    assert not (repository / "sprung").exists()


def test_nothing_is_fetched_to_complete_a_repository(repository: Path) -> None:
    commit = git(repository, "rev-parse", "HEAD").strip()
    (repository / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    for name, value in {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::sh -c touch% {repository}/sprung",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        git(repository, "config", name, value)
    with pytest.raises(UserError, match=r"no commit 'HEAD'"):
        extracted("git:HEAD", repository)
    assert not (repository / "sprung").exists()


def test_a_commit_that_expands_beyond_the_limit_is_refused(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (repository / "zeros").write_bytes(bytes(1 << 20))
    git(repository, "add", "zeros")
    git(repository, "commit", "-qm", "bomb")
    monkeypatch.setattr(git_version, "_MOST_BYTES", 1 << 19)
    with pytest.raises(UserError, match="the commit is larger than"):
        extracted("git:HEAD", repository)


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ("git:--output=x", "must be git:REF"),
        ("git:", "must be git:REF"),
        ("git:main..HEAD", "must be git:REF"),
        ("git:HEAD:../x", "inside the current folder"),
        ("git:HEAD:/etc/passwd", "inside the current folder"),
        ("git:nowhere", "no commit 'nowhere'"),
        ("git:HEAD:bots/none.py", "there is no 'bots/none.py' in commit"),
    ],
)
def test_mistakes_are_named(repository: Path, text: str, because: str) -> None:
    with pytest.raises(UserError, match=because):
        extracted(text, repository)


def test_outside_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not a git repository"):
        extracted("git:HEAD", tmp_path)


def test_commits_that_nobody_used_for_a_month_are_removed(repository: Path) -> None:
    commits = repository / "cache" / "arbiter" / "commits"
    old = extracted("git:HEAD~1:bots", repository).parent
    os.utime(old, (1, 1))
    new = extracted("git:HEAD:bots", repository).parent
    assert [path.name for path in commits.iterdir() if path.name != ".lock"] == [new.name]
    assert extracted("git:HEAD~1:bots", repository).parent == old, "extracted again"


@pytest.mark.parametrize(
    ("name", "target"),
    [("../out", ""), ("/out", ""), ("a/../../out", ""), ("link", "/etc/passwd"), ("a/link", "../../out")],
)
def test_a_commit_leads_nowhere_but_into_its_folder(tmp_path: Path, name: str, target: str) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = (tarfile.SYMTYPE, target) if target else (tarfile.REGTYPE, "")
        archive.addfile(member)
    folder = tmp_path / "commit"
    folder.mkdir()
    with pytest.raises(UserError, match="leads out of the commit" if target else "is outside"):
        extract_commit(made.getvalue(), folder)
    assert [path.name for path in tmp_path.iterdir()] == ["commit"]


def test_files_programs_and_links_of_a_commit_are_extracted_whatever_the_umask(
    tmp_path: Path, private_umask: None
) -> None:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, kind, mode, target in (
            ("link", tarfile.SYMTYPE, 0o777, "bots/run"),
            ("bots/run", tarfile.REGTYPE, 0o4775, ""),
            ("bots/book", tarfile.REGTYPE, 0o664, ""),
            ("device", tarfile.CHRTYPE, 0o666, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.mode, member.linkname = kind, mode, target
            archive.addfile(member)
    folder = tmp_path / "commit"
    folder.mkdir()
    extract_commit(made.getvalue(), folder)
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*")) == [
        "bots",
        "bots/book",
        "bots/run",
        "link",
    ]
    assert [(folder / name).stat().st_mode & 0o7777 for name in ("bots", "bots/run", "bots/book")] == [
        0o755,
        0o755,
        0o644,
    ]
    assert (folder / "link").readlink() == Path("bots/run")
