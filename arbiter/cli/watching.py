"""``--watch`` and ``--browser``: show games in the browser while they are played, and let people play there."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from arbiter.agents.ask.human import Abandoned
from arbiter.errors import UserError
from arbiter.text import safe

if TYPE_CHECKING:
    from arbiter.agents.ask.outside import Respondent
    from arbiter.game import Game
    from arbiter.playing.one_game import OpenSeat
    from arbiter.playing.plan import Plan

browser_option = click.option("--browser", "by_browser", is_flag=True, help="Let 'human' play in the browser.")


@contextlib.contextmanager
def watched(
    asked: bool, folder: Path | None = None, *, workers: int | None = None
) -> Iterator[Callable[[Path], None] | None]:
    """Serve the games for the time of the block, if asked to; yields a function to call with each new record.

    ``workers`` is the number of processes that play them; None for this process alone.

    In a terminal, the pages are served until the user presses Enter.
    """
    if not asked:
        yield None
        return
    from arbiter.agents.launch.cores import idle_cores
    from arbiter.web.watcher import watching

    with watching(folder, on=idle_cores(workers)) as watcher:
        click.echo(f"{click.style('watch', bold=True)}    {watcher.url}", err=True)
        yield watcher.add
        if watcher.running():
            _stay(watcher.url)


def _stay(url: str) -> None:
    """In a terminal, wait until the user presses Enter."""
    if sys.stdin.isatty() and sys.stderr.isatty():
        click.echo(f"\nstill shown at {url}; press Enter to stop", err=True)
        with contextlib.suppress(KeyboardInterrupt, EOFError):
            input()


class BrowserHooks(msgspec.Struct, frozen=True):
    """Callbacks of a series for the browser: one for each new record, and one that asks a person."""

    on_record: Callable[[Path], None] | None = None
    person: OpenSeat | None = None
    rematch: Callable[[], bool] = lambda: False
    """Waits, after the games, until the people are done; returns whether they want to play again."""


@contextlib.contextmanager
def shown_in_browser(plan: Plan, *, watch: bool, play: bool) -> Iterator[BrowserHooks]:
    """Serve the pages that were asked for within the block: to watch the games, or to play in them."""
    if not play:
        with watched(watch) as on_record:
            yield BrowserHooks(on_record)
        return
    names = [entrant.agent.name for entrant in plan.entrants if entrant.agent.is_human]
    if not names:
        raise UserError("--browser is for people: give 'human' as one of the agents, or use --watch to look on")
    if watch:
        raise UserError("--watch shows what is hidden from a person who plays with --browser: use only one of them")
    from arbiter.web.person import people_at_browsers

    with people_at_browsers(names) as (people, addresses):
        for name, url in addresses.items():
            click.echo(f"{click.style('play', bold=True)}     {url}   {safe(name)}", err=True)

        def person(game: Game, seat: int, name: str) -> Respondent:
            return people.sit(game, seat, name, plan.protocol.help)

        opened: list[str] = []

        def begin(record: Path) -> None:
            people.begin(record)
            if not opened:
                from arbiter.web.serve import open_browser

                opened.extend(url for url in addresses.values() if open_browser(url))

        def rematch() -> bool:
            click.echo("still shown; close the page or press Ctrl-C to stop", err=True)
            return people.wants_rematch()

        try:
            yield BrowserHooks(begin, person, rematch)
        except Abandoned:
            people.wants_rematch()
            raise
