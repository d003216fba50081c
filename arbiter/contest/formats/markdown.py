"""Markdown with GitHub's tables, for a readme, a wiki or a chat: the answer first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tabulate import tabulate

from arbiter.contest.formats import grids
from arbiter.contest.formats.grids import Grid, has_useful_crosstable
from arbiter.contest.formats.plain import plain, short_names
from arbiter.contest.report import Report
from arbiter.contest.statistics import wording

_SPECIAL = re.compile(r"[\\`*\[\]<>&|~@]|(?<!\w)_|_(?!\w)|#(?=.)|:(?=//)")
_MOST_CROSS = 24
_MOST_ENCOUNTERS = 60
_NAME = 40


def markdown(report: Report) -> str:
    """Return the report as Markdown."""
    return "\n\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    names = short_names((row.agent for row in report.rows), _NAME)
    yield f"# {_text(report.title)}"
    if report.about:
        yield _text(report.about)
    yield f"**{_text(report.answer)}**"
    if report.asked and report.asked != report.answer:
        yield _text(report.asked)
    counts = report.counts
    played = f"{wording.count(counts.counted, 'game')}, {wording.count(len(report.rows), 'agent')}"
    yield f"{_text(report.game)}, {wording.kind_of_contest(report.kind)}: {played}. " + " ".join(
        f"Not complete: {_text(reason)}." for reason in report.missing
    )
    yield _table(grids.standings(report, names))
    if report.duels:
        yield f"## Head-to-head results\n\n{_table(grids.duels(report, names))}"
    if has_useful_crosstable(report) and len(report.rows) <= _MOST_CROSS:
        yield f"## Crosstable\n\n{_table(grids.crosstable(report, names))}"
    if 0 < sum(len(stage.encounters) for stage in report.stages) <= _MOST_ENCOUNTERS:
        yield f"## Stages\n\n{_table(grids.encounters(report, names))}"
    if report.bracket:
        yield f"## Bracket\n\n{_table(grids.bracket(report, names))}"
    if report.second:
        yield f"## Secondary ranking\n\n{_table(grids.second(report, names))}"
    if len(report.seat_scores) > 1:
        yield f"## Score by seat\n\n{_table(grids.seats(report))}"
    if report.highlights:
        yield f"## Highlights\n\n{_highlights(report)}"
    if notes := list(_notes(report)):
        yield "## Notes\n\n" + "\n".join(notes)


def _text(untrusted: str, most: int = 500) -> str:
    """Escape untrusted text: no character in it is markup, a mention or a link."""
    return _SPECIAL.sub(lambda found: "".join(f"&#{ord(letter)};" for letter in found[0]), plain(untrusted, most))


def _table(grid: Grid) -> str:
    """Format a table whose columns are aligned, so that it can be read as plain text as well."""
    head, *rows = [[_text(cell) for cell in row] for row in (grid.head, *grid.rows)]
    align = ["right" if column in grid.right else "left" for column in range(len(head))]
    return tabulate(rows, head, tablefmt="pipe", colalign=align, disable_numparse=True)


def _highlights(report: Report) -> str:
    records = {game.number: game.record for game in report.games}
    return "\n".join(
        f"- {one.reason}: {_text(one.why)} (game {one.game}, {_text(records[one.game])})" for one in report.highlights
    )


def _notes(report: Report) -> Iterator[str]:
    for number, reason in report.not_played.items():
        yield f"- game {number} could not be played: {_text(reason)}"
    for group in report.duplicates:
        yield f"- identical moves: games {wording.joined([str(game) for game in group.games])}"
    for note in report.notes:
        yield f"- {_text(note)}"
    terms = report.conditions
    if terms.sandbox or terms.clock:
        yield f"- sandbox {_text(terms.sandbox)}, clock {_text(terms.clock)}"
