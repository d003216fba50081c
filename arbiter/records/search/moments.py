"""Parse timestamps of records, and dates and ages typed by users, as microseconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from arbiter.errors import UserError, wrong_value
from arbiter.units import duration_ns

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_US = timedelta(microseconds=1)
_DAYS = re.compile(r"(\d{1,6}) ?([dw])", re.ASCII)
_DAY_US = 86_400_000_000
_LENGTH_US = {"d": _DAY_US, "w": 7 * _DAY_US}


def moment_us(text: str) -> int | None:
    """Parse a time from a record, in UTC unless it has an offset; None if it is not a time."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH) // _US


def asked_us(text: str, now_us: int, *, what: str) -> int:
    """Parse what a user typed: ``2026-11-01``, ``2026-11-01T18:30``, or an age such as ``2h`` or ``7d``. Raises UserError.

    A day without a time means its start. ``what`` names the value in the error.
    """
    text = text.strip()
    moment = moment_us(text)
    if moment is not None:
        return moment
    try:
        return now_us - _age_us(text)
    except UserError:
        wanted = "a day such as 2026-11-01, a time such as 2026-11-01T18:30 (UTC), or an age such as 2h or 7d"
        raise wrong_value(what, text, wanted) from None


def _age_us(text: str) -> int:
    days = _DAYS.fullmatch(text)
    return int(days[1]) * _LENGTH_US[days[2]] if days else duration_ns(text) // 1000
