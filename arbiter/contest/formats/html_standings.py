"""The standings and the crosstable of the HTML page."""

from __future__ import annotations

from arbiter.contest.formats import grids
from arbiter.contest.formats.markup import agent_link, escaped, rows_in
from arbiter.contest.formats.svg import COLOURS, short
from arbiter.contest.report import Report, wording
from arbiter.contest.report.document import Estimate, Row

Column = tuple[str, str, list[str]]
"""Heading, what to sort by, and the cells as markup."""


def standings(report: Report, names: grids.Names) -> str:
    """Return the table of agents; columns without content are left out."""
    rows = report.rows
    columns = [*_agent_columns(report, names), *_result_columns(report), *_conduct_columns(rows)]
    lines = zip(rows, zip(*(cells for *_, cells in columns), strict=True), strict=True)
    styled = (f"<tr{_style(row, report)}>{''.join(cells)}</tr>" for row, cells in lines)
    return rows_in([(heading, by) for heading, by, _ in columns], styled, style="full")


def _agent_columns(report: Report, names: grids.Names) -> list[Column]:
    rows = report.rows
    columns: list[Column] = [("place", "number", [_cell(row.place, grids.place(row)) for row in rows])]
    columns.append(("agent", "text", [f'<td class="name">{_agent(report, row, names)}</td>' for row in rows]))
    return columns


def _agent(report: Report, row: Row, names: grids.Names) -> str:
    """Return the name of an agent, with the note on it below; a column of its own would take the room of the results."""
    note = escaped(grids.note(row))
    return agent_link(report, row.agent, names[row.agent]) + (f'<small class="note">{note}</small>' if note else "")


def _result_columns(report: Report) -> list[Column]:
    rows, figures = report.rows, grids.figures_of(report)
    scores = [row.score or Estimate(None, None, None) for row in rows]
    columns: list[Column] = []
    for name in figures:
        shown = [grids.figure_of(row, name) for row in rows]
        columns += _figures(name, [row.figures.get(name) for row in rows], shown)
    if "points" not in figures:
        columns += _figures("points", [row.points for row in rows], [wording.compact(row.points) for row in rows])
    columns += _figures("games", [row.games for row in rows], [str(row.games) for row in rows])
    results = [wording.wins_draws_losses(row.wins, row.draws, row.losses) for row in rows]
    columns += _figures(grids.RESULTS, [row.wins for row in rows], results)
    shares = ["–" if score.value is None else wording.percent(score.value, 1) for score in scores]
    columns += _figures("score", [score.value for score in scores], shares)
    if report.games:
        columns.append(("95 % interval", "", [f"<td>{_whisker(score)}</td>" for score in scores]))
    if "rating" not in figures:
        elo = [row.rating.value if row.rating else None for row in rows]
        columns += _figures("Elo", elo, [wording.rating(row.rating) for row in rows])
    return columns


def _conduct_columns(rows: list[Row]) -> list[Column]:
    columns = _figures(grids.GAME_SCORE, [row.own_score for row in rows], [grids.own_score(row) for row in rows])
    times = [wording.format_think_time(row.think_us) for row in rows]
    columns += _figures(grids.THINK_TIME, [row.think_us for row in rows], times)
    if any(row.faults for row in rows):
        columns.append(("faults", "number", [_faults(row) for row in rows]))
    return columns


def _figures(heading: str, values: list[float | None] | list[float] | list[int], shown: list[str]) -> list[Column]:
    return [(heading, "number", list(map(_cell, values, shown)))] if any(values) else []


def _style(row: Row, report: Report) -> str:
    return ' class="first"' if row.place == 1 else ' class="out"' if row.place is None and report.games else ""


def _faults(row: Row) -> str:
    total = sum(row.faults.values())
    return f'<td class="r{" bad" if total else ""}" data-v="{total}">{escaped(wording.faults(row.faults)) or "–"}</td>'


def _cell(value: float | None, shown: str) -> str:
    """Return a cell with the value that it is sorted by."""
    return f'<td class="r" data-v="{"" if value is None else f"{value:.6g}"}">{escaped(shown)}</td>'


def _whisker(score: Estimate) -> str:
    """Return a small picture of a score with its interval, on a scale from 0 to 100 %."""
    if score.value is None or score.low is None or score.high is None:
        return ""
    low, value, high = (short(5 + 140 * share) for share in (score.low, score.value, score.high))
    return (
        f'<svg class="whisker" viewBox="0 0 150 16" role="img" aria-label="{escaped(wording.score(score))}">'
        f'<path d="M5 8H145M75 2V14" stroke="currentColor" stroke-opacity=".35"/>'
        f'<path d="M{low} 8H{high}" stroke="{COLOURS[0]}" stroke-width="4" stroke-opacity=".6"/>'
        f'<circle cx="{value}" cy="8" r="4.5" fill="{COLOURS[0]}"/></svg>'
    )


def crosstable(report: Report, names: grids.Names) -> str:
    """Return the table of every agent against every other, coloured by the share of the points."""
    order = [row.agent for row in report.rows]
    rows = []
    for number, one in enumerate(order, 1):
        cells = [f'<td class="r soft">{number}</td><td class="name">{agent_link(report, one, names[one])}</td>']
        for other in order:
            cell = report.cross[one].get(other)
            if cell is None or not cell.games:
                cells.append("<td></td>")
                continue
            share = cell.points / cell.games
            red, green, blue = bytes.fromhex(COLOURS[0 if share >= 0.5 else 1][1:])
            shade = f"rgb({red} {green} {blue}/{short(0.06 + 1.1 * abs(share - 0.5))})"
            result = wording.wins_draws_losses(cell.wins, cell.draws, cell.losses)
            shown = agent_link(report, one, f"{100 * share:.0f}", other)
            cells.append(f'<td style="background:{shade}">{shown}<small>{result}</small></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    heads = [("no.", ""), ("% of the points against", ""), *((str(number), "") for number in range(1, len(order) + 1))]
    return rows_in(heads, rows, style="cross", sortable=False)
