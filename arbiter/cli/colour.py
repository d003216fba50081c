"""Whether output is in colour: ``--color``, then NO_COLOR and ``TERM=dumb``, then whether the stream is a terminal.

Decided once, for a whole run: the decision becomes the ``color`` of click's context, which every ``click.echo`` follows.
Nothing else looks at these variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

_FLAG = "--color"
CHOICES = {"auto": None, "always": True, "never": False}


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
    if CHOICES.get(asked) is not None:
        return CHOICES[asked]
    # An empty NO_COLOR counts as not set: https://no-color.org
    return False if environment.get("NO_COLOR") or environment.get("TERM") == "dumb" else None


def without_flag(words: Sequence[str]) -> list[str]:
    """Return the command line without the valid uses of the flag, so that no command has to know it."""
    kept: list[str] = []
    ahead = iter(words)
    for word in ahead:
        if word == "--":
            return [*kept, word, *ahead]
        flag, equals, value = word.partition("=")
        if flag != _FLAG:
            kept.append(word)
        elif (value := value if equals else next(ahead, "")) not in CHOICES:
            return [_FLAG, *([value] if equals or value else [])]  # the group knows the flag, and says what is wrong
    return kept
