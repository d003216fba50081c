"""The season of the Heroes contest, which comes with its protocol."""

from __future__ import annotations

from typing import Any

from arbiter.contest.schedules.registry import schedule_from_data
from arbiter.contest.schedules.season import Season
from protocols.heroes import Heroes


def heroes_season(**more: Any) -> Season:
    """Return the season, with other parameters."""
    made = schedule_from_data({"kind": "season"}, Heroes.season)
    assert isinstance(made, Season)
    return Season(**{"season": made.season, "elimination": made.elimination, **more})
