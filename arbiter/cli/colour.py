"""Whether output is in colour: ``--color``, then NO_COLOR and ``TERM=dumb``, then whether the stream is a terminal.

Decided once, for a whole run: the decision becomes the ``color`` of click's context, which every ``click.echo`` follows.
Nothing else looks at these variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

import click

from arbiter.cli.values import Choice

_FLAG = "--color"
_CHOICES = {"auto": None, "always": True, "never": False}


def decide(words: Sequence[str], environment: Mapping[str, str]) -> bool | None:
    """Return whether to print in colour; None to print in colour where the output is a terminal.

    ``words`` is the whole command line, since the flag may stand before or after the command. The last one counts. The
    errors that click finds while it parses are printed in the same way, so this does not wait for the parser.
    """
    asked = "auto"
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        if word == "--":
            break
        flag, equals, value = word.partition("=")
        if flag == _FLAG:
            asked = value if equals else following
    if _CHOICES.get(asked) is not None:
        return _CHOICES[asked]
    # An empty NO_COLOR counts as not set: https://no-color.org
    return False if environment.get("NO_COLOR") or environment.get("TERM") == "dumb" else None


def add_option(command: click.Command) -> None:
    """Add ``--color`` to a command and its subcommands. :func:`decide` has read its value already."""
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            add_option(inner)
    if not any(_FLAG in parameter.opts for parameter in command.params):
        command.params.append(
            click.Option(
                [_FLAG],
                type=Choice(list(_CHOICES)),
                expose_value=False,
                help="Colour the output. 'auto' does so in a terminal, unless NO_COLOR is set.  [default: auto]",
            )
        )
