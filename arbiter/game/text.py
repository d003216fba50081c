"""Text for people: terminal styles, display widths, and values quoted in messages."""

from __future__ import annotations

import functools
import re

_CODES = {
    "bold": "1", "dim": "2", "reverse": "7", "black": "30", "red": "31", "green": "32", "yellow": "33", "blue": "34",
    "magenta": "35", "cyan": "36", "white": "37", "grey": "90",
}  # fmt: skip
_LONGEST_QUOTED = 40
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_NARROW = re.compile("[ -~\u00a0-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2212\u2500-\u259f]*")
"""Text of letters, punctuation, arrows and lines that all take one column of a terminal."""


def paint(text: str, *styles: str) -> str:
    """Return the text in terminal styles, such as ``paint("gold", "yellow", "bold")``. The caller may strip them."""
    return f"{_start(styles)}{text}\x1b[0m"


@functools.lru_cache  # a board paints every cell in one of a few styles
def _start(styles: tuple[str, ...]) -> str:
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m"


def columns(text: str) -> int:
    """Return how many columns of a terminal one line of text takes; styles take none, CJK and emoji two each."""
    plain = _STYLE.sub("", text) if "\x1b" in text else text
    if plain.isascii() or _NARROW.fullmatch(plain):
        return len(plain)
    from wcwidth import wcswidth, wcwidth  # takes longer to import than most commands take

    width: int = wcswidth(plain)
    return width if width >= 0 else sum(max(0, wcwidth(letter)) for letter in plain)


def padded(text: str, width: int) -> str:
    """Return text padded with spaces to at least ``width`` columns: ``str.ljust`` for terminals."""
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int, *, first: str = "", margin: str = "") -> list[str]:
    """Break a sentence into lines of at most ``width`` columns: ``first`` before the first line, ``margin`` before others.

    A word that is too long for a line stays whole, and a percent sign stays with its number.
    """
    head, *words = re.split(" (?!%)", text)
    lines, line = list[str](), first + head
    for word in words:
        longer = f"{line} {word}"
        if columns(longer) > width:
            lines.append(line)
            longer = margin + word
        line = longer
    return [*lines, line]


def quoted(value: object) -> str:
    """Quote a value, such as an agent's answer, for one line of a message: shortened, and in ASCII.

    Letters that only look like the expected ones are thus shown as escapes.
    """
    # One character more than is ever shown: a longer text is always cut, and ascii() never sees megabytes.
    shown = ascii(value[: _LONGEST_QUOTED + 1] if isinstance(value, str) else value)
    if len(shown) <= _LONGEST_QUOTED + 2:
        return shown
    return shown[:_LONGEST_QUOTED] + "…" + (shown[0] if isinstance(value, str) else "")
