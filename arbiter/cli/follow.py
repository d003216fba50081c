"""``arbiter standings --follow``: follow a running contest in the terminal, from its records."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click

from arbiter.cli import common
from arbiter.cli.pager import clipped
from arbiter.cli.run import find_match_file
from arbiter.contest.formats import formatter
from arbiter.contest.match_file import load_contest
from arbiter.contest.report import Report, build_report
from arbiter.contest.runner import current_result
from arbiter.records.search.folder import search
from arbiter.records.search.query import Query
from arbiter.records.search.scan import scan
from arbiter.text import format_number, safe

EVERY_S = 0.5
"""How often the folder is looked at."""
_RUNNING = 6
"""The most games in hand that are listed."""


def follow(contest: Path) -> None:
    """Show the standings and the games being played, until the contest is complete or Ctrl-C.

    When the output is not a terminal, print a line for every game as it ends.
    """
    show = _redraw if sys.stdout.isatty() else _Lines()
    with contextlib.suppress(KeyboardInterrupt):
        for folder, found in changes(find_match_file(contest)):
            show(folder, found)


def changes(contest: Path) -> Iterator[tuple[Path, Report]]:
    """Yield the folder and the report at once, and whenever a record has changed; ends when the contest is complete."""
    seen = None
    while True:
        loaded = load_contest(contest, only_look=True)
        state = scan(loaded.folder).files
        if state != seen:
            seen = state
            found = build_report(loaded, current_result(loaded))
            yield loaded.folder, found
            if found.complete:
                return
        time.sleep(EVERY_S)


def _redraw(folder: Path, found: Report) -> None:
    """Show the contest on one screen; all of it when it is complete, since nothing is redrawn then."""
    lines = formatter("text")(found).rstrip("\n").splitlines()
    width, height = shutil.get_terminal_size()
    if not found.complete:
        playing = _playing(folder)
        room = max(5, height - len(playing) - 3)
        if len(lines) > room:
            left_out = len(lines) - room + 1
            lines[room - 1 :] = [f"… {left_out} more lines: arbiter standings {common.quoted_path(folder)}"]
        lines += ["", *playing]
    click.clear()
    click.echo("\n".join(clipped(line, width) for line in lines))


def _playing(folder: Path) -> list[str]:
    """Return a line for each game being played, and one that says how many more there are."""
    found = search(folder, Query(finished=False, limit=_RUNNING))
    listed = [f"playing  {' – '.join(map(safe, game.seats))}, turn {game.turns}" for game in found.games]
    more = found.total - len(found.games)
    return [*listed, *([f"         … and {more} more"] if more else [])] or [
        "waiting  no game is being played; Ctrl-C ends this"
    ]


class _Lines:
    """A line for every game that has ended since the last look."""

    def __init__(self) -> None:
        self._told: set[int] = set()

    def __call__(self, _: Path, found: Report) -> None:
        for game in found.games:
            if game.number not in self._told:
                self._told.add(game.number)
                names = [safe(name) for name in game.seats]
                scores = "  ".join(
                    f"{name} {format_number(score)}" for name, score in zip(names, game.scores, strict=True)
                )
                click.echo(f"game {game.number:>4}  {scores}  {common.winners(names, game.ranks)}")
        sys.stdout.flush()
