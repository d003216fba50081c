"""A running contest drawn in a terminal: the bar, a heading under it, the games being played, the standings.

A thread of rich redraws the picture. Standings are computed in :meth:`ContestDrawing.update`, by the thread that
runs the contest, since the ledger may not change meanwhile; the thread that draws reads only finished values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress, RunningGame
from arbiter.contest.statistics.standing import Standing, columns_of
from arbiter.contest.statistics.standings import compute_standings
from arbiter.text import cut, fitted, safe

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_MOST_ROWS, _FEWEST_ROWS = 12, 3
"""Rows of the standings."""
_MOST_RUNNING = 8
"""Games being played that are listed."""
_RESERVED_LINES = 12
"""Lines for the bar, the heading, the column names of both tables, and the notes about omitted rows."""
_RUNNING_FIGURES = 28
"""Columns of the terminal for everything but names in the table of running games."""
_NARROWEST = 6
"""The fewest columns for a name."""
_TAIL_BYTES = 16384
_TURN = re.compile(rb'^\{"type":"answer","turn":(\d+)', re.MULTILINE)


class ContestDrawing:
    """The picture of a contest."""

    def __init__(self, contest: Contest, console: Console) -> None:
        self._contest, self._console = contest, console
        self._progress: ContestProgress | None = None
        self._rows: list[Standing] = []

    def update(self, progress: ContestProgress, ledger: Ledger) -> None:
        """Take the standings after a game, or at the beginning."""
        counted = [game for each, game in ledger.played.items() if progress.set_aside.keys().isdisjoint(each.seats)]
        self._rows = compute_standings(counted, self._contest.names, scoring=self._contest.schedule.scoring).rows
        self._progress = progress

    def draw(self) -> RenderableType:
        """Return the picture as it is now."""
        from rich.console import Group
        from rich.text import Text

        from arbiter.cli.contest_screen import progress_line

        progress = self._progress
        if progress is None:
            return Text("")
        parts: list[RenderableType] = []
        width = self._console.width
        if progress.total:
            parts.append(_bar(progress.played / progress.total, width))
        title = safe(self._contest.labels.get("title", self._contest.definition.name))
        parts += [Text(f"{title}  {progress_line(progress)}", style="bold"), Text("")]
        running = progress.running
        room = self._console.height - _RESERVED_LINES
        shown = max(1, min(_MOST_RUNNING, len(running), room - _FEWEST_ROWS))
        if running:
            parts += [_running_table(running[:shown], width), *_more(len(running) - shown, "being played"), Text("")]
        rows = self._rows
        fit = max(_FEWEST_ROWS, min(_MOST_ROWS, room - min(shown, len(running))))
        return Group(*parts, _standings_table(rows[:fit], width), *_more(len(rows) - fit, "in the standings"))


def _bar(share: float, width: int) -> RenderableType:
    """Draw the progress bar on a line of its own; rich's ProgressBar would go on in the same line."""
    from rich.text import Text

    done = round(share * width)
    return Text.assemble(("━" * done, "green"), ("━" * (width - done), "bright_black"))


def _more(left_out: int, where: str) -> list[RenderableType]:
    from rich.text import Text

    return [Text(f"… and {left_out} more {where}", style="dim")] if left_out > 0 else []


def _running_table(games: tuple[RunningGame, ...], width: int) -> RenderableType:
    cells = []
    for game in games:
        turn = last_turn(Path(game.record))
        room = (width - _RUNNING_FIGURES) // len(game.seats) - 2
        agents = ", ".join(cut(safe(name), max(_NARROWEST, room)) for name in game.seats)
        cells.append((str(game.worker), str(game.number), str(turn) if turn else "–", agents))
    return _table(cells, ("worker", "game", "turn", "agents, by seat"), (0, 1, 2), width, shorten=(3,))


def _standings_table(rows: list[Standing], width: int) -> RenderableType:
    columns = columns_of(rows, "screen")
    cells = [[safe(column.show(row)) for column in columns] for row in rows]
    text = [index for index, column in enumerate(columns) if not column.right]
    right = [index for index, column in enumerate(columns) if column.right]
    return _table(cells, [column.heading for column in columns], right, width, shorten=text)


def _table(
    cells: Sequence[Sequence[str]], headings: Sequence[str], right: Sequence[int], width: int, shorten: Sequence[int]
) -> RenderableType:
    from rich.text import Text

    return Text(fitted(cells, headings, right, width=width, shorten=shorten), no_wrap=True)


def last_turn(record: Path) -> int:
    """Return the last turn in a record that is being written; 0 if it has none yet, or is gone."""
    try:
        with record.open("rb") as file:
            file.seek(max(0, file.seek(0, 2) - _TAIL_BYTES))
            turns = _TURN.findall(file.read())
    except OSError:
        return 0
    return int(turns[-1]) if turns else 0
