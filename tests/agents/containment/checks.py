"""Comparing what came of a row with what was promised."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.agents.ask.test_misbehaving import check_fault
from tests.tools import missing

from .play import Came
from .rows import AFTERWARDS, NOTHING, ROUNDS, Row


def check(row: Row, level: str, user: str, came: Came) -> None:
    """Every promise of a row at a level."""
    if came.refused:
        missing(f"level {level} for {user}: {came.refused}")
    assert came.broke == ""
    assert came.sandbox == level
    check_verdicts(row, row.verdict.at(level, user), came)
    promised = {word: ladder.at(level, user) for word, ladder in row.saw.items()}
    assert unkept(promised, came.saw) == {}
    assert set(came.saw) <= set(promised)
    assert unkept({name: row.afterwards(name).at(level, user) for name in AFTERWARDS}, came.after) == {}


def check_verdicts(row: Row, verdict: str, came: Came) -> None:
    """The kind of every answer, and for the misbehaving sample agents the evidence."""
    assert came.verdicts
    assert [kind for kind in came.verdicts if not re.fullmatch(verdict, kind)] == [], came.faults
    if row.misbehaving:
        outcome = row.misbehaving.outcome(row.lifetime)
        assert len(came.verdicts) == ROUNDS
        assert all(kind in turn.split("|") for kind, turn in zip(came.verdicts, outcome.turns, strict=False))
        for fault in came.faults:
            check_fault(outcome.evidence[fault.kind], fault)


def unkept(promised: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """What was found instead of what was promised."""
    seen = {word: found.get(word, NOTHING) for word in promised}
    return {word: text for word, text in seen.items() if not re.fullmatch(promised[word], text)}
