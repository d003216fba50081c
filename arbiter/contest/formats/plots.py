"""The pictures of a result: how it went, where everybody stands, what they scored, and who beats whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from arbiter.contest.formats.plain import short_names
from arbiter.contest.formats.progress import progress
from arbiter.contest.formats.svg import Picture, Scale, colour, element, hover, line, short, ticks, words
from arbiter.contest.report import Report, wording
from arbiter.errors import UserError

_WIDTH = 900.0
_LEFT = 230.0
"""Room for names."""
_RIGHT = _WIDTH - 90
_GRID = 0.14
"""How much ink lines of a grid get."""
_ROWS = 30
"""Agents in the picture of scores."""
_BINS = 40
_LETTERED = 24
"""Agents up to which the cells of the crosstable have figures in them."""


def pictures(report: Report) -> dict[str, Picture]:
    """All that there is something to show in, by name."""
    found: dict[str, Picture] = {}
    if not report.games:
        return found
    found["standings"] = standings(report)
    if report.courses and len(report.courses[0].games) > 1:
        found["progress"] = progress(report.courses[0])
    if len({score for game in report.games for score in game.scores}) > 1:
        found["scores"] = scores(report)
    if len(report.rows) > 2:
        found["crosstable"] = crosstable(report)
    return found


def write_plots(report: Report, folder: Path) -> list[Path]:
    """Every picture as a file in the folder. Raises UserError."""
    written = []
    for name, picture in pictures(report).items():
        file = folder / f"{name}.svg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(picture.alone(), encoding="utf-8")
        except OSError as error:
            raise UserError(f"cannot write {file}: {error.strerror}") from None
        written.append(file)
    return written


def standings(report: Report) -> Picture:
    """Points a game with the 95 % interval, a line an agent."""
    rows = [(row.agent, row.score) for row in report.rows if row.score]
    names = short_names((agent for agent, _ in rows), 30)
    step, top = 24.0, 8.0
    bottom = top + step * len(rows)
    across = Scale(0, 1, _LEFT, _RIGHT)
    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(line(across(tick), top, across(tick), bottom, stroke_opacity=0.4 if tick == 0.5 else _GRID))
        parts.append(words(wording.share(tick), across(tick), bottom + 18, anchor="middle"))
    for index, (agent, score) in enumerate(rows):
        value, low, high = score.value or 0.0, score.low or 0.0, score.high or 0.0
        y = top + step * (index + 0.5)
        whisker = line(across(low), y, across(high), y, stroke=colour(0), stroke_width=3, stroke_opacity=0.55)
        dot = element("circle", hover(f"{agent}: {wording.score(score)}"), cx=across(value), cy=y, r=5, fill=colour(0))
        name = words(names[agent], _LEFT - 14, y + 4, anchor="end")
        parts += [name, whisker, dot, words(wording.share(value), _RIGHT + 14, y + 4)]
    about = f"Points a game of {len(rows)} agents, best first, with 95 % intervals."
    return Picture("Points a game, with 95 % intervals", about, _WIDTH, bottom + 28, "".join(parts))


def scores(report: Report) -> Picture:
    """How the scores of each agent are distributed, in the game's own points."""
    found: dict[str, list[float]] = {row.agent: [] for row in report.rows if row.games}
    for game in report.games:
        for name, score in zip(game.seats, game.scores, strict=True):
            found[name].append(score)
    shown = dict(list(found.items())[:_ROWS])
    names = short_names(shown, 30)
    low, width, bins = _bins([score for values in shown.values() for score in values])
    step, top = 40.0, 8.0
    bottom = top + step * len(shown)
    across = Scale(low, low + bins * width, _LEFT, _RIGHT)
    whole = width / 2 if width == int(width) else 0.0
    parts = []
    for tick in ticks(across.low, across.high - 2 * whole, 8):
        parts.append(line(across(tick + whole), top, across(tick + whole), bottom, stroke_opacity=_GRID))
        parts.append(words(wording.number(tick), across(tick + whole), bottom + 18, anchor="middle"))
    for index, (name, values) in enumerate(shown.items()):
        floor, middle = top + step * (index + 1) - 4, median(values)
        parts.append(_hills(values, across, width, Scale(0, 1, floor, floor - step + 8), colour(index)))
        parts.append(line(across(middle + whole), floor, across(middle + whole), floor - step + 10, stroke_width=2))
        parts.append(line(_LEFT, floor, _RIGHT, floor, stroke_opacity=0.3))
        parts.append(words(names[name], _LEFT - 14, floor - 10, anchor="end"))
        parts.append(words(wording.number(middle), _RIGHT + 14, floor - 10))
    left_out = f" The first {len(shown)} of {len(found)} agents." if len(shown) < len(found) else ""
    about = f"A row of bars for each of {len(shown)} agents; the upright line is the median.{left_out}"
    return Picture("Scores in the game's own points, with the median", about, _WIDTH, bottom + 28, "".join(parts))


def _bins(values: Sequence[float]) -> tuple[float, float, int]:
    """Where they begin, how wide they are, and how many: whole numbers have a bin each where there are few."""
    low, high = min(values), max(values)
    if all(value == int(value) for value in set(values)):
        width = float(-(-int(high - low + 1) // _BINS))
        return low, width, int((high - low) // width) + 1
    return low, (high - low) / _BINS, _BINS


def _hills(values: Sequence[float], across: Scale, width: float, up: Scale, fill: str) -> str:
    """One outline of all bars, the highest as high as there is room: that is shorter than many rectangles."""
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
    """Everybody against everybody: the more points, the bluer; the fewer, the more orange."""
    order = [row.agent for row in report.rows]
    names = short_names(order, 22)
    lettered = len(order) <= _LETTERED
    wide = min(64.0, 640 / len(order))
    high = 28.0 if lettered else wide
    left, top = 200.0, 26.0
    every = 1 if lettered else -(-len(order) // 45)
    parts = []
    for index, name in enumerate(order):
        if index % every == 0:
            parts.append(words(f"{names[name]}  {index + 1}", left - 10, top + high * (index + 0.5) + 4, anchor="end"))
        if lettered:
            parts.append(words(str(index + 1), left + wide * (index + 0.5), top - 8, anchor="middle"))
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            cell = report.cross[one].get(other)
            if cell and cell.games:
                x, y, share = left + wide * column, top + high * row, cell.points / cell.games
                record = wording.record(cell.wins, cell.draws, cell.losses)
                said = hover(f"{one} against {other}: {record}") if lettered else ""
                fill, ink = colour(0 if share >= 0.5 else 1), 0.08 + 1.4 * abs(share - 0.5)
                gap = 2.0 if lettered else 0.5
                parts.append(
                    element("rect", said, x=x, y=y, width=wide - gap, height=high - gap, fill=fill, fill_opacity=ink)
                )
                if lettered:
                    parts.append(words(f"{100 * share:.0f}", x + wide / 2 - 1, y + high / 2 + 3, anchor="middle"))
    width, height = left + wide * len(order) + 16, top + high * len(order) + 12
    about = f"A square of {len(order)} agents, best first: the share of the points that the row took from the column."
    return Picture("Who beats whom: % of the points", about, width, height, "".join(parts))
