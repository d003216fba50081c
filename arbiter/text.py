"""Text for terminals: tables, numbers, and untrusted text made safe to print."""

from __future__ import annotations

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


def number(value: float) -> str:
    """Format a number without a needless fraction: ``15.0`` → ``15``."""
    return str(int(value)) if float(value).is_integer() else f"{value:.2f}"


def count(amount: int, thing: str) -> str:
    """Format a count with its noun: ``1 turn``, ``2 turns``."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"
