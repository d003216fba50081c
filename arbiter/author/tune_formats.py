"""The result of a tuning as text for a terminal, and as a web page with a picture for every parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from arbiter.agents.prepare.parameters import Parameter, show_value
from arbiter.author.tune_report import Candidate, TuneReport, values_text
from arbiter.contest.formats.grids import Grid
from arbiter.contest.formats.markup import escaped, html_table, section
from arbiter.contest.formats.svg import Picture, Scale, colour, element, line, tooltip, words
from arbiter.contest.statistics import wording
from arbiter.contest.statistics.standing import SCORE
from arbiter.text import fitted

_MOST_ROWS = 15
_PLOT_ROWS, _PLOT_COLUMNS = 8, 48


def grid(report: TuneReport, most: int | None = None) -> Grid:
    """Return the table of candidates, the last generation first; the first ``most`` of them."""
    rows = sorted(report.candidates, key=lambda one: (-one.generation, one.place))[:most]
    return Grid(
        [*report.parameters, "generation", "rung", "games", SCORE, "faults"],
        [
            [
                *(show_value(one.values[name]) for name in report.parameters),
                str(one.generation), str(one.rung), str(one.games), wording.score(one.score), str(one.faults),
            ]
            for one in rows
        ],
        frozenset(range(len(report.parameters) + 5)),
    )  # fmt: skip


def tune_text(report: TuneReport, width: int) -> str:
    """Return the report for a terminal of this width."""
    parts = [f"{report.title}  {report.protocol}", ""]
    shown_rows = grid(report, _MOST_ROWS)
    if shown_rows.rows:
        parts.append(fitted(shown_rows.rows, shown_rows.head, shown_rows.right, width=width))
        if (more := len(report.candidates) - len(shown_rows.rows)) > 0:
            parts.append(f"… and {more} more; --json lists all")
    for name, parameter in report.parameters.items():
        parts += ["", *plot(name, parameter, report.candidates)]
    parts += ["", "·  one candidate    o  several    #  reached the last rung of its generation"]
    parts += ["", f"default  {values_text(report.default)}", f"best     {values_text(report.best)}"]
    return "\n".join(parts)


def plot(name: str, parameter: Parameter, candidates: Sequence[Candidate]) -> list[str]:
    """Return the score by the value of one parameter as lines of text: ``·`` for one candidate, ``o`` for two or more,
    ``#`` for those that reached the last rung of their generation."""
    last = _last_rungs(candidates)
    cells: dict[tuple[int, int], str] = {}
    for one in candidates:
        if one.score and one.score.value is not None:
            at = (
                min(int(one.score.value * _PLOT_ROWS), _PLOT_ROWS - 1),
                min(int(parameter.share(one.values[name]) * _PLOT_COLUMNS), _PLOT_COLUMNS - 1),
            )
            mark = "#" if one.rung == last[one.generation] else "o" if at in cells else "·"
            cells[at] = "#" if cells.get(at) == "#" else mark
    lines = []
    for row in reversed(range(_PLOT_ROWS)):
        label = {_PLOT_ROWS - 1: "100 %", _PLOT_ROWS // 2: "50 %", 0: "0 %"}.get(row, "")
        lines.append(
            f"{label:>6} |" + "".join(cells.get((row, column), " ") for column in range(_PLOT_COLUMNS)).rstrip()
        )
    low, high = _ends(parameter)
    scale = ", log scale" if parameter.scale == "log" else ""
    gap = " " * max(1, _PLOT_COLUMNS - len(low) - len(high))
    return [f"score by {name}{scale}", *lines, f"       +{'-' * _PLOT_COLUMNS}", f"        {low}{gap}{high}"]


def _last_rungs(candidates: Sequence[Candidate]) -> dict[int, int]:
    return {
        number: max(one.rung for one in candidates if one.generation == number)
        for number in {one.generation for one in candidates}
    }


def _ends(parameter: Parameter) -> tuple[str, str]:
    values = parameter.values
    return (
        (show_value(values[0]), show_value(values[-1]))
        if values
        else (show_value(parameter.low or 0), show_value(parameter.high or 0))
    )


def parameter_plots(report: TuneReport) -> Mapping[str, Picture]:
    """Return a picture of the scores for every parameter, by its name."""
    if not any(one.games for one in report.candidates):
        return {}
    return {name: _picture(report, name, parameter) for name, parameter in report.parameters.items()}


def _picture(report: TuneReport, name: str, parameter: Parameter) -> Picture:
    across, up = Scale(0, 1, 60, 700), Scale(0, 1, 260, 14)
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(line(60, up(tick), 700, up(tick), stroke_opacity=0.14))
        parts.append(words(wording.percent(tick), 52, up(tick) + 4, anchor="end"))
    low, high = _ends(parameter)
    parts += [words(low, 60, 280), words(high, 700, 280, anchor="end"), words(name, 380, 280, anchor="middle")]
    for one in report.candidates:
        if not one.score or one.score.value is None:
            continue
        x = across(parameter.share(one.values[name]))
        about = tooltip(
            f"{values_text(one.values)}: {wording.score(one.score)}, {one.games} games, generation {one.generation}"
        )
        parts.append(line(x, up(one.score.low or 0.0), x, up(one.score.high or 0.0), stroke_opacity=0.12))
        size = 2.0 + 1.5 * one.rung
        parts.append(
            element(
                "circle",
                about,
                cx=x,
                cy=up(one.score.value),
                r=size,
                fill=colour(one.generation - 1),
                fill_opacity=0.75,
            )
        )
    at = across(parameter.share(report.default[name]))
    parts.append(line(at, 14, at, 260, stroke_dasharray="4 4", stroke_opacity=0.5))
    scale = " (log scale)" if parameter.scale == "log" else ""
    about_all = f"Points per game of {len(report.candidates)} candidates by {name}; the dashed line is its default."
    return Picture(f"Score by {name}{scale}", about_all, 720, 290, "".join(parts))


def as_html(report: TuneReport) -> str:
    """Return a page in one file, which needs no network."""
    style = (Path(__file__).parents[1] / "contest" / "formats" / "page.css").read_text(encoding="utf-8")
    body = "\n".join(_page(report))
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(report.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"</body>\n</html>\n"
    )


def _page(report: TuneReport) -> Iterator[str]:
    badge = {"better": "yes", "not better": "no", "not yet": "wait"}[report.verdict]
    yield f'<header><div class="kind">{escaped(report.protocol)} · tuning</div><h1>{escaped(report.title)}</h1></header>'
    yield f'<div class="answer {badge}"><p>{escaped(report.conclusion(), 2000)}</p></div>'
    values = Grid(
        ["parameter", "default", "best"],
        [[name, show_value(report.default[name]), show_value(report.best[name])] for name in report.parameters],
        frozenset((1, 2)),
    )
    yield section("Values", html_table(values))
    for picture in parameter_plots(report).values():
        yield section(picture.title, f"<figure>{picture.inline()}</figure>")
    yield section("Candidates", html_table(grid(report)) if report.candidates else "")
    yield (
        "<footer><p>The score of the best of many candidates is too high by luck: only the match that confirms, on fresh "
        "deals, says whether the values are better. Larger dots reached a higher rung.</p></footer>"
    )
