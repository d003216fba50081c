"""The pictures of a result: the timeline, the standings, the distribution of scores and the crosstable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from arbiter.contest.formats.plain import short_names
from arbiter.contest.formats.svg import Picture, Scale, colour, element, line, short, ticks, tooltip, words
from arbiter.contest.formats.timeline_plot import timeline_plot
from arbiter.contest.report import Report
from arbiter.contest.statistics import wording
from arbiter.errors import UserError
from arbiter.output_files import write_whole

WIDE = 900.0
PHONE = 380.0
"""Widths of pictures: their text is as large as that of the page when they are as wide as it."""
_GRID = 0.14
"""Opacity of grid lines."""
_ROWS = 30
"""The most agents in the picture of scores."""
_BINS = 40
_LETTERED = 24
"""The most agents for which the cells of the crosstable show figures."""


def pictures(report: Report, width: float = WIDE) -> dict[str, Picture]:
    """Return the pictures that have something to show, by file name without extension."""
    found: dict[str, Picture] = {}
    if not report.games:
        return found
    found["standings"] = standings(report, width)
    if report.timelines and len(report.timelines[0].games) > 1:
        found["progress"] = timeline_plot(report.timelines[0], width)
    if len({score for game in report.games for score in game.scores}) > 1:
        found["scores"] = scores(report, width)
    if len(report.rows) > 2:
        found["crosstable"] = crosstable(report)
    return found


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Write every picture to a file in the folder; return the paths. Raises UserError."""
    written = []
    for name, picture in pictures(report).items():
        file = folder / f"{name}.svg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"cannot write {file}: {error.strerror}") from None
        write_whole(file, picture.alone())
        written.append(file)
    return written


def _edges(names: Iterable[str], width: float) -> tuple[float, float]:
    """Return the edges of a plot, with room for names on its left and for figures on its right."""
    return min(0.4 * width, 24 + 7.4 * max(map(len, names), default=0)), width - 60


def standings(report: Report, width: float) -> Picture:
    """Return the picture of points per game with their 95 % intervals, a line per agent."""
    rows = [(row.agent, row.score) for row in report.rows if row.score]
    names = short_names((agent for agent, _ in rows), round(width / 30))
    left, right = _edges(names.values(), width)
    step, top = 24.0, 8.0
    bottom = top + step * len(rows)
    across = Scale(0, 1, left, right)
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(line(across(tick), top, across(tick), bottom, stroke_opacity=0.4 if tick == 0.5 else _GRID))
        parts.append(words(wording.percent(tick), across(tick), bottom + 18, anchor="middle"))
    for index, (agent, score) in enumerate(rows):
        value, low, high = score.value or 0.0, score.low or 0.0, score.high or 0.0
        y = top + step * (index + 0.5)
        whisker = line(across(low), y, across(high), y, stroke=colour(0), stroke_width=3, stroke_opacity=0.55)
        dot = element(
            "circle", tooltip(f"{agent}: {wording.score(score)}"), cx=across(value), cy=y, r=5, fill=colour(0)
        )
        name = words(names[agent], left - 14, y + 4, anchor="end")
        parts += [name, whisker, dot, words(wording.percent(value), right + 14, y + 4)]
    about = f"Points per game of {len(rows)} agents, best first, with 95 % intervals."
    return Picture("Points per game, with 95 % intervals", about, width, bottom + 28, "".join(parts))


