"""Figures as people read them: rounded as far as they are known, and with a real minus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arbiter.contest.report.document import Estimate
from arbiter.text import count
from arbiter.units import show_duration

__all__ = ["called", "count", "kind_of_contest", "listed", "number", "record", "share", "signed", "tells"]

_NAME = 40
_UNKNOWN_ELO = 400.0
"""A rating that is only known to so many Elo says nothing."""


def listed(words: Sequence[str], most: int = 6) -> str:
    """``a``, ``a and b``, ``a, b and c``, ``a, b, c and 4 others``."""
    words = list(map(called, words))
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} others"]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def called(name: str) -> str:
    """An agent in a sentence, which a very long name would drown."""
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"


def number(value: float) -> str:
    """``15.0`` is ``15``, ``0.333`` is ``0.33``."""
    return _minus(f"{round(value, 2) + 0.0:.2f}".removesuffix("0").removesuffix(".0"))


def signed(value: float) -> str:
    """``+34``, ``−12``, ``+3.2``: whole numbers where they are large; 0 has no sign."""
    rounded = (round(value) if abs(value) >= 10 else round(value, 1)) + 0.0
    return _minus(f"{rounded:+g}") if rounded else "0"


def share(value: float, digits: int = 0) -> str:
    """``62 %``."""
    return f"{100 * value:.{digits}f} %"


def likely(value: float) -> str:
    """``82.6 %``; nothing is certain."""
    return "> 99.9 %" if value > 0.9995 else "< 0.1 %" if value < 0.0005 else share(value, 1)


def score(estimate: Estimate | None) -> str:
    """``62 % (53–71)``."""
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    digits = 1 if estimate.high - estimate.low < 0.05 else 0
    low, high = (f"{100 * end:.{digits}f}" for end in (estimate.low, estimate.high))
    return f"{share(estimate.value, digits)} ({low}–{high})"


def tells(rating: Estimate | None) -> bool:
    """Whether enough is known of a rating to speak of it."""
    if rating is None or rating.value is None or rating.low is None or rating.high is None:
        return False
    return rating.high - rating.low < 2 * _UNKNOWN_ELO


def rating(estimate: Estimate | None) -> str:
    """``+85 ±65``; ``?`` where so little is known that the figure would mislead."""
    if estimate is None or estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    if not tells(estimate):
        return "?"
    margin = (estimate.high - estimate.low) / 2
    value = estimate.value if margin < 10 else float(round(estimate.value))
    return f"{signed(value)} ±{signed(margin).lstrip('+')}"


def lead(estimate: Estimate) -> str:
    """``+34 (+12 to +57)``, ``at least +120``."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is not None and low is not None and high is not None:
        return f"{signed(value)} ({signed(low)} to {signed(high)})"
    if low is not None:
        return f"at least {signed(low)}"
    return "unknown" if high is None else f"at most {signed(high)}"


def record(wins: int, draws: int, losses: int) -> str:
    """``12-3-5``."""
    return f"{wins}-{draws}-{losses}"


def think(think_us: float | None) -> str:
    """``1.2ms``."""
    return "–" if think_us is None else show_duration(round(think_us * 1000))


def faults(kinds: Mapping[str, int]) -> str:
    """``3 late, 1 crashed``, most first."""
    return ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items(), key=lambda one: (-one[1], one[0])))


def kind_of_contest(kind: str) -> str:
    """``round robin``."""
    return kind.replace("_", " ")


def _minus(text: str) -> str:
    return text.replace("-", "−")
