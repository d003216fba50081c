"""Text for people: tables, figures, and words of strangers made harmless."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(rows: Iterable[Sequence[object]], headers: Sequence[str], right: Iterable[int] = ()) -> str:
    """A plain table; ``right`` are the columns of figures."""
    from tabulate import tabulate

    align = ["right" if column in set(right) else "left" for column in range(len(headers))]
    return tabulate(rows, headers, tablefmt="simple", colalign=align, disable_numparse=True)


def safe(text: str, most: int = 200) -> str:
    """Text of an agent for a terminal: on one line, control characters written out, cut to size."""
    shown = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def number(value: float) -> str:
    """``15.0`` → ``15``."""
    return str(int(value)) if float(value).is_integer() else f"{value:.2f}"


def count(amount: int, thing: str) -> str:
    """``1 turn``, ``2 turns``."""
    return f"{amount} {thing}" if amount == 1 else f"{amount} {thing}s"
