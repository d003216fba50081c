"""SVG building blocks: elements, scales, and labels that do not overlap.

Lines and text use ``currentColor``, so that a picture follows its page, light or dark; the colours of agents are of medium
brightness and readable on both.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from arbiter.contest.formats.plain import plain

COLOURS = ("#3f7fd0", "#e0762f", "#2f9e74", "#d1477f", "#8a63d2", "#a88a1c", "#27a3bd", "#b4553d", "#6f9a2c", "#7d8794")
DASHES = ("", "7 4", "2 3")
"""Colours of agents, and dash patterns for their lines: if there are more agents than colours, these repeat with dashes."""
_ALONE = "svg{color:#1c2128;background:#fff}@media(prefers-color-scheme:dark){svg{color:#e4e7eb;background:#15181d}}"
_HEAD = 34
"""Height of the title of a picture in a file of its own."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing, with a title and a description for screen readers."""

    title: str
    about: str
    width: float
    height: float
    body: str

    def inline(self) -> str:
        """Return the picture for a page, which provides the heading and the colours."""
        return self._svg("", self.body, self.height)

    def alone(self) -> str:
        """Return the picture as a file of its own."""
        heading = words(self.title, 16, 22, size=16, weight="bold")
        below = element("g", self.body, transform=f"translate(0 {_HEAD})")
        drawn = self._svg(f"<style>{_ALONE}</style>", heading + below, self.height + _HEAD)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n{drawn}\n'

    def _svg(self, style: str, body: str, height: float) -> str:
        described = f"<title>{escape(plain(self.title))}</title><desc>{escape(plain(self.about))}</desc>"
        return element(
            "svg",
            described + style + body,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {short(self.width)} {short(height)}",
            width=short(self.width),
            height=short(height),
            role="img",
            aria_label=plain(self.title),
            font_family="system-ui, sans-serif",
            font_size="12",
            fill="currentColor",
        )


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale, from values to positions in the picture."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)


def element(tag: str, inside: str = "", /, **attributes: str | float) -> str:
    """Return one element; ``inside`` is markup. Underscores in attribute names become hyphens."""
    given = "".join(
        f" {name.replace('_', '-')}={quoteattr(value if isinstance(value, str) else short(value))}"
        for name, value in attributes.items()
    )
    return f"<{tag}{given}>{inside}</{tag}>" if inside else f"<{tag}{given}/>"


def words(text: str, x: float, y: float, *, anchor: str = "", size: float = 0, weight: str = "", fill: str = "") -> str:
    """Return a text element; the text is escaped."""
    more: dict[str, str | float] = {"text_anchor": anchor, "font_size": size, "font_weight": weight, "fill": fill}
    return element("text", escape(plain(text)), x=x, y=y, **{name: value for name, value in more.items() if value})


def tooltip(text: str) -> str:
    """Return the tooltip of an element, to be put inside it."""
    return f"<title>{escape(plain(text))}</title>"


def line(x1: float, y1: float, x2: float, y2: float, **attributes: str | float) -> str:
    """Return a straight line, by default in ``currentColor``."""
    styled: dict[str, str | float] = {"stroke": "currentColor", **attributes}
    return element("path", d=path([(x1, y1), (x2, y2)]), **styled)


def path(points: Iterable[tuple[float, float] | None]) -> str:
    """Return path data through these points; None starts a new segment."""
    parts, down = [], False
    for point in points:
        if point is not None:
            parts.append(f"{'L' if down else 'M'}{short(point[0])} {short(point[1])}")
        down = point is not None
    return "".join(parts)


def short(value: float) -> str:
    """Format a number for SVG: with one decimal, or two below 1."""
    return f"{round(value, 1 if abs(value) >= 1 else 2) + 0.0:g}"


def colour(index: int) -> str:
    """Return the colour of the agent at this index."""
    return COLOURS[index % len(COLOURS)]


def dash(index: int) -> str:
    """Return the dash pattern of the agent at this index; empty for a solid line."""
    return DASHES[index // len(COLOURS) % len(DASHES)]


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Return about ``about`` round numbers between ``low`` and ``high``."""
    span = high - low
    if span <= 0:
        return [low]
    raw = span / about
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def spread_labels(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return positions close to those wanted, in the same order and at least ``gap`` apart, within the limits if there is
    room."""
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    places = list(wanted)
    floor = low
    for index in order:
        places[index] = floor = max(wanted[index], floor)
        floor += gap
    ceiling = high
    for index in reversed(order):
        places[index] = ceiling = min(places[index], ceiling)
        ceiling -= gap
    return places
