"""Whatever goes into the columns comes back byte for byte."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.records.format import AnnulledLine, AnswerLine, FaultInfo, Header, ResultLine, SeatInfo
from arbiter.records.packed import shapes
from arbiter.records.packed.columns import Rows
from arbiter.records.packed.restore import records
from arbiter.records.packed.schema import COLUMNS, schema, writing
from arbiter.records.packed.seal import seal
from tests.tools import ROOT

FEW = 60
"""Examples: each draws hundreds of values and most write a file of forty columns."""
SAMPLES = sorted((ROOT / "matches" / "samples").glob("*.jsonl"))

HOSTILE = ("'; DROP TABLE games; --", "\0\1\x1b[2J", "007 \\u0000 1e5", '","seed":\1,"', "\u202e ß 🂡", "{" * 50)
text = st.one_of(st.sampled_from(HOSTILE), st.text(max_size=12))
small, large = st.integers(0, 1 << 20), st.integers(-(1 << 70), 1 << 70)
numbers = st.one_of(small, small, large)
moments = st.one_of(st.just("2026-11-16T02:38:56.260Z"), st.just("2026-13-16T02:38:56.260Z"), text)
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), small, st.floats(allow_nan=False, allow_infinity=False), text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=3)),
    max_leaves=8,
)
faults = st.builds(
    FaultInfo, kind=text, detail=text, said=text, said_bytes=numbers, stderr=text,
    exit_code=st.one_of(st.none(), numbers), memory=numbers,
)  # fmt: skip


def answers(seats: int) -> st.SearchStrategy[AnswerLine]:
    texts = st.lists(text, max_size=2)
    return st.builds(
        AnswerLine, turn=st.one_of(st.integers(0, 99), large), seat=st.integers(0, seats), move=text,
        fault=st.one_of(st.none(), faults), message=text, wall_us=numbers, cpu_us=numbers, charged_us=numbers,
        waited_us=numbers, left_us=st.one_of(st.none(), numbers), kibitz=texts, chance=st.lists(numbers, max_size=2),
        started=st.booleans(), notes=texts,
    )  # fmt: skip


@st.composite
def whole_records(draw: st.DrawFn) -> bytes:
    seats = draw(st.integers(1, 3))
    who = st.builds(
        SeatInfo, name=text, agent=text, command=st.lists(text, max_size=1), lifetime=text, fingerprint=text
    )
    header = Header(
        arbiter=draw(text), protocol=draw(text), version=draw(numbers), options={"a": draw(text)}, seed=draw(numbers),
        setup=draw(plain), seats=draw(st.lists(who, min_size=seats, max_size=seats)), started=draw(moments),
        game=draw(numbers), contest=draw(text), stage=draw(text),
    )  # fmt: skip
    result = ResultLine(
        ranks=draw(st.lists(numbers, min_size=seats, max_size=seats)), reason=draw(text), turns=draw(small),
        scores=draw(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=seats, max_size=seats)),
        data=draw(st.dictionaries(text, plain, max_size=2)), memory={0: draw(small)},
        afterwards=draw(st.dictionaries(st.integers(0, seats), st.lists(text, max_size=2), max_size=2)),
        deal_seed=draw(st.one_of(st.none(), numbers)), ended=draw(moments),
        digest=draw(st.one_of(st.just("sha256:" + "0f" * 32), st.just("sha256:" + "0F" * 32), text)),
    )  # fmt: skip
    lines: list[object] = [header, *draw(st.lists(answers(seats - draw(st.integers(0, 1))), max_size=4)), result]
    if draw(st.booleans()):
        lines.append(AnnulledLine(because=draw(text), when=draw(text)))
    try:
        return msgspec.json.Encoder().encode_lines(lines)
    except OverflowError:  # msgspec writes no larger numbers; a record from elsewhere may have them
        import json

        return b"".join(json.dumps(msgspec.to_builtins(line)).encode() + b"\n" for line in lines)


def through_a_file(rows: Rows) -> list[bytes]:
    file = io.BytesIO()
    table = rows.table()
    with pq.ParquetWriter(file, schema(), **writing()) as writer:
        writer.write_table(table)
    found = pq.read_table(io.BytesIO(file.getvalue()))
    assert seal(found) == seal(table)
    return list(records(found))


@settings(max_examples=FEW, deadline=None)
@given(st.lists(whole_records(), min_size=1, max_size=3))
def test_records_come_back(games: list[bytes]) -> None:
    rows = Rows()
    for number, data in enumerate(games):
        rows.add(f"{number}.jsonl", data)
    assert through_a_file(rows) == games


@settings(max_examples=FEW, deadline=None)
@given(st.data())
def test_damaged_records_come_back(data: st.DataObject) -> None:
    whole = data.draw(st.one_of(whole_records(), st.sampled_from([path.read_bytes() for path in SAMPLES])))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    damaged = whole[:start] + data.draw(st.binary(max_size=8)) + whole[end:]
    rows = Rows()
    rows.add("a.jsonl", damaged)
    rows.add("b.jsonl", whole)
    assert through_a_file(rows) == [damaged, whole]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_real_records_need_no_copy_of_their_text(path: Path) -> None:
    rows = Rows()
    rows.add(path.name, path.read_bytes())
    table = rows.table()
    assert table.column("exact").null_count == 1
    assert list(records(table)) == [path.read_bytes()]


@settings(max_examples=FEW // 2, deadline=None)
@given(whole_records(), whole_records(), st.sampled_from(sorted(COLUMNS)))
def test_a_seal_differs_for_any_other_value(one: bytes, other: bytes, column: str) -> None:
    tables = []
    for data in (one, other):
        rows = Rows()
        rows.add("a.jsonl", data)
        tables.append(rows.table().select([column]))
    same = repr(tables[0].to_pylist()) == repr(tables[1].to_pylist())  # unlike ==, distinguishes 0.0 from -0.0
    assert (seal(tables[0]) == seal(tables[1])) == same


@given(st.text(alphabet='0123456789-., "ab{}', max_size=40))
def test_shapes_are_filled_again(line: str) -> None:
    shape, found = shapes.split(line)
    assert shapes.fill(shape, list(map(str, found))) == line
