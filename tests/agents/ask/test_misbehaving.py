"""Every misbehaving agent in a real game: the ruling it gets, and that no other agent is affected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arbiter import registry
from arbiter.api import play
from arbiter.game import Lifetime
from arbiter.records.format import AnswerLine, FaultInfo
from arbiter.records.reader import Record, load_record
from arbiter.records.summary import GameSummary
from arbiter.records.verify import differences

from .expected import CASES, PLAYED, ROUNDS, SPENT, Case, Evidence, Outcome
from .harness import AGENTS, leaving_nothing, workspace

pytestmark = pytest.mark.slow

GUEST, HOST = 0, 1
BOTH: tuple[Lifetime, ...] = ("move", "game")


@pytest.mark.parametrize("lifetime", BOTH)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.agent)
def test_it_gets_the_expected_ruling_and_the_others_are_not_disturbed(
    case: Case, lifetime: Lifetime, tmp_path: Path
) -> None:
    outcome = case.outcome(lifetime)
    around = workspace(tmp_path, AGENTS / case.agent, outcome.limits, case.environment)
    files = sorted(AGENTS.iterdir())
    with leaving_nothing():
        report = play(
            "splendor",
            ["guest", "host"],
            seed=5,
            options={"max_rounds": ROUNDS},
            lifetime=lifetime,
            save=tmp_path / "games",
            workspace=around,
        )
    assert sorted(AGENTS.iterdir()) == files, "it left a file behind, such as a core"
    record = load_record(Path(report.games[0].record))
    assert list(differences(record, registry.find_protocol("splendor", around))) == []
    check_guest(outcome, [line for line in record.answers if line.seat == GUEST])
    check_host([line for line in record.answers if line.seat == HOST])
    check_report(report.games[0], record)
    check_harmless_to_terminals(record.path.read_bytes())


def check_guest(outcome: Outcome, lines: list[AnswerLine]) -> None:
    kinds = [line.fault.kind if line.fault else PLAYED for line in lines]
    assert len(kinds) == len(outcome.turns)
    assert all(kind in turn.split("|") for kind, turn in zip(kinds, outcome.turns, strict=True)), kinds
    for line in lines:
        assert line.move == ("pass" if line.fault else "1 0")
        if line.fault is None or line.fault.kind != SPENT:
            pattern = outcome.evidence[line.fault.kind].note if line.fault else outcome.note
            assert re.fullmatch(pattern, " and ".join(line.notes))
            assert len(line.kibitz) == bool(outcome.kibitz)
            assert all(re.fullmatch(outcome.kibitz, kibitz) for kibitz in line.kibitz)
        if line.fault:
            check_fault(outcome.evidence[line.fault.kind], line.fault)


def check_fault(evidence: Evidence, fault: FaultInfo) -> None:
    assert re.fullmatch(evidence.detail, fault.detail)
    assert re.fullmatch(evidence.said, fault.said)
    assert re.fullmatch(evidence.stderr, fault.stderr, re.DOTALL)
    assert fault.exit_code in evidence.exit_codes
    if evidence.cut:
        assert fault.said_bytes > len(fault.said)


def check_host(lines: list[AnswerLine]) -> None:
    assert [line.fault for line in lines] == [None] * ROUNDS
    assert [line.move for line in lines] == ["1 0"] * ROUNDS
    assert [line.notes for line in lines] == [[]] * ROUNDS


def check_report(report: GameSummary, record: Record) -> None:
    assert record.result is not None
    assert not record.torn
    assert report.digest == record.result.digest
    told = [(fault.turn, fault.seat, fault.kind, fault.detail) for fault in report.faults]
    assert told == [(line.turn, line.seat, line.fault.kind, line.fault.detail) for line in record.answers if line.fault]


def check_harmless_to_terminals(raw: bytes) -> None:
    """Whatever agents printed, a saved game can be shown with cat."""
    assert all(byte >= 0x20 or byte == 0x0A for byte in raw)
