"""Figures and names as text for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.contest.report.document import Estimate
from arbiter.contest.statistics.numbers import compact, margin, percent, signed
from arbiter.text import count
from arbiter.units import show_duration

__all__ = ["compact", "count", "percent", "signed"]

_LONGEST_NAME = 40
_UNKNOWN_ELO = 400.0
"""A rating whose margin is at least this many Elo says nothing."""


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
