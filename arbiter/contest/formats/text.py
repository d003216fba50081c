"""Plain text for a terminal: the answer first, then the standings, then the details. Colours are set with ``click.style``; the
caller removes them if the output is not a terminal.

Tables are at most as wide as the terminal, or 80 columns without one. Standings that are wider are continued in a second table
below; a crosstable that is wider is left out, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click

from arbiter.contest.formats import grids
from arbiter.contest.formats.grids import Grid, has_useful_crosstable
from arbiter.contest.formats.plain import plain, short_names
from arbiter.contest.report import Report
from arbiter.contest.report.document import Duel
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.standing import RESULTS
from arbiter.game import wrapped
from arbiter.records.addresses import address_of
from arbiter.text import fitted, fitted_headings, format_table, prose, terminal_width, widest

_NARROWEST_NOTE = 8
_MOST_ENCOUNTERS = 24
_MOST_DUPLICATES = 5
_MARGIN = " " * 9
_COLOURS = {"yes": "green", "no": "red", "not yet": "yellow"}


def text(report: Report) -> str:
    """Return the report for a terminal."""
    return "\n\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    names = short_names(row.agent for row in report.rows)
    yield _top(report)
    yield from _standings(grids.standings(report, names), _coloured(report))
    if len(report.duels) > 1:
        yield _table(grids.duels(report, names), names=(0, 1))
    if has_useful_crosstable(report):
        yield _cross(report, names)
    if report.bracket:
        yield _table(grids.bracket(report, names), names=(3,), wrap=(5,))
    elif 0 < sum(len(stage.encounters) for stage in report.stages) <= _MOST_ENCOUNTERS:
        yield _table(grids.encounters(report, names), wrap=(1,))
    if report.second:
        yield _table(grids.second(report, names), names=(1,))
    if facts := list(_facts(report)):
        yield "\n".join(facts)
    if report.highlights:
        yield _highlights(report)
    if notes := list(_notes(report)):
        yield "\n".join(notes)


def _top(report: Report) -> str:
    counts = report.counts
    of = f" of {counts.total}" if counts.total not in (None, counts.counted) and not report.complete else ""
    field = (
        f"{plain(report.game)}, {wording.kind_of_contest(report.kind)} of {wording.count(len(report.rows), 'agent')}"
    )
    games = f"{counts.counted}{of} games" if of else wording.count(counts.counted, "game")
    lines = [prose(f"{field}, {games}", f"{click.style(plain(report.title), bold=True)}  ")]
    lines.append(click.style(prose(plain(report.answer, 2000)), fg=_COLOURS.get(report.verdict), bold=True))
    if report.asked and report.asked != report.answer:
        lines.append(prose(plain(report.asked, 2000)))
    lines += [click.style(prose(f"not complete: {plain(reason)}"), fg="yellow") for reason in report.missing]
    return "\n".join(lines)


def _table(grid: Grid, *, wrap: Sequence[int] = (), names: Sequence[int] = ()) -> str:
    """Format a table; if it is too wide, break the columns ``wrap`` and then cut the names in the columns ``names``."""
    cells = [[plain(cell, 2000) for cell in row] for row in grid.rows]
    return fitted(cells, grid.head, grid.right, width=terminal_width(), wrap=wrap, shorten=names)


def _standings(grid: Grid, paint: Callable[[Grid], Grid]) -> Iterator[str]:
    """Format the standings, in as many tables as needed to fit all columns into the terminal."""
    cells = [[plain(cell, 2000) for cell in row] for row in grid.rows]
    head = fitted_headings(cells, grid.head, terminal_width())
    for columns in _groups(cells, head, repeated=list(grid.head).index("agent") + 1):
        part, heads = [_chosen(row, columns) for row in cells], _chosen(head, columns)
        if columns[-1] not in grid.right:
            room = terminal_width() - widest(format_table([row[:-1] for row in part], heads[:-1], ())) - 2
            part = [[*row[:-1], "\n".join(wrapped(row[-1], max(_NARROWEST_NOTE, room)))] for row in part]
        shown = paint(Grid(_chosen(grid.head, columns), part))
        yield format_table(shown.rows, heads, [at for at, column in enumerate(columns) if column in grid.right])


def _groups(cells: Sequence[Sequence[str]], head: Sequence[str], repeated: int) -> list[list[int]]:
    """Divide the columns into groups that fit; each begins with the first ``repeated`` columns, which identify the agent."""
    groups = [list(range(repeated))]
    for column in range(repeated, len(head)):
        longer = [*groups[-1], column]
        width = widest(format_table([_chosen(row, longer) for row in cells], _chosen(head, longer), ()))
        if width > terminal_width() and len(groups[-1]) > repeated:
            groups.append([*range(repeated), column])
        else:
            groups[-1] = longer
    return groups


def _chosen(row: Sequence[str], columns: Sequence[int]) -> list[str]:
    return [row[column] for column in columns]


def _coloured(report: Report) -> Callable[[Grid], Grid]:
    """Return a function that styles the standings: the winner bold, agents without a place dim, faults red."""

    def styled(cell: str, **style: Any) -> str:
        return "\n".join(click.style(line, **style) if line else line for line in cell.split("\n"))

    def paint(grid: Grid) -> Grid:
        rows = []
        for row, cells in zip(report.rows, grid.rows, strict=True):
            shown = list(cells)
            if "faults" in grid.head and row.faults:
                at = list(grid.head).index("faults")
                shown[at] = styled(shown[at], fg="red")
            if row.place is None:
                shown = [styled(cell, dim=True) for cell in shown]
            elif row.place == 1:
                at = list(grid.head).index("agent")
                shown[at] = styled(shown[at], bold=True)
            rows.append(shown)
        return Grid(grid.head, rows, grid.right)

    return paint


def _cross(report: Report, names: dict[str, str]) -> str:
    """Format the crosstable with results, or only with the share of the points; or say that it is too wide."""
    width = terminal_width()
    found = _table(grids.crosstable(report, names))
    if widest(found) <= width:
        return found
    found = _table(grids.crosstable(report, names, brief=True))
    if widest(found) <= width:
        return f"{found}\n{click.style('% of the points', dim=True)}"
    note = f"the crosstable is left out, since it is wider than {width} columns: use 'arbiter standings' with --format html or csv-crosstable"
    return click.style(prose(note), dim=True)


def _facts(report: Report) -> Iterator[str]:
    if len(report.duels) == 1:
        yield prose(_duel(report.duels[0]), "duel     ", _MARGIN)
    if len(report.seat_scores) > 1:
        scores = ", ".join(
            f"{report.first_seat + seat.seat}: {wording.score(seat.score)}" for seat in report.seat_scores
        )
        yield prose(f"score by {report.seat_word}: {scores}", "seats    ", _MARGIN)


def _duel(duel: Duel) -> str:
    if not duel.games:
        return "no game has been played yet"
    results = f"{wording.wins_draws_losses(duel.wins, duel.draws, duel.losses)} ({RESULTS})"
    better = f"{grids.superiority(duel)} likely that {plain(duel.one)} is better"
    test = f"; log-likelihood ratio {grids.test(duel)}" if duel.llr_bounds else ""
    return f"{results} in {wording.count(duel.pairs, 'deal')}; {better}{test}"


def _highlights(report: Report) -> str:
    games = {game.number: game for game in report.games}
    digits = max(len(str(one.game)) for one in report.highlights)
    label = max(len(one.reason) for one in report.highlights)
    lines = ["highlights: games to look at first"]
    for one in report.highlights:
        first = f"  {one.game:>{digits}}  {one.reason + ':':<{label + 1}}  "
        lines.append(prose(plain(one.why), first, " " * len(first)))
    record = games[report.highlights[0].game].record
    return "\n".join([*lines, f"look     arbiter show {plain(address_of(record))}"])


def _notes(report: Report) -> Iterator[str]:
    for group in report.duplicates[:_MOST_DUPLICATES]:
        games = wording.joined([str(game) for game in group.games])
        yield prose(f"games {games} have identical moves", "same     ", _MARGIN)
    if (more := len(report.duplicates) - _MOST_DUPLICATES) > 0:
        yield f"same     {wording.count(more, 'more group')} of games with identical moves"
    for number, reason in report.not_played.items():
        line = prose(f"game {number} could not be played: {plain(reason)}", "missing  ", _MARGIN)
        yield click.style(line, fg="yellow")
    for note in report.notes:
        # A note about a failed build quotes the compiler, on several lines.
        lines = [prose(plain(line), _MARGIN, _MARGIN) for line in note.splitlines()]
        yield click.style("\n".join(lines).replace(_MARGIN, "note     ", 1), fg="yellow")


def provenance(report: Report) -> str:
    """Return where the deals come from and the terms on which games are played, for those who ask."""
    return "\n".join(_provenance(report))


def _provenance(report: Report) -> Iterator[str]:
    for one in report.chance:
        known = f"secret {one.secret}" if one.secret else "a secret that is revealed when the contest ends"
        yield click.style(prose(f"{known}, {one.commitment}", "chance   ", _MARGIN), dim=True)
    terms = report.conditions
    if terms.sandbox or terms.clock:
        yield click.style(f"terms    sandbox {terms.sandbox or '?'}, clock {terms.clock or '?'}", dim=True)
