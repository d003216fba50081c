"""HTML building blocks. All untrusted text must go through :func:`text` or :func:`link`, which escape it."""

from __future__ import annotations

import html
import os
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from arbiter.contest.formats.grids import Grid
from arbiter.contest.formats.plain import plain
from arbiter.contest.report import Report


def escaped(untrusted: str, most: int = 500) -> str:
    """Escape untrusted text."""
    return html.escape(plain(untrusted, most))


def link(path: str, label: str) -> str:
    """Return a link to a file by relative path, quoted so that no path can be mistaken for another kind of URL."""
    where = quote(os.fsencode(path), safe="/")
    return f'<a href="{html.escape(where)}">{escaped(label)}</a>' if path else escaped(label)


def agent_link(report: Report, agent: str, label: str, *others: str) -> str:
    """Return a link to what the page of agents has about an agent, or about its games with others; without a page, the label."""
    if not report.agents_page:
        return escaped(label)
    where = quote(os.fsencode(report.agents_page), safe="/")
    asked = "&".join(f"agent={quote(name.encode(errors='replace'), safe='')}" for name in (agent, *others))
    return f'<a href="{html.escape(f"{where}#{asked}")}">{escaped(label)}</a>'


def section(heading: str, inside: str) -> str:
    """Return a section of the page; an empty string if it has no content."""
    return f"<section><h2>{escaped(heading)}</h2>{inside}</section>" if inside else ""


def collapsed(heading: str, inside: str) -> str:
    """Return a collapsed section, which is not printed."""
    return f'<details class="part"><summary>{escaped(heading)}</summary><div>{inside}</div></details>' if inside else ""


def html_table(grid: Grid) -> str:
    """Return a grid as an HTML table."""
    head = [(name, "number" if column in grid.right else "") for column, name in enumerate(grid.head)]
    rows = (
        "".join(
            f"<td{' class=r' if column in grid.right else ''}>{escaped(cell)}</td>" for column, cell in enumerate(row)
        )
        for row in grid.rows
    )
    return rows_in(head, (f"<tr>{row}</tr>" for row in rows), sortable=False)


def rows_in(
    head: Sequence[tuple[str, str]], rows: Iterable[str], *, sortable: bool = True, style: str = "", name: str = ""
) -> str:
    """Return a table of rows that are markup. A column is its heading and what to sort by: number, text, or nothing."""
    heads = "".join(
        f'<th scope="col"{" class=r" if by == "number" else ""}{f" data-by={by}" if by and sortable else ""}>{escaped(heading)}</th>'
        for heading, by in head
    )
    marks = f"{f' id={name}' if name else ''}{f' class={style}' if style else ''}"
    return (
        f'<div class="wide"><table{marks}><thead><tr>{heads}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )
