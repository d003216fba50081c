"""Figures with their intervals, and figures and names as text for people: no more digits than are known, and a real minus sign."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from arbiter.text import count
from arbiter.units import show_duration

__all__ = ["count"]

_LONGEST_NAME = 40
_UNKNOWN_ELO = 400.0
"""A rating whose margin is at least this many Elo says nothing."""


class Estimate(msgspec.Struct, frozen=True):
    """A figure with its 95 % interval; None means infinite or unknown."""

    value: float | None
    low: float | None
    high: float | None


def estimate(value: float, low: float, high: float) -> Estimate:
    """Return an estimate with None for infinite values."""
    return Estimate(*(end if math.isfinite(end) else None for end in (value, low, high)))


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


def joined(names: Sequence[str], most: int = 6) -> str:
    """List names: ``a``, ``a and b``, ``a, b and c``, ``a, b, c and 4 others``."""
    shown = list(map(short_name, names))
    if len(shown) > most:
        shown = [*shown[: most - 1], f"{len(shown) - most + 1} others"]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def short_name(name: str) -> str:
    """Cut a name that is too long for a sentence."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def probability(value: float) -> str:
    """Format a probability, never as certain: ``82.6 %``, ``> 99.9 %``."""
    return "> 99.9 %" if value > 0.9995 else "< 0.1 %" if value < 0.0005 else percent(value, 1)


def score(estimate: Estimate | None) -> str:
    """Format points per game with their interval: ``62 % (53–71)``."""
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    digits = 1 if estimate.high - estimate.low < 0.05 else 0
    low, high = (f"{100 * end:.{digits}f}" for end in (estimate.low, estimate.high))
    return f"{percent(estimate.value, digits)} ({low}–{high})"


def is_meaningful(rating: Estimate | None) -> bool:
    """Return whether a rating is known well enough to draw conclusions from it."""
    if rating is None or rating.value is None or rating.low is None or rating.high is None:
        return False
    return rating.high - rating.low < 2 * _UNKNOWN_ELO


def rating(estimate: Estimate | None) -> str:
    """Format a rating with its margin, which tells how little may be known: ``+85 ±65``, ``+120 ±700``."""
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    half = (estimate.high - estimate.low) / 2
    value = estimate.value if half < 10 else float(round(estimate.value))
    return f"{signed(value)} {margin(half)}"


def elo_lead(estimate: Estimate) -> str:
    """Format an Elo difference with its interval: ``+34 (+12 to +57)``, ``at least +120``."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is not None and low is not None and high is not None:
        return f"{signed(value)} ({signed(low)} to {signed(high)})"
    if low is not None:
        return f"at least {signed(low)}"
    return "unknown" if high is None else f"at most {signed(high)}"


def wins_draws_losses(wins: int, draws: int, losses: int) -> str:
    """``12-3-5``."""
    return f"{wins}-{draws}-{losses}"


def format_think_time(think_us: float | None) -> str:
    """``1.2ms``."""
    return "–" if think_us is None else show_duration(round(think_us * 1000))


def faults(kinds: Mapping[str, int]) -> str:
    """List faults by kind, the most frequent first: ``3 late, 1 crashed``."""
    return ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items(), key=lambda one: (-one[1], one[0])))


def kind_of_contest(kind: str) -> str:
    """``round robin``."""
    return kind.replace("_", " ")
