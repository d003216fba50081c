"""The mirror of a running record: it follows one play of one game, and makes way for the whole record."""

from __future__ import annotations

from pathlib import Path

import pytest

from arbiter.cluster import following
from arbiter.cluster.following import MOST_GAMES, Follower
from arbiter.cluster.slot import Excerpt
from arbiter.contest.progress import RunningGame
from arbiter.contest.scheduled import ScheduledGame
from arbiter.playing.job import Job
from arbiter.records.reader import load_record
from tests.tools import ROOT


def job(folder: Path, number: int) -> Job:
    return Job(ScheduledGame(("a", "b"), 1), number, str(folder / f"{number}.jsonl"))


async def nobody(*_: object) -> bytes:
    raise AssertionError


def test_a_mirror_begins_again_with_another_play_and_ends_with_the_game(tmp_path: Path) -> None:
    changes: list[int] = []
    follower = Follower("run", nobody, lambda: changes.append(1))
    follower.take([Excerpt(1, 0, 7, 0, b"nobody waits for it")])
    assert (list(tmp_path.iterdir()), changes) == ([], [])

    jobs = [job(tmp_path, number) for number in range(1, MOST_GAMES + 3)]
    follower.begin(jobs)
    path = Path(jobs[0].path)
    follower.take([Excerpt(1, 0, 7, 0, b"head"), Excerpt(1, 0, 7, 9, b"a gap"), Excerpt(1, 0, 7, 4, b"er\n")])
    assert path.read_bytes() == b"header\n"
    follower.take([Excerpt(1, 3, 8, 0, b"again")])
    assert path.read_bytes() == b"again"
    assert follower.running == (RunningGame(3, 1, ("a", "b"), str(path)),)

    follower.take([Excerpt(each.number, 0, 1, 0, b"x") for each in jobs])
    assert len(follower.running) == len(list(tmp_path.iterdir())) == MOST_GAMES

    path.rename(tmp_path / "moved")
    path.write_bytes(b"the whole record")
    follower.end(jobs)
    assert not follower.running
    assert {each.name for each in tmp_path.iterdir()} == {path.name, "moved"}, "a record that has arrived stays"


def test_a_mirror_grows_no_larger_than_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "MOST_BYTES", 10)
    follower = Follower("run", nobody, lambda: None)
    follower.begin([job(tmp_path, 1)])
    follower.take([Excerpt(1, 0, 7, 0, b"x" * 8), Excerpt(1, 0, 7, 8, b"x" * 8), Excerpt(1, 0, 7, 10, b"x" * 8)])
    assert (tmp_path / "1.jsonl").stat().st_size == 10


@pytest.mark.parametrize("size", [1, 7, 100])
def test_a_mirror_never_has_the_result(tmp_path: Path, size: int) -> None:
    """Else the mirror of a killed head would count: without its log, and however it was damaged on the way."""
    record = (ROOT / "matches" / "samples" / "drones.jsonl").read_bytes()
    before = record[: record.index(b'\n{"type":"result"') + 1]
    follower = Follower("run", nobody, lambda: None)
    follower.begin([job(tmp_path, 1)])
    path = tmp_path / "1.jsonl"
    while (at := path.stat().st_size if path.exists() else 0) < len(record):
        follower.take([Excerpt(1, 0, 7, at, record[at : at + size])])
        if path.stat().st_size == at:
            break
    mirror = path.read_bytes()
    assert mirror.startswith(before)
    assert load_record(path).result is None
