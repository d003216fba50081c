"""Showing which agents are being built, before a run starts."""

from __future__ import annotations

import logging
import sys

import click


class _OnStderr(logging.Handler):
    """Prints each message as a line on the current standard error."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(record.getMessage(), err=True)


def show_builds(*, quiet: bool) -> None:
    """From now on, print on standard error what is being built, if that is a terminal; warnings are printed anywhere."""
    log = logging.getLogger("arbiter.build")
    log.propagate = False
    log.handlers = [_OnStderr()]
    log.setLevel(logging.INFO if sys.stderr.isatty() and not quiet else logging.WARNING)
