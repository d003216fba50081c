"""The result of a tuning as data: the candidates, the best values, and whether they are better than the defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from arbiter.agents.prepare.parameters import Parameter, Value, show_value
from arbiter.contest.statistics.wording import Estimate
from arbiter.text import count

Verdict = Literal["better", "not better", "not yet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A set of values, and how it did in one generation of the search."""

    generation: int
    values: Mapping[str, Value]
    place: int
    rung: int
    """The last rung it reached, from 1."""
    games: int
    score: Estimate | None
    """Points per game; None without a game. The interval ignores that the best of many is better by luck, too."""
    faults: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneReport:
    """The result of a tuning; the keys of the ``--json`` document."""

    name: str
    title: str
    protocol: str
    parameters: Mapping[str, Parameter]
    default: Mapping[str, Value]
    best: Mapping[str, Value]
    """The values that the search found; the defaults before it has found any."""
    candidates: Sequence[Candidate]
    verdict: Verdict = "not yet"
    """Whether the best values are better than the defaults, from the match that confirms."""
    sentence: str = ""
    confirm_games: int = 0
    complete: bool
    interrupted: bool
    folder: str

    def conclusion(self) -> str:
        """Return the verdict in one sentence."""
        if self.verdict == "better":
            advice = f"{self.sentence}. Use {values_text(self.best)}."
        elif not self.sentence:
            advice = "the search is not finished. Run the same command to continue."
        elif self.verdict == "not better":
            advice = f"{self.sentence}. Keep {values_text(self.default)}."
        else:
            settle = f"{count(self.confirm_games, 'game')} did not settle it: raise 'confirm', or keep the defaults."
            advice = f"{self.sentence}. {settle if self.complete else 'Run the same command to continue.'}"
        return f"{self.verdict}: {advice}"


def values_text(values: Mapping[str, Value]) -> str:
    """Return values for reading: ``depth 4, weight 0.5``."""
    return ", ".join(f"{name} {show_value(value)}" for name, value in values.items())
