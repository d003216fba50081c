"""Drop optional parts of old records: kibitz, times, logs.

Results, moves, random outcomes and faults are always kept, and the digest covers nothing else, so a pruned record still
verifies. The header of a pruned record names what was dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from arbiter.errors import UserError
from arbiter.output_files import replace_file
from arbiter.records.at_rest import logs_of
from arbiter.records.reader import check_record, is_being_written, read_file

Part = Literal["kibitz", "times", "logs"]
PARTS: tuple[Part, ...] = ("kibitz", "times", "logs")

_Fields = dict[str, msgspec.Raw]
_fields = msgspec.json.Decoder(_Fields).decode
_encode = msgspec.json.Encoder().encode
_ZERO = msgspec.Raw(b"0")


@dataclass(slots=True)
class Pruned:
    """What is dropped, or would be."""

    games: int = 0
    """Games that have anything to drop."""
    matching: int = 0
    """Games that match."""
    before: int = 0
    """Bytes of the files that are changed, with their logs."""
    freed: int = 0
    """Bytes."""
    kept: list[str] = field(default_factory=list)
    """Files that stay as they are, each with the reason."""

    def __iadd__(self, other: Pruned) -> Pruned:
        self.games += other.games
        self.matching += other.matching
        self.before += other.before
        self.freed += other.freed
        self.kept += other.kept
        return self


def pruned_record(path: Path, data: bytes, parts: Collection[Part]) -> bytes | None:
    """Return a finished record without some parts; None if it has none of them. Raises UserError if its digest is wrong.

    Bytes of values that stay are not changed, nor is the order of fields.
    """
    record = check_record(path, data)
    if record.result is None or record.torn:
        return None
    if not record.is_unchanged():
        raise UserError(f"{path}: its digest does not match, so it was changed after its game")
    lines = _lines(data)
    answers, result = lines[1 : 1 + len(record.answers)], lines[1 + len(record.answers)]
    dropped: set[Part] = set()
    if "kibitz" in parts and _drop_kibitz(answers, result):
        dropped.add("kibitz")
    if "times" in parts and _drop_times(answers):
        dropped.add("times")
    if not dropped:
        return None
    return _marked(path, lines, dropped)


def _marked(path: Path, lines: list[_Fields], dropped: Collection[Part]) -> bytes:
    """Return the lines as a record whose header names what was dropped."""
    _mark(lines[0], dropped)
    data = b"".join(_encode(line) + b"\n" for line in lines)
    if not check_record(path, data).is_unchanged():
        raise AssertionError(f"{path}: pruning would change its digest")
    return data


def _mark(header: _Fields, dropped: Collection[Part]) -> None:
    known = msgspec.json.decode(header["pruned"], type=list[str]) if "pruned" in header else []
    header["pruned"] = msgspec.Raw(
        _encode([*known, *(part for part in PARTS if part in dropped and part not in known)])
    )


def _drop_kibitz(answers: Sequence[_Fields], result: _Fields) -> bool:
    found = [answer.pop("kibitz", None) for answer in answers]
    after = bytes(result.get("afterwards", b"{}")) != b"{}"
    if after:
        result["afterwards"] = msgspec.Raw(b"{}")
    return after or any(each is not None for each in found)


def _drop_times(answers: Sequence[_Fields]) -> bool:
    """Set times to 0, which means unknown. The time left for the game is kept, because agents may have been sent it."""
    had = [answer.get(name, _ZERO) for answer in answers for name in (*_TIMES, "waited_us")]
    for answer in answers:
        answer.update(dict.fromkeys(_TIMES, _ZERO))
        answer.pop("waited_us", None)
    return any(bytes(each) != b"0" for each in had)


_TIMES = ("wall_us", "cpu_us", "charged_us")


def prune_file(path: Path, parts: Collection[Part], *, really: bool) -> Pruned:
    """Drop parts of a record that is a file, or find out what that would free. Raises OSError.

    The file is replaced atomically, so an interruption leaves either the old one or the new one.
    """
    logs = [log for log in logs_of(path).values() if "logs" in parts and log.is_file() and not log.is_symlink()]
    try:
        data = read_file(path)
        record = check_record(path, data)
        if path.is_symlink() or is_being_written(path) or record.result is None or record.torn:
            return Pruned()
        new = pruned_record(path, data, parts) or (data if logs else None)
    except UserError as error:
        return Pruned(matching=1, kept=[str(error)])
    if new is None:
        return Pruned(matching=1)
    before = len(data) + sum(log.stat().st_size for log in logs)
    if logs:
        new = without_logs(path, new)
    if really:
        replace_file(path, new, on_disk=True)
        for log in logs:
            log.unlink(missing_ok=True)
    return Pruned(matching=1, games=1, before=before, freed=before - len(new))


def without_logs(path: Path, data: bytes) -> bytes:
    """Return a record whose header says that its logs were dropped."""
    dropped: tuple[Part, ...] = ("logs",)
    return _marked(path, _lines(data), dropped)


def _lines(data: bytes) -> list[_Fields]:
    return [_fields(line) for line in data.split(b"\n")[:-1]]
