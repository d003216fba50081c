"""The colours of seats and of Splendor's gems stay apart for people with any kind of colour blindness, dark and light.

Every seat and gem also has a shape and a number or letter; this is about telling them apart at a glance.
"""

from __future__ import annotations

import itertools
import re

import pytest

from arbiter.web.drawings import STATIC
from tests.tools import ROOT

LEAST = 14
"""The least distance in CIE L*a*b*; about 2 is what can be seen at all."""
SEEN_BY = {
    "everybody": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What is left of a linear colour: the matrices of Machado, Oliveira and Fernandes, 2009."""
_TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
_WHITE = (0.9505, 1.0, 1.089)
Vector = tuple[float, ...]


def times(matrix: tuple[Vector, ...], vector: Vector) -> Vector:
    return tuple(sum(one * other for one, other in zip(row, vector, strict=True)) for row in matrix)


def lab(colour: str, seen: tuple[Vector, ...]) -> Vector:
    """A colour such as #3d9bdc in L*a*b*, as somebody sees it."""
    shares = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = tuple(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    left = tuple(min(1.0, max(0.0, value)) for value in times(seen, linear))
    relative = [value / white for value, white in zip(times(_TO_XYZ, left), _WHITE, strict=True)]
    x, y, z = (value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116 for value in relative)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def palettes() -> dict[str, list[str]]:
    page = (STATIC / "page.css").read_text(encoding="utf-8")
    seats = re.findall(r"--seat-\d: (#[0-9a-f]{6})", page)
    gems = re.findall(r"\.gem-\d \{ fill: (#[0-9a-f]{6})", (ROOT / "protocols/splendor/drawing.js").read_text("utf-8"))
    assert (len(seats), len(gems)) == (8, 6)
    return {"seats, light": seats[:4], "seats, dark": seats[4:], "gems": gems}


@pytest.mark.parametrize("people", SEEN_BY)
@pytest.mark.parametrize("name", palettes())
def test_colours_can_be_told_apart(name: str, people: str) -> None:
    seen = {colour: lab(colour, SEEN_BY[people]) for colour in palettes()[name]}
    apart = {
        (one, other): sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
        for one, other in itertools.combinations(seen, 2)
    }
    assert min(apart.values()) >= LEAST, min(apart.items(), key=lambda each: each[1])
