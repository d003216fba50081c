"""Records of real protocols with moves that cannot have been played: every command reports them in one line at most."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from arbiter.author.why_game import story_of
from arbiter.cli.transcript import Transcript
from arbiter.config.workspace import Workspace
from arbiter.errors import UserError
from arbiter.game import Protocol
from arbiter.records.exports.document import whole_document
from arbiter.records.exports.table import moves_table
from arbiter.records.format import AnswerLine, decode_line
from arbiter.records.reader import Record, load_record
from arbiter.registry import find_protocol
from tests.tools import ROOT

pytestmark = pytest.mark.slow

SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))
MOVES = ("", "0", "../../etc/passwd", "\x1b[2J", "9" * 400)
WAYS: dict[str, Callable[[Record, Protocol], object]] = {
    "show": lambda record, protocol: Transcript(record, protocol).turns,
    "export --csv": moves_table,
    "export --data": whole_document,
    "why": story_of,
}


def with_first_move(sample: Path, move: str, path: Path) -> tuple[Record, Protocol]:
    lines = sample.read_bytes().splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if isinstance(decode_line(line), AnswerLine))
    lines[at] = msgspec.json.encode(msgspec.json.decode(lines[at]) | {"move": move}) + b"\n"
    path.write_bytes(b"".join(lines))
    record = load_record(path)
    return record, find_protocol(record.header.protocol, Workspace())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("way", WAYS)
def test_an_impossible_move_is_never_reported_as_a_bug(sample: Path, way: str, tmp_path: Path) -> None:
    for move in MOVES:  # some protocols have a meaning for one of them
        with contextlib.suppress(UserError):
            WAYS[way](*with_first_move(sample, move, tmp_path / "strange.jsonl"))


def test_the_file_and_the_move_are_named(tmp_path: Path) -> None:
    (splendor,) = (path for path in SAMPLES if path.stem == "splendor")
    record, protocol = with_first_move(splendor, "../../etc/passwd", tmp_path / "strange.jsonl")
    for look in (WAYS["show"], WAYS["export --csv"], WAYS["why"]):
        with pytest.raises(UserError) as refusal:
            look(record, protocol)
        said = "turn 1 cannot be replayed: the rules cannot apply '../../etc/passwd'"
        assert refusal.value.located() == f"{record.path}: {said}"
