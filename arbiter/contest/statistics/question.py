"""The question that a contest answers, as users write it: ``better(new,old)``, ``precision(20)``, ``games(500)``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec

from arbiter.contest.statistics.sprt import DEFAULT_BOUNDS, Bounds
from arbiter.errors import UserError, out_of_range, unknown, wrong_value

FORMS = "better(A,B), precision(20), precision(A,B,20) or games(500)"
_CALL = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_PART = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([^,"'][^,]*?))\s*(,|$)""", re.DOTALL)
_SETTINGS = Bounds.__struct_fields__
_MOST_ELO = 1000.0
_MARGIN = "a number of Elo above 0, such as 20"


class Better(msgspec.Struct, frozen=True):
    """Is one agent better than the other?"""

    one: str
    other: str
    bounds: Bounds = DEFAULT_BOUNDS


class Precision(msgspec.Struct, frozen=True):
    """Is every rating known to within ``margin`` Elo (95 % confidence); or, with ``pair``, the lead of one agent over another?"""

    margin: float
    pair: tuple[str, str] | None = None


class GameCount(msgspec.Struct, frozen=True):
    """Have ``count`` games been played?"""

    count: int


Question = Better | Precision | GameCount


def parse_question(text: str, names: Sequence[str] | None = None) -> Question:
    """Parse a question; agents must be among ``names`` if those are given. Raises UserError."""
    call = _CALL.fullmatch(text)
    form, inside = (call.group(1).lower(), call.group(2)) if call else ("", "")
    parts, settings = _parts(text, inside)
    if form == "better" and len(parts) == 2:
        return Better(*_agents(text, parts, names), _bounds(text, settings))
    if settings:
        raise _mistake(text, f"only better(A,B) takes {', '.join(_SETTINGS)}")
    if form == "precision" and len(parts) in (1, 3):
        margin = _number(text, "precision", parts[-1], _MARGIN)
        if not 0 < margin <= _MOST_ELO:
            raise wrong_value(f"until {text!r}: precision", margin, _MARGIN)
        pair = _agents(text, parts[:2], names) if len(parts) == 3 else None
        return Precision(margin, pair)
    if form == "games" and len(parts) == 1:
        if re.fullmatch(r"0*[1-9]\d{0,8}", parts[0], re.ASCII):
            return GameCount(int(parts[0]))
        raise out_of_range(f"until {text!r}: games", parts[0], 1)
    raise wrong_value("until", text, FORMS)


def _mistake(text: str, advice: str) -> UserError:
    return UserError(f"until {text!r}: {advice}")


def _parts(text: str, inside: str) -> tuple[list[str], dict[str, str]]:
    """Split at commas into values and ``name=value`` settings. Quoted text is always a value."""
    parts: list[str] = []
    settings: dict[str, str] = {}
    at, after = 0, ","
    while after == ",":
        part = _PART.match(inside, at)
        if part is None:
            raise wrong_value("until", text, FORMS)
        at, after = part.end(), part.group(4)
        plain = part.group(3)
        if plain is None:
            parts.append(part.group(1) if part.group(1) is not None else part.group(2))
        elif "=" in plain:
            name, _, value = (piece.strip() for piece in plain.partition("="))
            if name not in _SETTINGS or name in settings:
                problem = "given twice" if name in settings else "unknown"
                raise _mistake(
                    text, f"{name}= is {problem}; better(A,B) takes {', '.join(_SETTINGS)}, each at most once"
                )
            settings[name] = value
        else:
            parts.append(plain)
    return parts, settings


def _agents(text: str, parts: Sequence[str], names: Sequence[str] | None) -> tuple[str, str]:
    one, other = parts
    for name in (one, other):
        if names is not None and name not in names:
            raise unknown("agent", name, names, where=f"until {text!r}")
    if one == other:
        raise _mistake(text, f"{one!r} is compared with itself; name two different agents")
    return one, other


def _bounds(text: str, settings: dict[str, str]) -> Bounds:
    bounds = msgspec.structs.replace(
        DEFAULT_BOUNDS, **{name: _number(text, name, value, "a number") for name, value in settings.items()}
    )
    if not -_MOST_ELO <= bounds.elo0 < bounds.elo1 <= _MOST_ELO:
        raise _mistake(text, f"elo0={bounds.elo0:g} must be below elo1={bounds.elo1:g}, both within ±{_MOST_ELO:g}")
    for name in ("alpha", "beta"):
        if not 0 < getattr(bounds, name) < 0.5:
            raise _mistake(text, f"{name}={getattr(bounds, name):g} must be above 0 and below 0.5, such as 0.05")
    return bounds


def _number(text: str, name: str, written: str, wanted: str) -> float:
    try:
        number = float(written)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise wrong_value(f"until {text!r}: {name}", written, wanted)
    return number
