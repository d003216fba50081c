"""Comparing what was observed of a row with what is promised."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tests.agents.ask.test_misbehaving import check_fault
from tests.tools import missing

from .play import Observed
from .rows import AFTERWARDS, NOTHING, ROUNDS, Row


def check(row: Row, level: str, user: str, observed: Observed) -> None:
    """Check every promise of a row at a level."""
    if observed.refused:
        missing(f"sandbox level {level}: {user}: {observed.refused}")
    assert observed.raised == ""
    assert observed.sandbox == level
    check_verdicts(row, row.verdict.at(level, user), observed)
    promised = {word: ladder.at(level, user) for word, ladder in row.saw.items()}
    assert broken_promises(promised, observed.saw) == {}
    assert set(observed.saw) <= set(promised)
    assert broken_promises({name: row.afterwards(name).at(level, user) for name in AFTERWARDS}, observed.after) == {}


def check_verdicts(row: Row, verdict: str, observed: Observed) -> None:
    """Check the kind of every answer, and for misbehaving sample agents the evidence."""
    assert observed.verdicts
    assert [kind for kind in observed.verdicts if not re.fullmatch(verdict, kind)] == [], observed.faults
    if row.misbehaving:
        outcome = row.misbehaving.outcome(row.lifetime)
        assert len(observed.verdicts) == ROUNDS
        assert all(kind in turn.split("|") for kind, turn in zip(observed.verdicts, outcome.turns, strict=False))
        for fault in observed.faults:
            check_fault(outcome.evidence[fault.kind], fault)


def broken_promises(promised: Mapping[str, str], found: Mapping[str, str]) -> dict[str, str]:
    """Return what was found where it differs from what is promised."""
    seen = {word: found.get(word, NOTHING) for word in promised}
    return {word: text for word, text in seen.items() if not re.fullmatch(promised[word], text)}
