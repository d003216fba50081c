"""Text for terminals: tables, numbers, and untrusted text made safe to print."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Iterable[int] = ()) -> str:
    """Format a plain table; the columns in ``right`` are right-aligned."""
    from tabulate import tabulate

    align = ["right" if column in set(right) else "left" for column in range(len(headers))]
    return tabulate(rows, headers, tablefmt="simple", colalign=align, disable_numparse=True)


def safe(text: str, most: int = 200) -> str:
    """Make text from an agent safe for a terminal: one line, control characters escaped, at most ``most`` characters."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def cut(text: str, most: int) -> str:
    """Cut one line of plain text to ``most`` columns of a terminal; what is cut ends with an ellipsis."""
    from arbiter.game import columns

    if columns(text) <= most:
        return text
    end = min(len(text), most)
    while end and columns(text[:end]) > most - 1:
        end -= 1
    return text[:end] + "…"


def terminal_width() -> int:
    """Return the width to format text for: that of the terminal, or 80 columns where there is none."""
    return max(60, shutil.get_terminal_size((80, 24)).columns)


def number(value: float) -> str:
    """Format a number with at most two decimals, and none without need: ``15.0`` → ``15``."""
    rounded = round(value, 2) + 0.0  # adding zero makes -0.0 positive
    return f"{rounded:.0f}" if rounded.is_integer() else f"{rounded:.2f}"


def count(amount: int, thing: str) -> str:
    """Format a count with its noun: ``1 turn``, ``2 turns``."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"
