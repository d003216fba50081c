"""The standings and the crosstable of the HTML page."""

from __future__ import annotations

from arbiter.contest.formats import grids
from arbiter.contest.formats.markup import agent_link, escaped, rows_in
from arbiter.contest.formats.svg import COLOURS, short
from arbiter.contest.report import Report
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.standing import Column, Standing, columns_of, note
from arbiter.contest.statistics.wording import Estimate


def standings(report: Report, names: grids.Names) -> str:
    """Return the table of agents; columns without content are left out."""
    columns = [column for column in columns_of(report.rows) if column.key != "note"]  # the note is below the name
    lines = (
        f"<tr{_style(row, report)}>{''.join(_cell(report, row, column, names) for column in columns)}</tr>"
        for row in report.rows
    )
    return rows_in(
        [(column.heading, "text" if column.key == "agent" else "number") for column in columns], lines, style="full"
    )


def _cell(report: Report, row: Standing, column: Column, names: grids.Names) -> str:
    """Return a cell with the value that it is sorted by."""
    if column.key == "agent":
        below = f'<small class="note">{escaped(text)}</small>' if (text := note(row)) else ""
        return f'<td class="name">{agent_link(report, row.agent, names[row.agent])}{below}</td>'
    shown, value = escaped(column.show(row)), column.number(row)
    if column.key == "score" and row.score:
        shown += _whisker(row.score)
    style = " bad" if column.key == "faults" and value else ""
    return f'<td class="r{style}" data-v="{"" if value is None else f"{value:.6g}"}">{shown}</td>'


def _style(row: Standing, report: Report) -> str:
    return ' class="first"' if row.place == 1 else ' class="out"' if row.place is None and report.games else ""


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
