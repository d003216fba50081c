"""The display of a running contest: in a terminal a progress bar, the running games and the standings; occasional lines
elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from arbiter.cli import terminal
from arbiter.cli.contest_drawing import ContestDrawing
from arbiter.contest.definition import Contest
from arbiter.contest.ledger import Ledger
from arbiter.contest.progress import ContestProgress
from arbiter.text import safe

if TYPE_CHECKING:
    from rich.live import Live

_REFRESH_PER_S = 2
_LINE_EVERY_S = 10.0
_LINE_EVERY_SHARE = 0.1
_STOPPING = "stopping when the games being played are over; press Ctrl-C again to stop at once"
_UNABLE = ("", "dumb", "unknown")
"""Values of TERM for terminals that cannot move the cursor."""


class ContestScreen:
    """The display on standard error. Use as a context manager."""

    def __init__(self, contest: Contest, *, quiet: bool) -> None:
        self._contest, self._quiet = contest, quiet
        self._notes_shown = self._announced = 0
        self._line_at = time.monotonic()
        self._line_share = 0.0
        self._stopping = False
        self._set_aside: set[str] = set()
        self._draws = not quiet and sys.stderr.isatty() and os.environ.get("TERM", "") not in _UNABLE
        self._drawing: ContestDrawing | None = None
        self._live: Live | None = None

    def __enter__(self) -> ContestScreen:
        return self

    def _start(self) -> None:
        """Draw from now on, from a thread."""
        from rich.console import Console
        from rich.live import Live

        plain = terminal.no_colour()
        console = Console(
            stderr=True, no_color=plain, color_system=None if plain else "auto"
        )  # neither colour nor bold
        self._drawing = ContestDrawing(self._contest, console)
        self._live = Live(
            console=console, get_renderable=self._drawing.draw, refresh_per_second=_REFRESH_PER_S, transient=True
        )
        self._live.start()

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def update(self, progress: ContestProgress, ledger: Ledger) -> None:
        """Show the progress; a ContestObserver."""
        if self._quiet:
            return
        self._print_news(progress)
        if self._draws:
            if progress.in_hand and not self._live:
                self._start()  # now that there are workers: they cannot be forked while there is a second thread
            if self._drawing:
                self._drawing.update(progress, ledger)
            return
        now = time.monotonic()
        share = progress.played / progress.total if progress.total else 0.0
        if progress.now_played and (
            now - self._line_at >= _LINE_EVERY_S or share - self._line_share >= _LINE_EVERY_SHARE or share == 1.0
        ):
            self._line_at, self._line_share = now, share
            self._print(progress_line(progress))

    def _print_news(self, progress: ContestProgress) -> None:
        """Print what has come up since the last call."""
        news = [*progress.announcements[self._announced :], *progress.notes[self._notes_shown :]]
        self._announced, self._notes_shown = len(progress.announcements), len(progress.notes)
        for note in news:
            self._warn("\n".join(safe(line, 2000) for line in note.splitlines()))  # compiler messages are long
        for name in progress.set_aside.keys() - self._set_aside:
            self._set_aside.add(name)
            most = progress.set_aside[name]
            self._warn(f"{safe(name)} is set aside: no valid answer in its first {most} games; all its games are void")
        if progress.stopping and not self._stopping:
            self._stopping = True
            self._warn(_STOPPING)

    def _warn(self, text: str) -> None:
        self._print(text, fg="yellow")

    def _print(self, text: str, **style: object) -> None:
        if self._live:
            self._live.console.print(text, markup=False, highlight=False)
        else:
            terminal.note(text, **style)


def progress_line(progress: ContestProgress) -> str:
    """``120 of 400 games, about 2 min left``; ``120 of at most 400 games, …`` if a question may end the contest earlier."""
    answer = progress.answer
    of = f" of {'at most ' if answer else ''}{progress.total}" if progress.total is not None else ""
    words = [f"{progress.played}{of} games"]
    left = None if answer and answer.settled else progress.left_s()
    if left:
        words.append(f"{'at most' if answer else 'about'} {_duration(left)} left")
    if answer:
        words.append(answer.sentence)
    return ", ".join(words)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
