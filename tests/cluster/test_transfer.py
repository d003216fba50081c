"""Games on their way to the head: what a host sends counts for the game it was given, whole, or not at all."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from arbiter.cluster import transfer
from arbiter.cluster.transfer import SentGame, collect_game, decode_game, save_game
from arbiter.contest.scheduled import ScheduledGame
from arbiter.contest.worker import Done
from arbiter.playing.job import Job
from arbiter.records.summary import FaultReport
from tests.contest.fake_game import finished

GAME = ScheduledGame(("a", "b"), 1)
OUTCOME = finished(GAME, (1, 2), (1.0, 0.0), number=3, fingerprints=["", ""])


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return Job(GAME, 3, str(tmp_path / "there.jsonl"))


def sent(job: Job, done: Done, record: bytes = b"record") -> SentGame:
    """What an honest host sends after a game."""
    Path(job.path).write_bytes(record)
    found = collect_game(job, done, 0.1)
    assert not Path(job.path).exists()
    return found


def resealed(shipped: SentGame, done: bytes) -> SentGame:
    """What a host sends that puts the right checksum on anything."""
    checksum = transfer._checksum(shipped.number, done, shipped.record, shipped.log)
    return msgspec.structs.replace(shipped, done=done, checksum=checksum)


def test_a_record_arrives(job: Job) -> None:
    shipped = decode_game(msgspec.msgpack.encode(sent(job, Done(3, outcome=OUTCOME))))
    assert shipped
    path = Path(job.path)
    path.write_bytes(b"a mirror")
    assert save_game(shipped, job).outcome == OUTCOME
    assert path.read_bytes() == b"record"
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_record_that_was_changed_on_the_way_is_noticed(job: Job) -> None:
    changed = msgspec.structs.replace(sent(job, Done(3, outcome=OUTCOME)), record=b"recorf")
    assert save_game(changed, job).lost
    assert not Path(job.path).exists()


def test_bytes_that_are_no_game_are_passed_over(job: Job) -> None:
    data = msgspec.msgpack.encode(sent(job, Done(3, outcome=OUTCOME)))
    assert decode_game(data)
    for damaged in (data[:-1], b"", b"\xff" + data, data.replace(b"number", b"nummer"), data.replace(b"\xa6", b"\xff")):
        assert decode_game(damaged) is None


def test_a_record_without_a_result_does_not_get_into_the_ledger(job: Job) -> None:
    assert save_game(sent(job, Done(3, "a worker was killed by signal 9", lost=True), b"the header"), job).lost
    assert not Path(job.path).exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 2},
        {"seats": ["b", "a"]},
        {"number": 4},
        {"annulled": "void"},
        {"deal_seed": 7},
        {"ranks": [1]},
        {"scores": [1.0, 0.0, 0.0]},
        {"answers": []},
        {"faults": [FaultReport(turn=1, seat=2, kind="late", detail="")]},
        {"think_us": []},
    ],
)
def test_a_host_cannot_answer_for_another_game(job: Job, changes: dict[str, object]) -> None:
    outcome = msgspec.structs.replace(OUTCOME, **changes)
    done = save_game(sent(job, Done(3, outcome=outcome)), job)
    assert (done.lost, done.outcome) == (True, None)
    assert not Path(job.path).exists()


@pytest.mark.parametrize("reply", [b"", b"nothing", b'{"number":"x"}', b'{"outcome":{"game":7}}', b"\xff"])
def test_a_reply_that_is_none_costs_the_game_a_try(job: Job, reply: bytes) -> None:
    assert save_game(resealed(sent(job, Done(3, outcome=OUTCOME)), reply), job).lost


def test_a_record_has_a_size(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = sent(job, Done(3, outcome=OUTCOME), b"x" * 100)
    monkeypatch.setattr(transfer, "MOST_BYTES", 99)
    assert save_game(shipped, job).lost
    assert save_game(sent(job, Done(3, outcome=OUTCOME), b""), job).lost, "a game that counts has a record"
    assert not Path(job.path).exists()
