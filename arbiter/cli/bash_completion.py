"""Completion of NAME=VALUE in bash, which takes ``=`` for the end of a word.

Where the user has typed ``-o turns=6``, click is given the words ``-o``, ``turns``, ``=`` and ``6``. They are joined again
here, and bash gets only what follows the ``=``. After ``turns=`` no space is added.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import ClassVar

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

_PLAIN = """        elif [[ $type == 'plain' ]]; then
            COMPREPLY+=($value)
"""
_OPEN = """        elif [[ $type == 'open' ]]; then
            COMPREPLY+=($value)
            compopt -o nospace
"""


def register() -> None:
    """Let click use this class for bash."""
    add_completion_class(BashWithValues)


class BashWithValues(BashComplete):
    """Completion for bash that knows values behind ``=``."""

    source_template: ClassVar[str] = BashComplete.source_template.replace(_PLAIN, _PLAIN + _OPEN)
    _typed = ""
    """What stands before the part of the word that bash replaces."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one to complete, and that word."""
        words, at = split_arg_string(os.environ["COMP_WORDS"]), int(os.environ["COMP_CWORD"])
        before, incomplete = join_values(words[1:at], words[at] if at < len(words) else "")
        if "=" in (*words[at : at + 1], *words[at - 1 : at]):  # bash has split the word
            self._typed = incomplete[: incomplete.rindex("=") + 1] if "=" in incomplete else ""
        return before, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return the line for one completion; of type ``open`` if a value follows."""
        kind = "open" if item.type == "plain" and item.value.endswith("=") else item.type
        return f"{kind},{item.value.removeprefix(self._typed)}"


def join_values(before: Sequence[str], last: str) -> tuple[list[str], str]:
    """Join what bash has split: ``-o``, ``turns``, ``=``, ``6`` to ``-o``, ``turns=6``."""
    joined: list[str] = []
    for word in (*before, last):
        if joined and ((word == "=" and not joined[-1].endswith("=")) or joined[-1].endswith("=")):
            joined[-1] += word
        else:
            joined.append(word)
    return joined[:-1], joined[-1]
