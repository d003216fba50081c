"""Numbers as text: no more digits than are known, and a real minus sign."""

from __future__ import annotations


def compact(value: float) -> str:
    """Format with up to two decimals: ``15.0`` as ``15``, ``0.333`` as ``0.33``."""
    return with_minus_sign(f"{round(value, 2) + 0.0:.2f}".removesuffix("0").removesuffix(".0"))


def signed(value: float) -> str:
    """Format with a sign, numbers of 10 or more without decimals: ``+34``, ``−12``, ``+3.2``; zero is ``0``."""
    rounded = (round(value) if abs(value) >= 10 else round(value, 1)) + 0.0
    return with_minus_sign(f"{rounded:+g}") if rounded else "0"


def margin(value: float) -> str:
    """Format half the width of an interval: ``±65``, ``±3.2``."""
    return f"±{signed(value).lstrip('+')}"


def percent(share: float, digits: int = 0) -> str:
    """Format a share: ``0.62`` as ``62 %``."""
    return f"{round(100 * share, digits) + 0.0:.{digits}f} %"


def with_minus_sign(number: str) -> str:
    """Replace the hyphen by U+2212."""
    return number.replace("-", "−")
