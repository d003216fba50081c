"""A played game on its way to the head: its record as bytes, with a checksum."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

import msgspec

from arbiter.contest.worker import Done, Job
from arbiter.records.stderr_log import log_path


class Shipped(msgspec.Struct, frozen=True):
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
        """Whether it arrived as it was sent."""
        return self.checksum == _checksum(self.number, self.done, self.record, self.log)


def ship(job: Job, done: Done, took_s: float) -> Shipped:
    """Read what a game has left on this machine, and remove it."""
    path = Path(job.path)
    record, log = _take(path), _take(log_path(path))
    reply = msgspec.json.encode(done)
    return Shipped(job.number, reply, record, log, took_s, _checksum(job.number, reply, record, log))


def unload(shipped: Shipped, job: Job) -> Done:
    """Write a game to where its record belongs, whole or not at all, and return the reply of the worker process."""
    if not shipped.is_whole:
        return Done(job.number, "its record was damaged on the way from the cluster", lost=True)
    done = msgspec.json.decode(shipped.done, type=Done)
    if done.outcome is None:  # what there is of a record has no result
        return done
    path = Path(job.path)
    if shipped.log:
        _write(log_path(path), shipped.log)
    _write(path, shipped.record)
    return done


def _take(path: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        data = path.read_bytes()
        path.unlink()
        return data
    return b""


def _write(path: Path, data: bytes) -> None:
    new = path.with_name(f".{path.name}.arriving")
    new.unlink(missing_ok=True)
    with os.fdopen(
        os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644), "wb"
    ) as file:
        file.write(data)
    new.rename(path)


def _checksum(number: int, *parts: bytes) -> str:
    whole = hashlib.sha256(str(number).encode())
    for part in parts:
        whole.update(f"\0{len(part)}\0".encode() + part)
    return whole.hexdigest()
