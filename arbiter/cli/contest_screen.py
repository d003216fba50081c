"""The display of a running contest: a progress bar and the standings in a terminal, occasional lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from arbiter.cli import common, terminal
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress
from arbiter.contest.statistics.standings import compute_standings

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

_ROWS = 12
"""Rows of the standings that are shown."""
_REFRESH_S = 0.5
_LINE_EVERY_S = 10.0
_LINE_EVERY_SHARE = 0.1
_STOPPING = "stopping when the games being played are over; press Ctrl-C again to stop at once"


class ContestScreen:
    """The display on standard error. Use as a context manager."""

    def __init__(self, contest: Contest, *, quiet: bool) -> None:
        self._contest, self._quiet = contest, quiet
        self._notes_shown = 0
        self._shown_at = self._line_at = time.monotonic()
        self._line_share = 0.0
        self._stopping = False
        self._set_aside: set[str] = set()
        self._chance_shown = False
        self._live: Live | None = None

    def __enter__(self) -> ContestScreen:
        if not self._quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True, no_color=terminal.no_colour()), refresh_per_second=4, transient=True
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def update(self, progress: ContestProgress, ledger: Ledger) -> None:
        """Show the progress; a ContestObserver."""
        if self._quiet:
            return
        if progress.chance and not self._chance_shown:
            self._chance_shown = True
            self._print(click.style(progress.chance, dim=True))
        for note in progress.notes[self._notes_shown :]:
            lines = [common.safe(line, 2000) for line in note.splitlines()]  # compiler messages are long
            self._print(click.style("\n".join(lines), fg="yellow"))
        self._notes_shown = len(progress.notes)
        for name in progress.set_aside.keys() - self._set_aside:
            self._set_aside.add(name)
            most = progress.set_aside[name]
            self._print(
                click.style(f"{common.safe(name)} is set aside: no good answer in its first {most} games", fg="yellow")
            )
        if progress.stopping and not self._stopping:
            self._stopping = True
            self._print(click.style(_STOPPING, fg="yellow"))
        now = time.monotonic()
        if self._live:
            if now - self._shown_at >= _REFRESH_S or not progress.now_played or progress.stopping:
                self._shown_at = now
                self._live.update(_standings(self._contest, progress, ledger))
            return
        share = progress.played / progress.total if progress.total else 0.0
        if progress.now_played and (
            now - self._line_at >= _LINE_EVERY_S or share - self._line_share >= _LINE_EVERY_SHARE or share == 1.0
        ):
            self._line_at, self._line_share = now, share
            self._print(_line(progress))

    def _print(self, text: str) -> None:
        if self._live:
            self._live.console.print(click.unstyle(text), markup=False, highlight=False)
        else:
            click.echo(text, err=True)


def _line(progress: ContestProgress) -> str:
    """``120 of 400 games, 2 min left``."""
    of = f" of {progress.total}" if progress.total is not None else ""
    left = progress.left_s()
    words = [f"{progress.played}{of} games"]
    if left:
        words.append(f"about {_duration(left)} left")
    if progress.answer:
        words.append(progress.answer.sentence)
    return ", ".join(words)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _standings(contest: Contest, progress: ContestProgress, ledger: Ledger) -> RenderableType:
    from rich import box
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    title = contest.labels.get("title", contest.definition.name)
    head = Text(f"{title}  {_line(progress)}", style="bold")
    parts: list[RenderableType] = [head]
    if progress.total:
        parts.append(ProgressBar(total=progress.total, completed=progress.played, width=60))
    rows = compute_standings(ledger.played.values(), contest.names).rows
    table = Table(box=box.SIMPLE, show_edge=False)
    for column in ("", "agent", "games", "won", "drawn", "lost", "score", "faults"):
        table.add_column(column, justify="left" if column in ("", "agent") else "right")
    for row in rows[:_ROWS]:
        score = "" if row.score is None else f"{row.score:.1%}"
        faults = sum(row.faults.values())
        figures = (row.games, row.wins, row.draws, row.losses)
        table.add_row(str(row.place), Text(row.name), *map(str, figures), score, str(faults) if faults else "")
    parts.append(table)
    if len(rows) > _ROWS:
        parts.append(Text(f"… and {len(rows) - _ROWS} more", style="dim"))
    return Group(*parts)
