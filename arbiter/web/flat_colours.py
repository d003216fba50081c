"""Style sheets without custom properties and mixed colours, which only browsers understand."""

from __future__ import annotations

import re

_PROPERTY = re.compile(r"(--[\w-]+)\s*:\s*([^;}]+)[;}]")
_USE = re.compile(r"var\((--[\w-]+)\)")
_MIX = re.compile(r"color-mix\(in srgb, (#\w+|transparent) ([\d.]+)%, (#\w+|transparent)\)")
_DEEPEST = 8
"""Properties that refer to properties, and mixtures of mixtures."""

_Colour = tuple[float, float, float, float]


def flattened(css: str) -> str:
    """Return a style sheet with the value of each custom property and mixed colour in its place.

    A property that is set more than once has its last value everywhere, as if all its rules were for the same element.
    """
    properties = {name: value.strip() for name, value in _PROPERTY.findall(css)}
    for _ in range(_DEEPEST):
        known = _MIX.sub(_mixed, _USE.sub(lambda use: properties.get(use[1], use[0]), css))
        if known == css:
            break
        css = known
    return css


def _mixed(found: re.Match[str]) -> str:
    share = float(found[2]) / 100
    one, other = _colour(found[1]), _colour(found[3])
    opacity = one[3] * share + other[3] * (1 - share)
    if opacity == 0:
        return "transparent"
    mixed = [
        (a * one[3] * share + b * other[3] * (1 - share)) / opacity for a, b in zip(one[:3], other[:3], strict=True)
    ]
    return "#" + "".join(f"{round(part):02x}" for part in (*mixed, *([opacity * 255] if opacity < 1 else [])))


def _colour(text: str) -> _Colour:
    if text == "transparent":
        return 0, 0, 0, 0
    digits = text[1:] if len(text) > 5 else "".join(digit * 2 for digit in text[1:])
    red, green, blue, opacity = (int(digits[at : at + 2] or "ff", 16) for at in (0, 2, 4, 6))
    return red, green, blue, opacity / 255
