"""arbiter: runs games between programs, referees them and saves every game.

from arbiter import play
report = play("splendor", ["greedy", "random"], games=4, seed=1)

``play`` plays games, ``run`` a contest from a match file, ``load`` reads a saved game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arbiter.version import __version__

if TYPE_CHECKING:
    from arbiter.api import load as load
    from arbiter.api import play as play
    from arbiter.api import run as run
    from arbiter.contest.report.document import Report as Report
    from arbiter.errors import UserError as UserError
    from arbiter.playing.report import PlayReport as PlayReport
    from arbiter.records.reader import Record as Record
    from arbiter.records.summary import GameSummary as GameSummary

_WHERE = {
    "GameSummary": "records.summary",
    "PlayReport": "playing.report",
    "Record": "records.reader",
    "Report": "contest.report.document",
    "UserError": "errors",
    "load": "api",
    "play": "api",
    "run": "api",
}
__all__ = ["GameSummary", "PlayReport", "Record", "Report", "UserError", "__version__", "load", "play", "run"]


def __getattr__(name: str) -> Any:
    """Import on first use, so that ``arbiter --help`` does not wait for everything."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"arbiter.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'arbiter' has no attribute {name!r}")
