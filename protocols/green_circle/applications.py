"""The 28 applications. Each exists in a small and in a big form; a game uses at most one of the two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .cards import DESKS

_SMALL_SKILLS = (
    (3, 4, 6), (1, 4, 7), (2, 6, 7), (1, 2, 3), (1, 3, 7), (2, 3, 5), (2, 5, 6),
    (0, 3, 5), (0, 4, 5), (0, 2, 6), (0, 6, 7), (2, 3, 4), (4, 5, 7), (4, 6, 7),
    (0, 1, 3), (0, 1, 7), (0, 5, 6), (0, 1, 5), (2, 4, 6), (1, 2, 7), (3, 6, 7),
    (1, 2, 5), (1, 3, 6), (0, 3, 7), (3, 5, 6), (0, 1, 4), (0, 2, 4), (2, 4, 5),
)  # fmt: skip
_BIG_SKILLS = tuple(combinations(range(DESKS), 2))

COUNT = len(_BIG_SKILLS)


@dataclass(frozen=True, slots=True)
class Application:
    """An application and the skills that it needs."""

    id: int
    size: str
    """``small`` or ``big``."""
    needs: tuple[tuple[int, int], ...]
    """Skill and how much of it, for the skills it needs."""
    needed: tuple[int, ...]
    """The same for all eight skills, including zeros."""
    line: str
    """As it is sent to agents."""


def _application(id_: int, size: str, skills: tuple[int, ...], each: int) -> Application:
    needed = tuple(each if skill in skills else 0 for skill in range(DESKS))
    line = f"APPLICATION {id_} {' '.join(map(str, needed))}"
    return Application(id_, size, tuple((skill, each) for skill in skills), needed, line)


SMALL = tuple(_application(id_, "small", skills, 2) for id_, skills in enumerate(_SMALL_SKILLS))
BIG = tuple(_application(id_, "big", skills, 4) for id_, skills in enumerate(_BIG_SKILLS))
