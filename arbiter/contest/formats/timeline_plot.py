"""How a figure went over the games, as a picture: a line an agent, each with its name at its end."""

from __future__ import annotations

from arbiter.contest.formats.plain import short_names
from arbiter.contest.formats.svg import (
    Picture,
    Scale,
    colour,
    dash,
    element,
    hover,
    line,
    path,
    spread,
    ticks,
    words,
)
from arbiter.contest.report import wording
from arbiter.contest.report.document import Course, Curve

_TOP, _BOTTOM, _LEFT, _RIGHT, _WIDTH = 12.0, 372.0, 60.0, 700.0, 900.0
_LABELLED = 20
"""Lines that have a name beside them; where there are more, the best so many."""
_CLIP = "inside-progress"
_TITLES = {
    "lead": "Lead in Elo as games came in, with its 95 % interval",
    "rating": "Rating in Elo as games came in",
    "score": "Points a game as games came in",
}


def progress(course: Course) -> Picture:
    """The picture. With more agents than can be told apart the rest are thin lines without a name."""
    low, high = _range(course)
    across, up = Scale(0, course.games[-1], _LEFT, _RIGHT), Scale(low, high, _BOTTOM, _TOP)
    named, others = course.curves[:_LABELLED], course.curves[_LABELLED:]
    drawn = [_line(curve, course, across, up, stroke="currentColor", stroke_opacity=0.2) for curve in others]
    for index, curve in reversed(list(enumerate(named))):
        dashed: dict[str, str | float] = {"stroke_dasharray": dash(index)} if dash(index) else {}
        drawn.append(_band(index, curve, course, across, up))
        drawn.append(_line(curve, course, across, up, stroke=colour(index), stroke_width=2.2, **dashed))
    area = element("rect", x=_LEFT, y=_TOP, width=_RIGHT - _LEFT, height=_BOTTOM - _TOP)
    clip = element("clipPath", area, id=_CLIP)
    body = clip + _axes(course, across, up) + element("g", "".join(drawn), clip_path=f"url(#{_CLIP})")
    about = f"Over {wording.count(course.games[-1], 'game')}, a line for each of {len(course.curves)} agents."
    if course.measure == "lead":
        about = f"Over {wording.count(course.games[-1], 'game')}, of {course.curves[0].agent}."
    return Picture(_TITLES[course.measure], about, _WIDTH, _BOTTOM + 44, body + _labels(course, up))


def _range(course: Course) -> tuple[float, float]:
    """Of the figures, without the wild swings of the first games."""
    settled = len(course.games) // 5
    values = [value for curve in course.curves for value in curve.values[settled:] if value is not None]
    for curve in course.curves:
        values += [value for ends in (curve.low, curve.high) for value in ends[2 * settled :] if value is not None]
    if course.measure == "lead":
        values.append(0.0)
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = 0.06 * (high - low) or (0.1 if course.measure == "score" else 20.0)
    if course.measure == "score":
        return max(0.0, low - room), min(1.0, high + room)
    return low - room, high + room


def _said(course: Course, value: float) -> str:
    return wording.share(value) if course.measure == "score" else wording.signed(value)


def _axes(course: Course, across: Scale, up: Scale) -> str:
    parts = []
    for tick in ticks(up.low, up.high, 7):
        strong = course.measure == "lead" and tick == 0
        parts.append(line(_LEFT, up(tick), _RIGHT, up(tick), stroke_opacity=0.6 if strong else 0.14))
        parts.append(words(_said(course, tick), _LEFT - 8, up(tick) + 4, anchor="end"))
    for tick in ticks(across.low, across.high, 8):
        if tick == int(tick):
            parts.append(line(across(tick), _BOTTOM, across(tick), _BOTTOM + 5, stroke_opacity=0.5))
            parts.append(words(f"{tick:.0f}", across(tick), _BOTTOM + 20, anchor="middle"))
    parts.append(words("games", _RIGHT, _BOTTOM + 38, anchor="end"))
    return "".join(parts)


def _line(curve: Curve, course: Course, across: Scale, up: Scale, **how: str | float) -> str:
    places = [
        None if value is None else (across(game), up(value))
        for game, value in zip(course.games, curve.values, strict=True)
    ]
    return element("path", hover(curve.agent), d=path(places), fill="none", **how)


def _band(index: int, curve: Curve, course: Course, across: Scale, up: Scale) -> str:
    """The interval around a line; an end that is infinite is at the edge."""
    ends = [
        (across(game), _TOP if high is None else up(high), _BOTTOM if low is None else up(low))
        for game, low, high in zip(course.games, curve.low, curve.high, strict=False)
        if low is not None or high is not None
    ]
    if len(ends) < 2:
        return ""
    around = path([*((x, top) for x, top, _ in ends), *((x, bottom) for x, _, bottom in reversed(ends))])
    return element("path", d=f"{around}Z", fill=colour(index), fill_opacity=0.18)


def _labels(course: Course, up: Scale) -> str:
    """Names at the ends of the lines, moved apart where lines end close together."""
    named = course.curves[:_LABELLED]
    names = short_names((curve.agent for curve in named), 20)
    ends = [(index, curve, value) for index, curve in enumerate(named) if (value := _last(curve)) is not None]
    heights = [min(_BOTTOM, max(_TOP, up(value))) for *_, value in ends]
    parts = []
    for (index, curve, value), end, y in zip(ends, heights, spread(heights, 16, _TOP, _BOTTOM), strict=True):
        parts.append(line(_RIGHT + 2, end, _RIGHT + 14, y, stroke=colour(index)))
        said = f"{names[curve.agent]}  {_said(course, value)}"
        parts.append(words(said, _RIGHT + 18, y + 4, fill=colour(index), weight="600"))
    return "".join(parts)


def _last(curve: Curve) -> float | None:
    return next((value for value in reversed(curve.values) if value is not None), None)
