"""The format of the contest: two rounds for all teams, then an elimination with a last chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arbiter.game import Json

SEASON: Final[Mapping[str, Json]] = {
    "season": [
        {"name": "round 1", "points": [3, 2, 1, 0]},
        {"name": "round 2", "points": [6, 4, 2, 0]},
    ],
    "elimination": [
        {"name": "first matches", "takes": {"season": [1, 16]}, "tables": 4},
        {"name": "last chance", "takes": {"first matches": [3, 4]}, "tables": 2},
        {"name": "upper half", "takes": {"first matches": [1, 2]}, "tables": 2},
        {"name": "semi-final", "takes": {"upper half": [1, 3], "last chance": [1, 1]}, "tables": 2},
        {"name": "final", "takes": {"semi-final": [1, 2]}, "tables": 1},
    ],
}
