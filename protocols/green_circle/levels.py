"""The four leagues of the contest: which rules are in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .cards import ARCHITECTURE_STUDY, CODE_REVIEW, REFACTORING, TRAINING


@dataclass(frozen=True, slots=True)
class Level:
    """One league."""

    number: int
    small: int
    """Applications in their small form."""
    big: int
    """Applications in their big form."""
    gives: bool
    """Whether a team that moves next to the other must give it a card."""
    throws: bool
    """Whether passing from desk 7 to desk 0 costs two cards."""
    playable: frozenset[int]
    """The skills that are offered; without any there is no PLAY_CARD phase."""
    strict_skills: bool = False
    """Whether playing a skill that is not offered is illegal; the contest's own referee carries it out."""


_SIMPLE = frozenset({TRAINING, ARCHITECTURE_STUDY, CODE_REVIEW, REFACTORING})
_ALL = frozenset(range(8))

LEVELS: Mapping[int, Level] = {
    1: Level(1, small=12, big=0, gives=False, throws=False, playable=frozenset()),
    2: Level(2, small=6, big=6, gives=True, throws=False, playable=_SIMPLE),
    3: Level(3, small=0, big=12, gives=True, throws=True, playable=_ALL),
    4: Level(4, small=0, big=12, gives=True, throws=True, playable=_ALL),
}
