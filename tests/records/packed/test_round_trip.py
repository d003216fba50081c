"""Whatever is packed comes back byte for byte, with the facts that its record has."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbiter.records import at_rest
from arbiter.records.format import AnnulledLine, AnswerLine, FaultInfo, Header, ResultLine, SeatInfo
from arbiter.records.packed.archive import Archive
from arbiter.records.packed.packing import pack_folder
from arbiter.records.reader import load_record, record_bytes
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.records.summary import GameSummary, summarise
from tests.records import games
from tests.tools import ROOT

pytestmark = pytest.mark.slow

FEW = 20
"""Examples: each draws hundreds of values and writes a file of forty columns."""
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


def packed(folder: Path, games: dict[str, bytes]) -> Archive:
    """Write these records to a folder and pack them."""
    folder.mkdir()
    for name, data in games.items():
        (folder / name).write_bytes(data)
    pack_folder(folder)
    (path,) = at_rest.archives(folder)
    return Archive(path)


def fits(number: int) -> bool:
    return -(1 << 63) <= number < 1 << 63


@settings(max_examples=FEW, deadline=None)
@given(st.lists(whole_records(), min_size=1, max_size=3))
def test_records_come_back_or_stay_files(games: list[bytes]) -> None:
    """They are valid, but may have seats that do not exist, and numbers of any size."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, data in enumerate(games):
            (folder / f"{number}.jsonl").write_bytes(data)
        done = pack_folder(folder)
        assert done.games + len(done.kept) == len(games)
        assert [record_bytes(folder / f"{number}.jsonl") for number in range(len(games))] == games
        loose = {path.name for path in folder.glob("*.jsonl")}
        assert len(loose) == len(done.kept)
        found = [game for game in search(folder, Query(), keep=False).games if Path(game.record).name not in loose]
        assert len(found) == done.games
        assert list(map(timeless, found)) == [timeless(summarise(load_record(Path(game.record)))) for game in found]


def timeless(game: GameSummary) -> GameSummary:
    """Without its dates, which a column cannot hold if they are none."""
    return msgspec.structs.replace(game, started="", ended="")


@settings(max_examples=FEW, deadline=None)
@given(st.data())
def test_damaged_records_come_back(data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from([path.read_bytes() for path in SAMPLES]))
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 40)))
    damaged = whole[:start] + data.draw(st.binary(max_size=8)) + whole[end:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packed(folder / "shelf", {"a.jsonl": damaged, "b.jsonl": whole})
        assert record_bytes(folder / "shelf" / "a.jsonl") == damaged
        assert record_bytes(folder / "shelf" / "b.jsonl") == whole


def test_the_facts_of_real_games_are_those_of_their_records(tmp_path: Path) -> None:
    packed(tmp_path / "shelf", {path.name: path.read_bytes() for path in SAMPLES})
    games = search(tmp_path / "shelf", Query()).games
    assert len(games) == len(SAMPLES)
    assert games == [summarise(load_record(Path(game.record))) for game in games]


@pytest.mark.parametrize("number", [(1 << 63) - 1, 1 << 63, -(1 << 63) - 1])
def test_a_game_whose_numbers_do_not_fit_their_columns_stays_a_file(tmp_path: Path, number: int) -> None:
    record = games.counting(tmp_path / "a.jsonl")
    games.counting(tmp_path / "b.jsonl")
    games.tampered(record, tmp_path / "a.jsonl", lambda lines: lines[0].update(game=number))
    done = pack_folder(tmp_path)
    kept = [] if fits(number) else [f"{tmp_path}/a.jsonl: a number in it is out of range"]
    assert (done.games, done.kept) == (2 - len(kept), kept)
    assert load_record(tmp_path / "a.jsonl").header.game == number
