"""A timeline as a picture: a line per agent, labelled at its end."""

from __future__ import annotations

from collections.abc import Mapping

from arbiter.contest.formats.plain import short_names
from arbiter.contest.formats.svg import (
    Picture,
    Scale,
    colour,
    dash,
    element,
    line,
    path,
    spread_labels,
    ticks,
    tooltip,
    words,
)
from arbiter.contest.report.document import Curve, Timeline
from arbiter.contest.statistics import wording

_TOP, _BOTTOM, _LEFT = 12.0, 332.0, 50.0
_LABELLED = 20
"""The most lines that are labelled: those of the best agents."""
_TITLES = {
    "lead": "Elo lead over the games, with its 95 % interval",
    "rating": "Elo rating over the games",
    "score": "Points per game over the games",
}


def timeline_plot(timeline: Timeline, width: float) -> Picture:
    """Return the picture. Agents beyond the labelled ones are thin lines."""
    low, high = _range(timeline)
    names = short_names((curve.agent for curve in timeline.curves[:_LABELLED]), round(width / 45))
    right = width - min(0.4 * width, 80 + 7.4 * max(map(len, names.values()), default=0))
    across, up = Scale(0, timeline.games[-1], _LEFT, right), Scale(low, high, _BOTTOM, _TOP)
    inside = f"inside-progress-{width:.0f}"
    named, others = timeline.curves[:_LABELLED], timeline.curves[_LABELLED:]
    drawn = [_line(curve, timeline, across, up, stroke="currentColor", stroke_opacity=0.2) for curve in others]
    for index, curve in reversed(list(enumerate(named))):
        dashed: dict[str, str | float] = {"stroke_dasharray": dash(index)} if dash(index) else {}
        drawn.append(_band(index, curve, timeline, across, up))
        drawn.append(_line(curve, timeline, across, up, stroke=colour(index), stroke_width=2.2, **dashed))
    area = element("rect", x=_LEFT, y=_TOP, width=right - _LEFT, height=_BOTTOM - _TOP)
    clip = element("clipPath", area, id=inside)
    body = clip + _axes(timeline, across, up) + element("g", "".join(drawn), clip_path=f"url(#{inside})")
    about = f"Over {wording.count(timeline.games[-1], 'game')}, with a line for each of {len(timeline.curves)} agents."
    if timeline.measure == "lead":
        about = f"Over {wording.count(timeline.games[-1], 'game')}, of {timeline.curves[0].agent}."
    return Picture(_TITLES[timeline.measure], about, width, _BOTTOM + 44, body + _labels(timeline, names, across, up))


def _range(timeline: Timeline) -> tuple[float, float]:
    """Return the range of values to show, ignoring the large swings of the first games."""
    settled = len(timeline.games) // 5
    values = [value for curve in timeline.curves for value in curve.values[settled:] if value is not None]
    for curve in timeline.curves:
        values += [value for ends in (curve.low, curve.high) for value in ends[2 * settled :] if value is not None]
    if timeline.measure == "lead":
        values.append(0.0)
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.06 * (high - low) or (0.1 if timeline.measure == "score" else 20.0)
    if timeline.measure == "score":
        return max(0.0, low - room), min(1.0, high + room)
    return low - room, high + room


def _label(timeline: Timeline, value: float) -> str:
    return wording.percent(value) if timeline.measure == "score" else wording.signed(value)


def _axes(timeline: Timeline, across: Scale, up: Scale) -> str:
    parts = []
    for tick in ticks(up.low, up.high, 7):
        strong = timeline.measure == "lead" and tick == 0
        parts.append(line(_LEFT, up(tick), across.end, up(tick), stroke_opacity=0.6 if strong else 0.14))
        parts.append(words(_label(timeline, tick), _LEFT - 8, up(tick) + 4, anchor="end"))
    for tick in ticks(across.low, across.high, round((across.end - _LEFT) / 80)):
        if tick == int(tick):
            parts.append(line(across(tick), _BOTTOM, across(tick), _BOTTOM + 5, stroke_opacity=0.5))
            parts.append(words(f"{tick:.0f}", across(tick), _BOTTOM + 20, anchor="middle"))
    parts.append(words("games", across.end, _BOTTOM + 38, anchor="end"))
    return "".join(parts)


def _line(curve: Curve, timeline: Timeline, across: Scale, up: Scale, **how: str | float) -> str:
    places = [
        None if value is None else (across(game), up(value))
        for game, value in zip(timeline.games, curve.values, strict=True)
    ]
    return element("path", tooltip(curve.agent), d=path(places), fill="none", **how)


def _band(index: int, curve: Curve, timeline: Timeline, across: Scale, up: Scale) -> str:
    """Return the interval around a line; an infinite end is drawn at the edge."""
    ends = [
        (across(game), _TOP if high is None else up(high), _BOTTOM if low is None else up(low))
        for game, low, high in zip(timeline.games, curve.low, curve.high, strict=False)
        if low is not None or high is not None
    ]
    if len(ends) < 2:
        return ""
    around = path([*((x, top) for x, top, _ in ends), *((x, bottom) for x, _, bottom in reversed(ends))])
    return element("path", d=f"{around}Z", fill=colour(index), fill_opacity=0.18)


def _labels(timeline: Timeline, names: Mapping[str, str], across: Scale, up: Scale) -> str:
    """Return the names at the ends of the lines, moved apart where lines end close together."""
    named = timeline.curves[:_LABELLED]
    ends = [(index, curve, value) for index, curve in enumerate(named) if (value := _last(curve)) is not None]
    heights = [min(_BOTTOM, max(_TOP, up(value))) for *_, value in ends]
    parts = []
    for (index, curve, value), end, y in zip(ends, heights, spread_labels(heights, 16, _TOP, _BOTTOM), strict=True):
        parts.append(line(across.end + 2, end, across.end + 14, y, stroke=colour(index)))
        label = f"{names[curve.agent]}  {_label(timeline, value)}"
        parts.append(words(label, across.end + 18, y + 4, fill=colour(index), weight="600"))
    return "".join(parts)


def _last(curve: Curve) -> float | None:
    return next((value for value in reversed(curve.values) if value is not None), None)
