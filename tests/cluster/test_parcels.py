"""Agents travel by content: what is sent, and what a host makes of it."""

from __future__ import annotations

import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from arbiter.cluster.parcels import INSIDE, pack
from arbiter.cluster.shipping import Shipped, ship, unload
from arbiter.cluster.unpacking import ParcelStore, prepare
from arbiter.contest.scheduled import Outcome, ScheduledGame
from arbiter.contest.worker import Done, Job
from arbiter.errors import UserError
from tests.contest.running.around import auction, plan_of, varied
from tests.nullgame.place import write


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_host_gets_the_agents_files_and_none_of_the_others(place: Path) -> None:
    write(place / "bots" / "book.txt", "e4")
    contest = auction(place, [*varied(place / "bots", "ann"), *varied(place / "bots", "bob")])
    goods = pack(plan_of(contest), "cup", "run")
    store = ParcelStore()
    assert store.missing([*goods.parcels]) == [*goods.parcels]
    for key, data in goods.parcels.items():
        store.add(key, data)
    assert store.missing([*goods.parcels]) == []

    folder = place / "station"
    folder.mkdir()
    plan = prepare(goods.offer, folder)

    first = plan.entrants[0].agent
    assert (first.name, first.folder) == ("ann", folder / "0" / INSIDE)
    assert {path.name for path in first.folder.iterdir()} == {"ann.sh", "book.txt"}
    assert [entrant.fingerprint for entrant in plan.entrants] == [one.fingerprint for one in plan_of(contest).entrants]


def test_a_damaged_archive_is_refused(place: Path) -> None:
    with pytest.raises(UserError, match="damaged on the way"):
        ParcelStore().add("0" * 64, b"anything")


@pytest.mark.parametrize("name", ["../outside", "/outside", "agent/../../outside"])
def test_an_archive_cannot_write_outside_its_folder(place: Path, name: str) -> None:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        tar.addfile(tarfile.TarInfo(name))
    key = hashlib.sha256(data.getvalue()).hexdigest()
    ParcelStore().add(key, data.getvalue())
    with pytest.raises(UserError, match="cannot be unpacked"):
        ParcelStore().unpack(key, place / "into")
    assert not (place / "outside").exists()


def test_a_key_is_not_a_path() -> None:
    with pytest.raises(UserError, match="is not the hash of an archive"):
        ParcelStore().missing(["../../etc/passwd"])


def test_a_record_that_was_changed_on_the_way_is_noticed(tmp_path: Path) -> None:
    job = Job(ScheduledGame(("a", "b"), 1), 3, str(tmp_path / "there.jsonl"))
    Path(job.path).write_bytes(b"record")
    outcome = Outcome(game=job.game, ranks=(1, 2), scores=(1.0, 0.0))
    sent = ship(job, Done(3, outcome=outcome), 0.1)
    assert not Path(job.path).exists()
    changed = Shipped(sent.number, sent.done, b"recorf", sent.log, sent.took_s, sent.checksum)
    assert unload(changed, job).lost
    assert not Path(job.path).exists()
    assert unload(sent, job).outcome == outcome
    assert Path(job.path).read_bytes() == b"record"


def test_a_record_without_a_result_does_not_get_into_the_ledger(tmp_path: Path) -> None:
    job = Job(ScheduledGame(("a", "b"), 1), 3, str(tmp_path / "there.jsonl"))
    Path(job.path).write_bytes(b"the header")
    assert unload(ship(job, Done(3, "a worker was killed by signal 9", lost=True), 0.1), job).lost
    assert not Path(job.path).exists()
