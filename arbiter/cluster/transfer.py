"""A played game on its way to the head: its record as bytes, with a checksum."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

import msgspec

from arbiter.contest.scheduled import GameSummary
from arbiter.contest.worker import Done
from arbiter.output_files import replace_file
from arbiter.playing.job import Job
from arbiter.records.reader import MOST_BYTES
from arbiter.records.stderr_log import log_path


class SentGame(msgspec.Struct, frozen=True):
    """A game as a host sends it."""

    number: int
    done: bytes
    """The reply of the worker process."""
    record: bytes
    """Empty if the game left none."""
    log: bytes
    """The log of standard error; empty if there is none."""
    took_s: float
    checksum: str

    @property
    def is_whole(self) -> bool:
        """Whether the checksum matches."""
        return self.checksum == _checksum(self.number, self.done, self.record, self.log)


def collect_game(job: Job, done: Done, took_s: float) -> SentGame:
    """Read the files of a game on this machine, and remove them."""
    path = Path(job.path)
    record, log = _take(path), _take(log_path(path))
    reply = msgspec.json.encode(done)
    return SentGame(job.number, reply, record, log, took_s, _checksum(job.number, reply, record, log))


def decode_game(data: bytes) -> SentGame | None:
    """Return a game as a host has sent it; None if it cannot be decoded."""
    try:
        return msgspec.msgpack.decode(data, type=SentGame)
    except (msgspec.DecodeError, UnicodeDecodeError, TypeError):
        return None


def save_game(sent: SentGame, job: Job) -> Done:
    """Write a game to where its record belongs, whole or not at all, and return the reply of the worker process."""
    if not sent.is_whole:
        return Done(job.number, "its record was damaged on the way from the cluster", lost=True)
    try:
        done = msgspec.json.decode(sent.done, type=Done)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Done(job.number, "its host has sent an invalid reply", lost=True)
    if done.outcome is None:  # what there is of a record has no result
        return done
    if not _is_of(done.outcome, job) or not 0 < len(sent.record) <= MOST_BYTES:
        return Done(job.number, "its host has sent the result of another game", lost=True)
    path = Path(job.path)
    if sent.log:
        replace_file(log_path(path), sent.log, 0o644)
    replace_file(path, sent.record, 0o644)
    return done


def _is_of(outcome: GameSummary, job: Job) -> bool:
    """Return whether an outcome can be that of a game: what a host sends must not change the results of other games."""
    by_seat = (
        outcome.fingerprints,
        outcome.ranks,
        outcome.scores,
        outcome.think_us,
        outcome.slowest_us,
        outcome.answers,
    )
    seats = len(job.game.seats)
    return (
        (outcome.game, outcome.number, outcome.annulled) == (job.game, job.number, None)
        and (outcome.commitment, outcome.deal_seed) == (job.commitment, job.seed if job.deal_seed else None)
        and {len(each) for each in by_seat} == {seats}
        and all(0 <= fault.seat < seats for fault in outcome.faults)
    )


def _take(path: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        data = path.read_bytes()
        path.unlink()
        return data
    return b""


def _checksum(number: int, *parts: bytes) -> str:
    whole = hashlib.sha256(str(number).encode())
    for part in parts:
        whole.update(f"\0{len(part)}\0".encode() + part)
    return whole.hexdigest()
