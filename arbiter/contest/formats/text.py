"""Plain text for a terminal: the answer first, then the standings, then the details. Colours are by ``click.style``; the
caller removes them if the output is not a terminal."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Iterator

import click
from tabulate import tabulate

from arbiter.contest.formats import grids
from arbiter.contest.formats.grids import Grid, has_useful_crosstable
from arbiter.contest.formats.plain import plain, short_names
from arbiter.contest.report import Report, wording

_WIDEST_TABLE = 100
_NARROWEST_HEADING = 8
_MOST_CROSS = 24
_MOST_ENCOUNTERS = 24
_MOST_DUPLICATES = 5
_COLOURS = {"yes": "green", "no": "red", "not yet": "yellow"}


def text(report: Report) -> str:
    """Return the report for a terminal."""
    return "\n\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    names = short_names(row.agent for row in report.rows)
    yield _top(report)
    yield _table(grids.standings(report, names), _coloured(report))
    if len(report.duels) > 1:
        yield _table(grids.duels(report, names))
    if has_useful_crosstable(report):
        yield _cross(report, names)
    if 0 < sum(len(stage.encounters) for stage in report.stages) <= _MOST_ENCOUNTERS:
        yield _table(grids.encounters(report, names))
    if report.second:
        yield _table(grids.second(report, names))
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
    lines = [f"{click.style(plain(report.title), bold=True)}  {field}, {games}"]
    lines.append(click.style(plain(report.answer, 2000), fg=_COLOURS.get(report.verdict), bold=True))
    if report.asked and report.asked != report.answer:
        lines.append(plain(report.asked, 2000))
    lines += [click.style(f"not complete: {plain(reason)}", fg="yellow") for reason in report.missing]
    return "\n".join(lines)


def _table(grid: Grid, paint: Callable[[Grid], Grid] | None = None) -> str:
    shown = paint(grid) if paint else grid
    align = ["right" if column in grid.right else "left" for column in range(len(grid.head))]
    cells = [[plain(cell, 2000) if cell.isprintable() else cell for cell in row] for row in shown.rows]
    head = [_wrapped(heading, column, cells) for column, heading in enumerate(shown.head)]
    return tabulate(cells, head, tablefmt="simple", colalign=align, disable_numparse=True)


def _wrapped(heading: str, column: int, cells: list[list[str]]) -> str:
    """Break a heading that is wider than its column."""
    widest = max((len(click.unstyle(row[column])) for row in cells), default=0)
    return "\n".join(textwrap.wrap(heading, max(widest, _NARROWEST_HEADING), break_long_words=False))


def _coloured(report: Report) -> Callable[[Grid], Grid]:
    """Return a function that styles the standings: the winner bold, agents without a place dim, faults red."""

    def paint(grid: Grid) -> Grid:
        rows = []
        for row, cells in zip(report.rows, grid.rows, strict=True):
            styled = [plain(cell, 2000) for cell in cells]
            if "faults" in grid.head and row.faults:
                at = list(grid.head).index("faults")
                styled[at] = click.style(styled[at], fg="red")
            if row.place is None:
                styled = [click.style(cell, dim=True) if cell else cell for cell in styled]
            elif row.place == 1:
                styled[1] = click.style(styled[1], bold=True)
            rows.append(styled)
        return Grid(grid.head, rows, grid.right)

    return paint


def _cross(report: Report, names: dict[str, str]) -> str:
    if len(report.rows) > _MOST_CROSS:
        return click.style("crosstable too large to show here: use --format html or csv-crosstable", dim=True)
    table = _table(grids.crosstable(report, names))
    if max(map(len, table.split("\n"))) <= _WIDEST_TABLE:
        return table
    return f"{_table(grids.crosstable(report, names, brief=True))}\n{click.style('% of the points', dim=True)}"


def _facts(report: Report) -> Iterator[str]:
    if len(report.duels) == 1:
        (duel,) = report.duels
        better = f"{wording.probability(duel.superiority)} likely that {plain(duel.one)} is better"
        results = f"{wording.wins_draws_losses(duel.wins, duel.draws, duel.losses)} ({grids.RESULTS})"
        test = f"; log-likelihood ratio {grids.test(duel)}" if duel.llr_bounds else ""
        yield f"duel     {results} in {wording.count(duel.pairs, 'deal')}; {better}{test}"
    if len(report.seat_scores) > 1:
        scores = ", ".join(f"{seat.seat}: {grids.seat_score(seat)}" for seat in report.seat_scores)
        yield f"seats    score by seat: {scores}"


def _highlights(report: Report) -> str:
    games = {game.number: game for game in report.games}
    digits = max(len(str(one.game)) for one in report.highlights)
    lines = ["highlights: games to look at first"]
    lines += [f"  {one.game:>{digits}}  {one.reason + ':':<18} {plain(one.why)}" for one in report.highlights]
    record = plain(games[report.highlights[0].game].record)
    return "\n".join([*lines, f"look     arbiter show {shlex.quote(record)}"])


def _notes(report: Report) -> Iterator[str]:
    for group in report.duplicates[:_MOST_DUPLICATES]:
        yield f"same     games {wording.joined([str(game) for game in group.games])} have identical moves"
    if (more := len(report.duplicates) - _MOST_DUPLICATES) > 0:
        yield f"same     {wording.count(more, 'more group')} of games with identical moves"
    for number, reason in report.not_played.items():
        yield click.style(f"missing  game {number} could not be played: {plain(reason)}", fg="yellow")
    for note in report.notes:
        lines = [plain(line) for line in note.splitlines()]  # that of a failed build quotes the compiler
        yield click.style(f"note     {f'{chr(10)}         '.join(lines)}", fg="yellow")
    for one in report.chance:
        known = f"secret {one.secret}" if one.secret else "a secret that is revealed when the contest ends"
        yield click.style(f"chance   {known}, {one.commitment}", dim=True)
    terms = report.conditions
    if terms.sandbox or terms.clock:
        yield click.style(f"terms    sandbox {terms.sandbox or '?'}, clock {terms.clock or '?'}", dim=True)