def scores(report: Report, width: float) -> Picture:
    """Return the picture of each agent's distribution of scores, in the game's own points."""
    found: dict[str, list[float]] = {row.agent: [] for row in report.rows if row.games}
    for game in report.games:
        for name, score in zip(game.seats, game.scores, strict=True):
            found[name].append(score)
    shown = dict(list(found.items())[:_ROWS])
    names = short_names(shown, round(width / 30))
    left, right = _edges(names.values(), width)
    low, bin_width, bins = _bins([score for values in shown.values() for score in values])
    step, top = 40.0, 8.0
    bottom = top + step * len(shown)
    across = Scale(low, low + bins * bin_width, left, right)
    whole = bin_width / 2 if bin_width == int(bin_width) else 0.0
    parts = []
    for tick in ticks(across.low, across.high - 2 * whole, round(width / 110)):
        parts.append(line(across(tick + whole), top, across(tick + whole), bottom, stroke_opacity=_GRID))
        parts.append(words(wording.compact(tick), across(tick + whole), bottom + 18, anchor="middle"))
    for index, (name, values) in enumerate(shown.items()):
        floor, middle = top + step * (index + 1) - 4, median(values)
        parts.append(_histogram(values, across, bin_width, Scale(0, 1, floor, floor - step + 8), colour(index)))
        parts.append(line(across(middle + whole), floor, across(middle + whole), floor - step + 10, stroke_width=2))
        parts.append(line(left, floor, right, floor, stroke_opacity=0.3))
        parts.append(words(names[name], left - 14, floor - 10, anchor="end"))
        parts.append(words(wording.compact(middle), right + 14, floor - 10))
    left_out = f" The first {len(shown)} of {len(found)} agents." if len(shown) < len(found) else ""
    about = f"A histogram for each of {len(shown)} agents; the vertical line is the median.{left_out}"
    return Picture("Distribution of scores in the game, with medians", about, width, bottom + 28, "".join(parts))


def _bins(values: Sequence[float]) -> tuple[float, float, int]:
    """Return start, width and number of the bins; whole numbers get a bin each if there are few."""
    low, high = min(values), max(values)
    if all(value == int(value) for value in set(values)):
        width = float(-(-int(high - low + 1) // _BINS))
        return low, width, int((high - low) // width) + 1
    return low, (high - low) / _BINS, _BINS


def _histogram(values: Sequence[float], across: Scale, width: float, up: Scale, fill: str) -> str:
    """Return a histogram scaled to the height available, as one path, which is shorter than many rectangles."""
    low, last = across.low, round((across.high - across.low) / width) - 1
    bars = Counter(min(last, int((value - low) / width)) for value in values)
    most = max(bars.values())
    outline = "".join(
        f"M{short(across(low + place * width) + 0.4)} {short(up(0))}V{short(up(count / most))}"
        f"H{short(across(low + (place + 1) * width) - 0.4)}V{short(up(0))}Z"
        for place, count in sorted(bars.items())
    )
    return element("path", d=outline, fill=fill, fill_opacity=0.75)


def crosstable(report: Report) -> Picture:
    """Return the picture of the crosstable: blue for more than half of the points, orange for less."""
    order = [row.agent for row in report.rows]
    names = short_names(order, 22)
    with_figures = len(order) <= _LETTERED
    wide = min(64.0, 640 / len(order))
    high = 28.0 if with_figures else wide
    left, top = 200.0, 26.0
    every = 1 if with_figures else -(-len(order) // 45)
    parts = []
    for index, name in enumerate(order):
        if index % every == 0:
            parts.append(words(f"{names[name]}  {index + 1}", left - 10, top + high * (index + 0.5) + 4, anchor="end"))
        if with_figures:
            parts.append(words(str(index + 1), left + wide * (index + 0.5), top - 8, anchor="middle"))
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            cell = report.cross[one].get(other)
            if cell and cell.games:
                x, y, share = left + wide * column, top + high * row, cell.points / cell.games
                result = wording.wins_draws_losses(cell.wins, cell.draws, cell.losses)
                title = tooltip(f"{one} against {other}: {result}") if with_figures else ""
                fill, ink = colour(0 if share >= 0.5 else 1), 0.08 + 1.4 * abs(share - 0.5)
                gap = 2.0 if with_figures else 0.5
                parts.append(
                    element("rect", title, x=x, y=y, width=wide - gap, height=high - gap, fill=fill, fill_opacity=ink)
                )
                if with_figures:
                    parts.append(words(f"{100 * share:.0f}", x + wide / 2 - 1, y + high / 2 + 3, anchor="middle"))
    width, height = left + wide * len(order) + 16, top + high * len(order) + 12
    about = f"A square of {len(order)} agents, best first: the share of the points that each row scored against each column."
    return Picture("Crosstable: % of the points", about, width, height, "".join(parts))
