"""The checks of what an agent uses: time, peak memory, and memory that grows during a game."""

from __future__ import annotations

from collections.abc import Sequence

from arbiter.author.check_report import ChargeStats, CheckResult, Growth, Status, percentile
from arbiter.author.endurance import FEWEST, Endurance
from arbiter.config.limits import Limits
from arbiter.text import count
from arbiter.units import show_duration, show_size

_NEAR = 0.8
"""The share of a limit from which a check warns."""


def profile(charged_us: Sequence[int], first_us: Sequence[int], limits: Limits) -> ChargeStats:
    """Return what answers were charged; ``first_us`` are those of fresh processes of a long-lived agent."""
    return ChargeStats(
        answers=len(charged_us),
        p50_us=percentile(charged_us, 0.5),
        p99_us=percentile(charged_us, 0.99),
        max_us=max(charged_us, default=0),
        limit_us=limits.move_ns // 1000,
        first_us=max(first_us, default=0),
        first_limit_us=limits.first_move_ns // 1000 if first_us else 0,
    )


def time_check(times: ChargeStats, lifetime: str) -> CheckResult:
    """Compare the times of answers with the limits."""
    shown = []
    if times.answers:
        values = (("median", times.p50_us), ("p99", times.p99_us), ("longest", times.max_us))
        each = ", ".join(f"{name} {show_duration(value * 1000)}" for name, value in values)
        shown.append(f"{each} of {show_duration(times.limit_us * 1000)}")
    if times.first_us:
        first, limit = show_duration(times.first_us * 1000), show_duration(times.first_limit_us * 1000)
        shown.append(f"first answers, which include starting the program, up to {first} of {limit}")
    near = times.max_us > _NEAR * times.limit_us or times.first_us > _NEAR * (
        times.first_limit_us or times.first_us + 1
    )
    return _check("time", lifetime, near=near, summary="; ".join(shown))


def memory_check(peak_bytes: int, limits: Limits, lifetime: str) -> CheckResult:
    """Compare the peak memory with the limit; 0 if it is not known."""
    if not peak_bytes:
        return CheckResult(
            name="memory",
            lifetime=lifetime,
            status="left out",
            summary="the peak memory is not known at this sandbox level",
        )
    near = peak_bytes > _NEAR * limits.memory_bytes
    summary = f"at most {show_size(peak_bytes)} of {show_size(limits.memory_bytes)}, as the limit counts it"
    return _check("memory", lifetime, near=near, summary=summary)


def growth_check(seen: Endurance, lifetime: str) -> CheckResult:
    """Say whether the memory of a long-lived agent grows during a game."""
    if len(seen.memory) < FEWEST:
        summary = f"its memory is known after {count(len(seen.memory), 'answer')} only, too few to tell"
        return CheckResult(name="growth", lifetime=lifetime, status="left out", summary=summary)
    used = (
        f"{show_size(seen.early_bytes)} early and {show_size(seen.late_bytes)} late in a game of {seen.asked} answers"
    )
    status: Status = "warning" if seen.grows else "ok"
    summary = f"{'its memory grows' if seen.grows else 'memory'}: {used}, with what it shares with others"
    return CheckResult(name="growth", lifetime=lifetime, status=status, summary=summary)


def growth(seen: Endurance) -> Growth:
    """Return the figures behind :func:`growth_check`."""
    return Growth(answers=len(seen.memory), early_bytes=seen.early_bytes, late_bytes=seen.late_bytes)


def _check(name: str, lifetime: str, *, near: bool, summary: str) -> CheckResult:
    return CheckResult(
        name=name,
        lifetime=lifetime,
        status="warning" if near else "ok",
        summary=f"{summary}{'; that is close' if near else ''}",
    )
