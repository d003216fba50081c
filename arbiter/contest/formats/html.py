"""One page with everything, for a browser, a projector or paper: a single file that needs no other and no network.

It links to the records of the games by relative path, so it can be moved together with them. A few lines of script sort
and filter; the page tells the browser to run those and no others.
"""

from __future__ import annotations

import base64
import hashlib
import shlex
from collections.abc import Iterator
from pathlib import Path

from arbiter.contest.formats import grids
from arbiter.contest.formats.grids import crosstable_tells
from arbiter.contest.formats.markup import folded, link, rows_in, section, table, text
from arbiter.contest.formats.plain import plain, short_names
from arbiter.contest.formats.plots import pictures
from arbiter.contest.formats.svg import COLOURS, short
from arbiter.contest.report import Report, wording
from arbiter.contest.report.document import Conditions, Encounter, Estimate, Row

_HERE = Path(__file__).parent
_NAME = 36
"""Letters shown of a name."""
_MOST_CROSS = 24
"""Agents up to which the crosstable is one of figures; a picture where there are more."""
_MOST_STAGES = 12
_MOST_LINKS = 8
_WORDS = {"yes": ("yes", "Yes"), "no": ("no", "No"), "not yet": ("wait", "Not yet"), "": ("", "")}


def html(report: Report) -> str:
    """The page."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    body = "\n".join(filter(None, _parts(report)))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{text(report.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _parts(report: Report) -> Iterator[str]:
    names = short_names((row.agent for row in report.rows), _NAME)
    pictured = pictures(report)
    drawn = {name: f"<figure>{picture.inline()}</figure>" for name, picture in pictured.items()}
    titles = {name: picture.title for name, picture in pictured.items()}
    yield _top(report)
    yield section("Standings", _standings(report, names))
    yield section(titles.get("progress", ""), drawn.get("progress", ""))
    yield section("Is it better?", table(grids.duels(report, names)) if len(report.duels) > 1 else "")
    if len(report.stages) <= _MOST_STAGES:
        yield section("Stages", _stages(report, names))
    if crosstable_tells(report):
        figures = len(report.rows) <= _MOST_CROSS
        yield section("Who beats whom", _crosstable(report, names) if figures else drawn["crosstable"])
    yield section("Games that show why", _picks(report))
    yield section(titles.get("scores", ""), drawn.get("scores", ""))
    second = section("Second ranking", table(grids.second(report, names)) if report.second else "")
    seats = section("What a seat is worth", table(grids.seats(report)) if len(report.seat_scores) > 1 else "")
    yield f'<div class="pair stack">{second}{seats}</div>' if second or seats else ""
    yield section("To know", _notes(report))
    if len(report.stages) > _MOST_STAGES:
        yield folded(f"All {len(report.stages)} stages", _stages(report, names))
    yield folded(f"All {wording.count(len(report.games), 'game')}", _games(report, names))
    yield section("Terms", _terms(report))
    yield _reading(report)


def _top(report: Report) -> str:
    style, said = _WORDS[report.verdict]
    badge = f"<b>{said}</b>" if said and (report.duels or report.asked) else ""
    more = [f"Not complete: {reason}." for reason in report.missing]
    if report.asked and report.asked != report.answer:
        more.insert(0, report.asked)
    small = "".join(f"<small>{text(line, 2000)}</small>" for line in more)
    about = f"<p>{text(report.about, 2000)}</p>" if report.about else ""
    kind = f"{report.game} · {wording.kind_of_contest(report.kind)}"
    tiles = "".join(f"<li><b>{text(figure)}</b><span>{text(what)}</span></li>" for figure, what in _tiles(report))
    return (
        f'<header><div class="kind">{text(kind)}</div><h1>{text(report.title)}</h1>{about}</header>\n'
        f'<div class="answer {style}"><p>{badge}{text(report.answer, 2000)}</p>{small}</div>\n'
        f'<ul class="tiles">{tiles}</ul>'
    )


def _tiles(report: Report) -> Iterator[tuple[str, str]]:
    counts = report.counts
    if len(report.duels) == 1:
        (duel,) = report.duels
        yield wording.lead(duel.elo), "Elo (95 %)"
        yield wording.likely(duel.superiority), "likely better"
        yield wording.record(duel.wins, duel.draws, duel.losses), "won, drawn, lost"
    else:
        yield str(len(report.rows)), "agents"
    yield f"{counts.counted}" if report.complete or not counts.total else f"{counts.counted}/{counts.total}", "games"
    faults = sum(sum(row.faults.values()) for row in report.rows)
    yield str(faults), "fault" if faults == 1 else "faults"
    if report.conditions.sandbox:
        yield report.conditions.sandbox, "sandbox"
    if report.conditions.clock:
        yield report.conditions.clock, "clock"


# -- the table


def _standings(report: Report, names: grids.Names) -> str:
    """Column by column; those with nothing in them are left out."""
    rows, figures = report.rows, grids.figures_of(report)
    columns = [("", "number", [_cell(row.place, grids.place(row)) for row in rows])]
    columns.append(("agent", "text", [f'<td class="name">{text(names[row.agent])}</td>' for row in rows]))
    if any(grids.note(row) for row in rows):
        columns.append(("", "text", [f'<td class="note">{text(grids.note(row))}</td>' for row in rows]))

    def figure(head: str, values: list[float | None], said: list[str]) -> None:
        if any(values):
            columns.append((head, "number", list(map(_cell, values, said))))

    for name in figures:
        figure(name, [row.figures.get(name) for row in rows], [grids.figure_of(row, name) for row in rows])
    if "points" not in figures:
        figure("points", [row.points for row in rows], [wording.number(row.points) for row in rows])
    figure("games", [row.games for row in rows], [str(row.games) for row in rows])
    figure("W-D-L", [row.wins for row in rows], [wording.record(row.wins, row.draws, row.losses) for row in rows])
    scores = [row.score or Estimate(None, None, None) for row in rows]
    figure(
        "score",
        [one.value for one in scores],
        ["–" if one.value is None else wording.share(one.value, 1) for one in scores],
    )
    if report.games:
        columns.append(("95 % interval", "", [f"<td>{_whisker(score)}</td>" for score in scores]))
    if "rating" not in figures:
        figure(
            "Elo",
            [row.rating.value if row.rating else None for row in rows],
            [wording.rating(row.rating) for row in rows],
        )
    figure("own score", [row.own_score for row in rows], [grids.own_score(row) for row in rows])
    figure("think", [row.think_us for row in rows], [wording.think(row.think_us) for row in rows])
    if any(row.faults for row in rows):
        columns.append(("faults", "number", [_faults(row) for row in rows]))
    lines = zip(rows, zip(*(cells for *_, cells in columns), strict=True), strict=True)
    marked = (f"<tr{_mark(row, report)}>{''.join(cells)}</tr>" for row, cells in lines)
    return rows_in([(head, by) for head, by, _ in columns], marked, style="full")


def _mark(row: Row, report: Report) -> str:
    return ' class="first"' if row.place == 1 else ' class="out"' if row.place is None and report.games else ""


def _faults(row: Row) -> str:
    made = sum(row.faults.values())
    return f'<td class="r{" bad" if made else ""}" data-v="{made}">{text(wording.faults(row.faults)) or "–"}</td>'


def _cell(value: float | None, said: str) -> str:
    """A figure, and what it is sorted by."""
    return f'<td class="r" data-v="{"" if value is None else f"{value:.6g}"}">{text(said)}</td>'


def _whisker(score: Estimate) -> str:
    """A score with its interval, as a little picture from 0 to 100 %."""
    if score.value is None or score.low is None or score.high is None:
        return ""
    low, value, high = (short(5 + 140 * share) for share in (score.low, score.value, score.high))
    return (
        f'<svg class="whisker" viewBox="0 0 150 16" role="img" aria-label="{text(wording.score(score))}">'
        f'<path d="M5 8H145M75 2V14" stroke="currentColor" stroke-opacity=".35"/>'
        f'<path d="M{low} 8H{high}" stroke="{COLOURS[0]}" stroke-width="4" stroke-opacity=".6"/>'
        f'<circle cx="{value}" cy="8" r="4.5" fill="{COLOURS[0]}"/></svg>'
    )


def _crosstable(report: Report, names: grids.Names) -> str:
    order = [row.agent for row in report.rows]
    rows = []
    for number, one in enumerate(order, 1):
        cells = [f'<td class="r soft">{number}</td><td class="name">{text(names[one])}</td>']
        for other in order:
            cell = report.cross[one].get(other)
            if cell is None or not cell.games:
                cells.append("<td></td>")
                continue
            share = cell.points / cell.games
            red, green, blue = bytes.fromhex(COLOURS[0 if share >= 0.5 else 1][1:])
            shade = f"rgb({red} {green} {blue}/{short(0.06 + 1.1 * abs(share - 0.5))})"
            record = wording.record(cell.wins, cell.draws, cell.losses)
            cells.append(f'<td style="background:{shade}">{100 * share:.0f}<small>{record}</small></td>')
        rows.append(f"<tr>{''.join(cells)}</tr>")
    heads = [("", ""), ("% of the points", ""), *((str(number), "") for number in range(1, len(order) + 1))]
    return rows_in(heads, rows, style="cross", sortable=False)


# -- the games


def _picks(report: Report) -> str:
    records = {game.number: game.record for game in report.games}
    lines = (
        f'<li><span class="tag">{text(pick.reason)}</span><span>{text(pick.why)}, '
        f"{link(records[pick.game], f'game {pick.game}')}</span><span></span>"
        f"<code>{text(_show(records[pick.game]))}</code></li>"
        for pick in report.picks
    )
    return f'<ul class="picks">{"".join(lines)}</ul>' if report.picks else ""


def _show(record: str) -> str:
    return f"arbiter show {shlex.quote(plain(record))}"


def _stages(report: Report, names: grids.Names) -> str:
    records = {game.number: game.record for game in report.games}
    columns = (
        f"<div><h3>{text(stage.name)}</h3><div>{''.join(_met(met, names, records) for met in stage.encounters)}</div></div>"
        for stage in report.stages
    )
    style = "stages bracket" if report.kind == "knockout" else "stages"
    return f'<div class="{style}">{"".join(columns)}</div>' if report.stages else ""


def _met(met: Encounter, names: grids.Names, records: dict[int, str]) -> str:
    lines = []
    for agent, points in zip(met.agents, met.points, strict=True):
        name = text(names[agent])
        ahead = points == met.points[0] and points > met.points[-1]
        shown = f"<b>{name}</b>" if ahead else f"<span>{name}</span>"
        lines.append(f"<div>{shown}<span>{text(wording.number(points))}</span></div>")
    links = " ".join(link(records[number], str(number)) for number in met.games[:_MOST_LINKS])
    more = " …" if len(met.games) > _MOST_LINKS else ""
    return f'<div class="met">{"".join(lines)}<small>{links}{more}</small></div>'


def _games(report: Report, names: grids.Names) -> str:
    if not report.games:
        return ""
    staged = any(game.stage for game in report.games)
    shown = {name: text(short) for name, short in names.items()}
    heads = [("game", "number"), *([("stage", "text")] if staged else []), ("seed", "number"), ("result", "")]
    heads += [("turns", "number"), ("faults", "text")]
    rows = []
    for game in report.games:  # there may be very many of them: end tags that may be left out are
        faults = "; ".join(
            f"{shown[name]} {wording.faults(kinds)}"
            for name, kinds in zip(game.seats, game.faults, strict=False)
            if kinds
        )
        stage = f"<td>{text(game.stage)}" if staged else ""
        rows.append(
            f"<tr><td class=r data-v={game.number}>{link(game.record, str(game.number))}{stage}<td class=r>{game.seed}"
            f"<td>{grids.result(game, shown)}<td class=r>{game.turns}<td class=bad>{faults}"
        )
    search = (
        '<p><input type="search" class="no-script" data-filters="games" placeholder="filter" aria-label="filter"></p>'
    )
    hint = (
        f'<p class="soft">A star marks who won. To look at one: <code>{text(_show(report.games[0].record))}</code></p>'
    )
    return hint + search + rows_in(heads, rows, style="full", name="games")


# -- what else there is to know


def _notes(report: Report) -> str:
    lines = [text(note) for note in report.notes]
    lines += [f"Game {number} could not be played: {text(reason)}" for number, reason in report.not_played.items()]
    records = {game.number: game.record for game in report.games}
    for alike in report.duplicates[:20]:
        shown = ", ".join(link(records[number], str(number)) for number in alike.games[:20])
        lines.append(f"Went exactly alike: games {shown}{' …' if len(alike.games) > 20 else ''}")
    return f'<ul class="notes">{"".join(f"<li>{line}</li>" for line in lines)}</ul>' if lines else ""


def _terms(report: Report) -> str:
    terms = report.conditions
    lines = [("protocol", report.protocol + (f", version {terms.version}" if terms.version else ""))]
    lines += [("seats", str(report.seats)), *_given(terms)]
    return f"<dl>{''.join(f'<dt>{text(what)}</dt><dd>{text(said)}</dd>' for what, said in lines)}</dl>"


def _given(terms: Conditions) -> Iterator[tuple[str, str]]:
    for what, values in (("options", terms.options), ("limits", terms.limits), ("enforced", terms.enforced)):
        if values:
            yield what, ", ".join(f"{name} {value}" for name, value in values.items())
    if terms.time_factor != 1:
        yield "time factor", wording.number(terms.time_factor)
    for what, said in (("clock", terms.clock), ("sandbox", terms.sandbox), ("arbiter", terms.arbiter)):
        if said:
            yield what, said


def _reading(report: Report) -> str:
    places = "Places are by score." if report.ranked_by == "score" else "Places are by the rules of the contest."
    return (
        f"<footer><p>{places} A point is for every other agent at the table that one was ahead of, shared out so that a"
        " whole game is worth 1; level agents get half. Intervals hold the true value 95 times in 100; games of the same"
        " agents with the same seed count as one observation. Elo is above the mean of all; 400 more are odds of 10 to 1."
        "</p></footer>"
    )
