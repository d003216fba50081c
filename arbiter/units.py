"""Converts durations and sizes between text (``10s``, ``50ms``, ``256MB``) and integers of nanoseconds and bytes."""

from __future__ import annotations

import re

from arbiter.errors import out_of_range, wrong_value

_NS = {"ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000, "min": 60_000_000_000, "h": 3_600_000_000_000}  # fmt: skip
_BYTES = {"b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40}
_QUANTITY = re.compile(r"(\d{1,30})(?:\.(\d{1,9}))? ?([A-Za-zµ]*)", re.ASCII)
_MOST = 1_000_000
"""Hours or terabytes; in nanoseconds and bytes they fit into 63 bits."""


def duration_ns(text: str, what: str = "duration") -> int:
    """Parse a duration: ``"1.5s"`` → 1500000000. The unit is required, and zero is refused. Raises UserError."""
    return _quantity(text, _NS, what, "a duration such as 10s, 50ms or 2m", "h")


def size_bytes(text: str, what: str = "size") -> int:
    """Parse a size: ``"256MB"`` → 268435456 (a kilobyte is 1024 bytes). Raises UserError."""
    return _quantity(text, _BYTES, what, "a size such as 64KB, 256MB or 2GB", "TB")


def whole_number(text: str, what: str = "number") -> int:
    """Parse a whole number, at least 1. Raises UserError."""
    digits = text.strip()  # also of characters that int() refuses, such as \x1f
    if re.fullmatch(r"\d{1,9}", digits, re.ASCII) and int(digits) > 0:
        return int(digits)
    if re.fullmatch(r"\d{10,}", digits, re.ASCII):
        raise wrong_value(what, text, "at most 999999999")
    raise out_of_range(what, text, 1)


def _quantity(text: str, units: dict[str, int], what: str, wanted: str, largest_unit: str) -> int:
    match = _QUANTITY.fullmatch(text.strip())
    if match:
        whole, part, unit = match.group(1), match.group(2) or "", match.group(3)
        factor = units.get(unit) or units.get(unit.lower())
        if factor:
            value: int = int(whole + part) * factor // 10 ** len(part)
            if value > _MOST * units[largest_unit.lower()]:
                raise wrong_value(what, text, f"at most {_MOST}{largest_unit}")
            if value > 0:
                return value
    raise wrong_value(what, text, wanted)


def show_duration(ns: int) -> str:
    """Format a duration to three significant digits: ``10s``, ``50ms``, ``1.2ms``, ``640µs``."""
    for unit, factor in (("s", _NS["s"]), ("ms", _NS["ms"]), ("µs", _NS["us"])):
        value = ns / factor
        if value >= 0.9995:  # 999.5 µs would round to 1000 µs: show 1 ms
            return f"{value:.3g}{unit}" if value < 999.5 else f"{value:.0f}{unit}"
    return f"{ns}ns" if ns else "0"


def exact_duration(ns: int) -> str:
    """Format a duration exactly, as :func:`duration_ns` parses it: ``90s``, ``1500ms``, ``12345ns``."""
    unit, factor = next(
        (unit, factor)
        for unit, factor in (("s", _NS["s"]), ("ms", _NS["ms"]), ("us", _NS["us"]), ("ns", 1))
        if ns % factor == 0
    )
    return f"{ns // factor}{unit}"


def show_size(count: int) -> str:
    """Format a size: ``268435456`` → ``256MB``."""
    for unit in ("tb", "gb", "mb", "kb"):
        if count >= _BYTES[unit]:
            value = count / _BYTES[unit]
            return f"{value:.4g}{unit.upper()}" if value < 9999.5 else f"{value:.0f}{unit.upper()}"
    return f"{count}B"
