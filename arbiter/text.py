"""Text for terminals: tables, numbers, paths, and untrusted text made safe to print."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path


def format_table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Iterable[int] = ()) -> str:
    """Format a plain table; the columns in ``right`` are right-aligned."""
    from arbiter.game import columns

    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(widest, column)) for column in zip(headers, *cells, strict=True)]
    on_the_right = set(right)
    lines = []
    for row in (headers, ["-" * width for width in widths], *cells):
        for parts in zip_longest(*(cell.split("\n") for cell in row), fillvalue=""):
            blanks = [" " * (width - columns(part)) for part, width in zip(parts, widths, strict=True)]
            padded = [
                gap + part if at in on_the_right else part + gap
                for at, (part, gap) in enumerate(zip(parts, blanks, strict=True))
            ]
            lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


_NARROWEST = 12
"""The width in columns below which a column of a table is neither wrapped nor cut any further."""
_NARROWEST_HEADING = 8
"""The width in columns below which a heading is not broken any further."""


def fitted(
    rows: Iterable[Sequence[object]],
    headers: Sequence[str],
    right: Iterable[int] = (),
    *,
    width: int,
    wrap: Sequence[int] = (),
    shorten: Sequence[int] = (),
) -> str:
    """Format a plain table that fits into ``width`` columns of a terminal, if that is possible.

    If needed, headings are broken first, then the columns in ``wrap``, in this order; as a last resort, text in the columns
    ``shorten`` is cut.
    """
    from arbiter.game import wrapped

    cells = [[str(cell) for cell in row] for row in rows]
    headers = fitted_headings(cells, headers, width)
    for at in (*wrap, *shorten):
        if (excess := widest(format_table(cells, headers, right)) - width) <= 0:
            break
        room = max(_NARROWEST, max(widest(row[at]) for row in cells) - excess)
        for row in cells:
            row[at] = cut(row[at], room) if at in shorten else "\n".join(wrapped(row[at], room))
    return format_table(cells, headers, right)


def fitted_headings(cells: Sequence[Sequence[str]], headers: Sequence[str], width: int) -> list[str]:
    """Break as few headings of a table as are needed to fit it into ``width`` columns: those that save most, first.

    Headings are broken at blanks and behind hyphens.
    """
    found = list(headers)
    broken = [_broken(heading, [row[at] for row in cells]) for at, heading in enumerate(headers)]
    for at in sorted(range(len(found)), key=lambda at: widest(broken[at]) - widest(found[at])):
        if widest(format_table(cells, found)) <= width:
            break
        found[at] = broken[at]
    return found


def _broken(heading: str, cells: Sequence[str]) -> str:
    room = max([_NARROWEST_HEADING, *map(widest, cells)])
    return "\n".join(textwrap.wrap(heading, room, break_long_words=False))


def widest(text: str) -> int:
    """Return the width of the widest line in columns of a terminal."""
    from arbiter.game import columns

    return max(map(columns, text.split("\n")))


def safe(text: str, most: int = 200) -> str:
    """Make text from an agent safe for a terminal: one line, control characters escaped, at most ``most`` characters."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def cut(text: str, most: int) -> str:
    """Cut one line of plain text to ``most`` terminal columns, ending with an ellipsis if it was cut."""
    from arbiter.game import columns

    if columns(text) <= most:
        return text
    end = min(len(text), most)
    while end and columns(text[:end]) > most - 1:
        end -= 1
    return text[:end] + "…"


def display_path(path: str | Path) -> str:
    """Return a path relative to the current folder if it is below it, else the absolute path."""
    full, here = Path(path).absolute(), Path.cwd()
    return str(full.relative_to(here)) if full.is_relative_to(here) else str(full)


def terminal_width() -> int:
    """Return the width to format text for: that of the terminal, or 80 columns where there is none."""
    return max(60, shutil.get_terminal_size((80, 24)).columns)


def prose(text: str, first: str = "", margin: str = "") -> str:
    """Wrap a long line for a terminal; without a terminal, leave it whole, so that it can be searched."""
    from arbiter.game import wrapped

    return (
        "\n".join(wrapped(text, terminal_width(), first=first, margin=margin)) if sys.stdout.isatty() else first + text
    )


def format_number(value: float) -> str:
    """Format a number with at most two decimals, without trailing zeros: ``15.0`` → ``15``."""
    rounded = round(value, 2) + 0.0  # adding zero makes -0.0 positive
    return f"{rounded:.0f}" if rounded.is_integer() else f"{rounded:.2f}"


def count(amount: int, thing: str) -> str:
    """Format a count with its noun: ``1 turn``, ``2 turns``."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"
