"""The games of the HTML page: highlights, stages and the list of all games, with links to the records."""

from __future__ import annotations

from arbiter.contest.formats import grids
from arbiter.contest.formats.markup import escaped, link, rows_in
from arbiter.contest.formats.plain import plain
from arbiter.contest.report import Report
from arbiter.contest.report.document import Encounter
from arbiter.contest.schedules.base import BracketEntry
from arbiter.contest.statistics import wording
from arbiter.records.addresses import address_of

_MOST_LINKS = 8


def links_to_games(report: Report) -> dict[int, str]:
    """Return what to link to by number of the game: its page if there is one, otherwise its record."""
    return {game.number: game.page or game.record for game in report.games}


def highlights(report: Report) -> str:
    """Return the list of games to look at first, each with the command that shows it."""
    records = {game.number: game.record for game in report.games}
    pages = links_to_games(report)
    lines = (
        f'<li><span class="tag">{escaped(one.reason)}</span><span>{escaped(one.why)}, '
        f"{link(pages[one.game], f'game {one.game}')}</span><span></span>"
        f"<code>{escaped(_show(records[one.game]))}</code></li>"
        for one in report.highlights
    )
    return f'<ul class="highlights">{"".join(lines)}</ul>' if report.highlights else ""


def _show(record: str) -> str:
    return f"arbiter show {plain(address_of(record))}"


def stages(report: Report, names: grids.Names) -> str:
    """Return the encounters of every stage; a knockout is drawn as a bracket."""
    records = links_to_games(report)
    columns = (
        f"<div><h3>{escaped(stage.name)}</h3><div>"
        f"{''.join(_encounter(met, names, records) for met in stage.encounters)}</div></div>"
        for stage in report.stages
    )
    style = "stages"
    return f'<div class="{style}">{"".join(columns)}</div>' if report.stages else ""


def bracket(report: Report, names: grids.Names) -> str:
    """Return the elimination: a column per stage, a box per table, and behind every agent where it went."""
    columns = []
    for stage in report.bracket:
        boxes = "".join(
            f'<div class="met">{"".join(_entry(entry, names) for entry in table)}</div>' for table in stage.tables
        )
        columns.append(f"<div><h3>{escaped(stage.name)}</h3><div>{boxes}</div></div>")
    return f'<div class="stages bracket">{"".join(columns)}</div>' if columns else ""


def _entry(entry: BracketEntry, names: grids.Names) -> str:
    name, points = escaped(names[entry.agent]), "" if entry.points is None else wording.compact(entry.points)
    shown = f"<b>{name}</b>" if entry.goes_to or entry.place == 1 else f"<span>{name}</span>"
    went = escaped(grids.went_on(entry))
    went = (
        f'<small class="went">→ {went}</small>' if entry.goes_to else f'<small class="went">{went.lstrip("– ")}</small>'
    )
    return f"<div>{shown}<span>{escaped(points)}</span></div>{went}"


def _encounter(met: Encounter, names: grids.Names, records: dict[int, str]) -> str:
    lines = []
    for agent, points in zip(met.agents, met.points, strict=True):
        name = escaped(names[agent])
        ahead = points == met.points[0] and points > met.points[-1]
        shown = f"<b>{name}</b>" if ahead else f"<span>{name}</span>"
        lines.append(f"<div>{shown}<span>{escaped(wording.compact(points))}</span></div>")
    links = " ".join(link(records[number], str(number)) for number in met.games[:_MOST_LINKS])
    more = " …" if len(met.games) > _MOST_LINKS else ""
    return f'<div class="met">{"".join(lines)}<small>{links}{more}</small></div>'


def games(report: Report, names: grids.Names) -> str:
    """Return the table of all games, with a field to filter it."""
    if not report.games:
        return ""
    staged = any(game.stage for game in report.games)
    shown = {name: escaped(short) for name, short in names.items()}
    heads = [("game", "number"), *([("stage", "text")] if staged else []), ("seed", "number"), ("result", "")]
    heads += [("turns", "number"), ("faults", "text")]
    rows = []
    for game in report.games:  # there may be very many games, so optional end tags are omitted
        faults = "; ".join(
            f"{shown[name]} {wording.faults(kinds)}"
            for name, kinds in zip(game.seats, game.faults, strict=False)
            if kinds
        )
        stage = f"<td>{escaped(game.stage)}" if staged else ""
        rows.append(
            f"<tr><td class=r data-v={game.number}>{link(game.page or game.record, str(game.number))}{stage}<td class=r>{game.seed}"
            f"<td>{grids.result(game, shown)}<td class=r>{game.turns}<td class=bad>{faults}"
        )
    search = (
        '<p><input type="search" class="no-script" data-filters="games"'
        ' placeholder="filter games" aria-label="filter games"></p>'
    )
    command = f"<code>{escaped(_show(report.games[0].record))}</code>"
    hint = f'<p class="soft">A star marks the winner. To look at a game, run {command}</p>'
    return hint + search + rows_in(heads, rows, style="full", name="games")
