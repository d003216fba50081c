"""Pieces of a page: everything that comes from outside goes through :func:`text` or :func:`link` and is harmless then."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from arbiter.contest.formats.grids import Grid
from arbiter.contest.formats.plain import plain


def text(said: str, most: int = 500) -> str:
    """Text of anybody."""
    return html.escape(plain(said, most))


def link(path: str, said: str) -> str:
    """To a file beside the page or below it; never to anything that a path could be mistaken for."""
    where = quote(os.fsencode(path), safe="/")
    return f'<a href="{html.escape(where)}">{text(said)}</a>' if path else text(said)


def section(heading: str, inside: str, *, style: str = "") -> str:
    """A part of the page; nothing if there is nothing in it."""
    return f"<section{style and f' {style}'}><h2>{text(heading)}</h2>{inside}</section>" if inside else ""


def folded(heading: str, inside: str) -> str:
    """A part that is opened by a click, and not printed."""
    return f'<details class="part"><summary>{text(heading)}</summary><div>{inside}</div></details>' if inside else ""


def table(grid: Grid) -> str:
    """Any table of words and figures."""
    head = [(name, "number" if column in grid.right else "") for column, name in enumerate(grid.head)]
    rows = (
        "".join(f"<td{' class=r' if column in grid.right else ''}>{text(cell)}</td>" for column, cell in enumerate(row))
        for row in grid.rows
    )
    return rows_in(head, (f"<tr>{row}</tr>" for row in rows), sortable=False)


def rows_in(
    head: Sequence[tuple[str, str]], rows: Iterable[str], *, sortable: bool = True, style: str = "", name: str = ""
) -> str:
    """A table of rows that are markup. Columns have a heading and what they hold: number, text, or nothing to sort by."""
    heads = "".join(
        f'<th scope="col"{" class=r" if by == "number" else ""}{f" data-by={by}" if by and sortable else ""}>{text(said)}</th>'
        for said, by in head
    )
    marks = f"{f' id={name}' if name else ''}{f' class={style}' if style else ''}"
    return (
        f'<div class="wide"><table{marks}><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
