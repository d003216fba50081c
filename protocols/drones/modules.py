"""Recognises JavaScript files that are modules to call, rather than programs to run.

Some contests take a module that exports a player and call its functions; such a file does nothing when run by
itself, and needs an adapter that talks to the arbiter on its behalf.
"""

from __future__ import annotations

import re
from typing import Final

_NOT_CODE: Final = re.compile(
    r"""
      //[^\n]*                                  # a comment
    | /\*.*?(?:\*/|\Z)                          # a long comment
    | "(?:\\.|[^"\\\n])*"?                      # strings
    | '(?:\\.|[^'\\\n])*'?
    | `(?:\\.|[^`\\])*`?
    | (?<=[=(,:;!&|?{}\[])[ \t]{0,8}            # a regular expression, where no division can occur;
      /(?![*/])                                 # its length is bounded, so that no input takes long to search
      (?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\\n\[]){1,200}/
    """,
    re.VERBOSE | re.DOTALL,
)

_EXPORTS_A_PLAYER: Final = re.compile(
    r"""
      \bexport\s+default\b
    | \bexport\s*\{[^{}]*\bas\s+default\b
    | \bexport\s+(?:async\s+)?(?:function|const|let|var)\s+playTurn\b
    | \bmodule\s*\.\s*exports\s*(?:\.\s*(?:default|playTurn)\s*)?=(?!=)
    | (?<![\w$.])exports\s*\.\s*(?:default|playTurn)\s*=(?!=)
    """,
    re.VERBOSE,
)

_READS_STANDARD_INPUT: Final = re.compile(
    r"""
      \bprocess\s*\.\s*stdin\b
    | (?<![\w$.])readline\s*\(\s*\)
    | \breadline\s*\.\s*createInterface\b
    | \bread(?:File)?Sync\s*\(\s*0\b
    """,
    re.VERBOSE,
)
_NAMES_STANDARD_INPUT: Final = re.compile(
    r"""["'](?:/dev/stdin|/proc/self/fd/0|(?:node:)?readline(?:/promises)?)["']"""
)


def is_bot_module(source: str) -> bool:
    """Return whether this JavaScript source exports a player (as the default, as module.exports, or as functions) and does
    not read standard input itself, as a program that also exports something for its tests would."""
    comments_out = _NOT_CODE.sub(_without_comments, source)
    code = _NOT_CODE.sub(" ", source)
    return (
        _EXPORTS_A_PLAYER.search(code) is not None
        and _READS_STANDARD_INPUT.search(code) is None
        and _NAMES_STANDARD_INPUT.search(comments_out) is None
    )


def _without_comments(found: re.Match[str]) -> str:
    text = found.group()
    return " " if text.startswith(("//", "/*")) else text
