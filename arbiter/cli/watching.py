"""``--watch``: show games in the browser while they are played."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click

watch_option = click.option(
    "--watch", "in_browser", is_flag=True, help="Follow the games in the browser as they are played."
)


@contextlib.contextmanager
def watched(asked: bool, folder: Path | None = None) -> Iterator[Callable[[Path], None] | None]:
    """Serve the games for the time of the block, if asked to; yields a function to call with each new record.

    In a terminal, the pages stay until the user has seen enough.
    """
    if not asked:
        yield None
        return
    from arbiter.web.watcher import watching

    with watching(folder) as watcher:
        click.echo(f"{click.style('watch', bold=True)}    {watcher.url}", err=True)
        yield watcher.add
        if sys.stdin.isatty() and sys.stderr.isatty() and watcher.running():
            click.echo(f"\nstill shown at {watcher.url}; press Enter to stop", err=True)
            with contextlib.suppress(KeyboardInterrupt, EOFError):
                input()
