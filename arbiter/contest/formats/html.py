"""HTML: one page with everything, for a browser, a projector or paper. It is a single file and needs no network.

The page links to the records of the games by relative path, so it can be moved together with them. A short script sorts
and filters tables; the page's Content-Security-Policy allows that script and no other.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path

from arbiter.contest.formats import grids, html_games, html_standings
from arbiter.contest.formats.markup import collapsed, escaped, html_table, link, section
from arbiter.contest.formats.plain import short_names
from arbiter.contest.formats.plots import PHONE, pictures
from arbiter.contest.report import Report
from arbiter.contest.report.document import Conditions
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.standing import RESULTS

_HERE = Path(__file__).parent
_LONGEST_NAME = 36
_MOST_CROSS = 24
"""The most agents for which the crosstable is a table; with more, it is a picture."""
_MOST_STAGES = 12
_MOST_DUPLICATES = 20
_BADGES = {"yes": ("yes", "Yes"), "no": ("no", "No"), "not yet": ("wait", "Not yet"), "": ("", "")}
"""By verdict: the style of the answer, and the word in front of it."""


def html(report: Report) -> str:
    """Return the page."""
    style = (_HERE / "page.css").read_text(encoding="utf-8")
    script = (_HERE / "page.js").read_text(encoding="utf-8")
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'"
    body = "\n".join(filter(None, _parts(report)))
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(_title(report))}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _parts(report: Report) -> Iterator[str]:
    names = short_names((row.agent for row in report.rows), _LONGEST_NAME)
    plots, small_plots = pictures(report), pictures(report, PHONE)
    figures = {
        name: f'<figure><div class="large">{picture.inline()}</div><div class="small">{small_plots[name].inline()}</div></figure>'
        for name, picture in plots.items()
    }
    titles = {name: picture.title for name, picture in plots.items()}
    yield _top(report)
    yield section("Standings", html_standings.standings(report, names))
    yield section(titles.get("progress", ""), figures.get("progress", ""))
    yield section("Head-to-head results", html_table(grids.duels(report, names)) if len(report.duels) > 1 else "")
    yield section("Bracket", html_games.bracket(report, names))
    if len(report.stages) <= _MOST_STAGES:
        yield section("Stages", html_games.stages(report, names))
    if grids.has_useful_crosstable(report):
        small = len(report.rows) <= _MOST_CROSS
        yield section("Crosstable", html_standings.crosstable(report, names) if small else figures["crosstable"])
    yield section("Highlights", html_games.highlights(report))
    yield section(titles.get("scores", ""), figures.get("scores", ""))
    second = section("Secondary ranking", html_table(grids.second(report, names)) if report.second else "")
    seats = section("Score by seat", html_table(grids.seats(report)) if len(report.seat_scores) > 1 else "")
    yield f'<div class="pair stack">{second}{seats}</div>' if second or seats else ""
    yield section("Notes", _notes(report))
    if len(report.stages) > _MOST_STAGES:
        yield collapsed(f"All {len(report.stages)} stages", html_games.stages(report, names))
    yield collapsed(f"All {wording.count(len(report.games), 'game')}", html_games.games(report, names))
    yield collapsed("Conditions", _conditions(report))
    yield _legend(report)


def _top(report: Report) -> str:
    style, word = _BADGES[report.verdict]
    badge = f"<b>{word}</b>" if word and (report.duels or report.asked) else ""
    more = [f"Not complete: {reason}." for reason in report.missing]
    if report.asked and report.asked != report.answer:
        more.insert(0, report.asked)
    small = "".join(f"<small>{escaped(line, 2000)}</small>" for line in more)
    about = f"<p>{escaped(report.about, 2000)}</p>" if report.about else ""
    title = _title(report)
    kind = " · ".join(
        (report.game, wording.kind_of_contest(report.kind), *([report.name] if title != report.name else []))
    )
    tiles = "".join(
        f"<li><b>{escaped(figure)}</b><span>{escaped(label)}</span></li>" for figure, label in _tiles(report)
    )
    return (
        f'<header><div class="kind">{escaped(kind)}</div><h1>{escaped(title)}</h1>{about}</header>\n'
        f'<div class="answer {style}"><p>{badge}{escaped(report.answer, 2000)}</p>{small}</div>\n'
        f'<ul class="tiles">{tiles}</ul>'
    )


def _title(report: Report) -> str:
    """Return the title that the organiser gave, or else who plays."""
    if report.title != report.name or not report.rows:
        return report.title
    agents = [row.agent for row in report.rows]
    if len(agents) == 2:
        return f"{wording.short_name(agents[0])} against {wording.short_name(agents[1])}"
    return wording.joined(agents) if len(agents) <= 4 else f"{len(agents)} agents play {report.game}"


def _tiles(report: Report) -> Iterator[tuple[str, str]]:
    """Return the key figures, each with its label."""
    counts = report.counts
    if len(report.duels) == 1:
        (duel,) = report.duels
        yield wording.elo_lead(duel.elo), "Elo lead (95 % interval)"
        yield grids.superiority(duel), "probability of being better"
        yield wording.wins_draws_losses(duel.wins, duel.draws, duel.losses), RESULTS
    else:
        yield str(len(report.rows)), "agents"
    yield f"{counts.counted}" if report.complete or not counts.total else f"{counts.counted}/{counts.total}", "games"
    faults = sum(sum(row.faults.values()) for row in report.rows)
    yield str(faults), "fault" if faults == 1 else "faults"


def _notes(report: Report) -> str:
    lines = [escaped(note) for note in report.notes]
    lines += [f"Game {number} could not be played: {escaped(reason)}" for number, reason in report.not_played.items()]
    records = html_games.links_to_games(report)
    groups = [
        ", ".join(link(records[number], str(number)) for number in group.games[:_MOST_DUPLICATES])
        + (" …" if len(group.games) > _MOST_DUPLICATES else "")
        for group in report.duplicates[:_MOST_DUPLICATES]
    ]
    lines += [f"Identical moves: games {'; '.join(groups)}"] if groups else []
    return f'<ul class="notes">{"".join(f"<li>{line}</li>" for line in lines)}</ul>' if lines else ""


def _conditions(report: Report) -> str:
    terms = report.conditions
    lines = [("protocol", report.protocol + (f", version {terms.version}" if terms.version else ""))]
    lines += [("seats per table", str(report.seats)), *_terms(terms)]
    return f"<dl>{''.join(f'<dt>{escaped(label)}</dt><dd>{escaped(value)}</dd>' for label, value in lines)}</dl>"


def _terms(terms: Conditions) -> Iterator[tuple[str, str]]:
    for label, values in (("options", terms.options), ("limits", terms.limits), ("enforced", terms.enforced)):
        if values:
            yield label, ", ".join(f"{name} {value}" for name, value in values.items())
    if terms.time_factor != 1:
        yield "time factor", wording.compact(terms.time_factor)
    for label, value in (("clock", terms.clock), ("sandbox", terms.sandbox), ("arbiter version", terms.arbiter)):
        if value:
            yield label, value


def _legend(report: Report) -> str:
    decides = "score" if report.ranked_by == "score" else "the rules of the contest"
    worth = {
        "places": "An agent's points in a game are the share of opponents ranked behind it, ties counting half",
        "winner": "An agent's points in a game are 1 if it wins, shared equally with those tied for first place, and 0"
        " otherwise",
    }[report.scoring]
    return (
        f"<footer><p>Places are decided by {decides}. {worth}; its score is its points per game."
        " A 95 % interval contains the true value 95 times in"
        " 100; games of the same agents with the same seed count as one observation. Elo ratings are relative to the mean"
        " of all agents; a lead of 400 Elo means odds of 10 to 1.</p></footer>"
    )
