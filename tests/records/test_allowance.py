"""A record keeps a bounded amount of what agents say besides their moves."""

from __future__ import annotations

from pathlib import Path

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arbiter import play
from arbiter.records.allowance import Allowance
from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.reader import load_record
from arbiter.records.verify import differences
from tests.nullgame import auction
from tests.nullgame.place import write

texts = st.text(max_size=60)


def line_of(seat: int, kibitz: list[str], message: str, fault: FaultInfo | None) -> AnswerLine:
    return AnswerLine(
        turn=1, seat=seat, move="5", kibitz=kibitz, message=message, fault=fault, wall_us=1, cpu_us=1, charged_us=1
    )


faults = st.builds(FaultInfo, kind=st.just("illegal"), detail=st.just("no"), said=texts, stderr=texts)
lines = st.builds(line_of, st.integers(0, 1), st.lists(texts, max_size=5), texts, st.none() | faults)


def said(line: AnswerLine) -> int:
    kept = [*line.kibitz, line.message, *([line.fault.said, line.fault.stderr] if line.fault else [])]
    return sum(len(msgspec.json.encode(text)) for text in kept if text)


@given(st.lists(lines, max_size=20), st.integers(0, 400))
def test_a_seat_never_adds_more_than_its_allowance_and_the_rest_is_noted_once(
    answers: list[AnswerLine], most: int
) -> None:
    allowance = Allowance([most, 10**9])
    before = [msgspec.json.encode(line) for line in answers]
    for line in answers:
        allowance.charge(line)

    assert sum(said(line) for line in answers if line.seat == 0) <= most
    unchanged = [msgspec.json.encode(line) == old for line, old in zip(answers, before, strict=True)]
    assert all(same for line, same in zip(answers, unchanged, strict=True) if line.seat == 1)
    noted = [line for line in answers if line.notes]
    assert len(noted) == (0 if all(unchanged) else 1)
    if noted:
        assert noted[0] is answers[unchanged.index(False)]
        assert noted[0].notes[0].startswith("from here on, kibitz, messages and evidence beyond ")


def test_a_faulty_answer_that_is_left_out_keeps_its_size_and_one_that_counts_is_kept() -> None:
    left_out = line_of(0, [], "", FaultInfo(kind="illegal", detail="no", said="x" * 50))
    counts = line_of(0, [], "", FaultInfo(kind="illegal", detail="no", said="y" * 50))
    allowance = Allowance([20])
    allowance.charge(left_out)
    allowance.charge(counts, keep_said=True)
    assert left_out.fault
    assert (left_out.fault.said, left_out.fault.said_bytes) == ("", 50)
    assert counts.fault
    assert (counts.fault.said, counts.fault.said_bytes) == ("y" * 50, 0)


CHATTY = """
import sys
for line in sys.stdin:
    if line.startswith("prize"):
        sys.stderr.write("kibitz " + "z" * 900 + "\\n")
        print("{}", flush=True)
sys.stderr.write(("kibitz " + "a" * 900 + "\\n") * 50)
"""


def test_a_game_with_an_agent_that_talks_and_errs_all_the_time_stays_small(place: Path) -> None:
    agents = [str(write(place / f"{name}.py", CHATTY.format(move))) for name, move in (("ann", 5), ("bob", "x" * 3000))]
    played = play("auction", agents, options={"rounds": 60}, limits={"record": "10KB"}, save=place / "games")
    record = load_record(Path(played.games[0].record))

    assert record.path.stat().st_size < 2 * 10_000 + 60 * 2 * 400
    assert list(differences(record, auction.protocol)) == []
    noted = [line.seat for line in record.answers if any("are left out" in note for note in line.notes)]
    assert sorted(noted) == [0, 1]
    assert record.result
    assert record.result.afterwards[0] == ["[…]"]
    assert record.header.seats[0].limits["record"] == "10KB"
