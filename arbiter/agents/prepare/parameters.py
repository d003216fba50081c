"""Parameters of an agent: the values each may take, and how they are written for the agent.

A value is an int, a float, or one of a list of words and numbers. An agent receives the text of a checked value, never
text that the user typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from arbiter.config.plain_data import read_struct
from arbiter.errors import FieldError, UserError, out_of_range, unknown, wrong_type, wrong_value

Value = int | float | str | bool
Values = Mapping[str, Value]
"""A value for each parameter, by name."""
TYPES = ("int", "float", "choice")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_WORD = re.compile(r"[A-Za-z0-9_.+-]{1,40}")
_MOST = 1 << 53
_DIGITS = 4
"""Significant digits of a float that a search tries; more would be noise."""


class Parameter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a tuning file says about a parameter."""

    type: str
    default: int | float | str | bool
    """The value that the agent has today, which the tuned one is compared with."""
    low: int | float | None = None
    high: int | float | None = None
    scale: Literal["linear", "log"] = "linear"
    """``log``: as many candidates between 1 and 10 as between 10 and 100."""
    values: list[int | float | str | bool] | None = None
    """The values to choose from; for ``choice`` only."""

    def size(self) -> float:
        """Return the number of different values."""
        if self.values is not None:
            return len(self.values)
        return math.inf if self.type == "float" else int(self.high or 0) - int(self.low or 0) + 1

    def all(self) -> list[Value]:
        """Return all values of a parameter that has finitely many, in order."""
        return (
            list(self.values) if self.values is not None else list(range(int(self.low or 0), int(self.high or 0) + 1))
        )

    def at(self, share: float) -> Value:
        """Return the value at a share of the range, from 0 up to and including 1."""
        share = min(max(share, 0.0), math.nextafter(1.0, 0.0))
        if self.values is not None:
            return self.values[int(share * len(self.values))]
        low, high = float(self.low or 0), float(self.high or 0)
        if self.type == "int":  # every number gets an equal part of the range
            low, high = low - 0.5, high + 0.5
        if self.scale == "log":
            found = math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
        else:
            found = low + share * (high - low)
        if self.type == "int":
            return min(max(math.floor(found + 0.5), int(self.low or 0)), int(self.high or 0))
        return min(max(float(f"{found:.{_DIGITS}g}"), low), high)

    def share(self, value: Value) -> float:
        """Return the position of a value in the range, from 0 to 1: the middle of the part that :meth:`at` maps to
        it."""
        if self.values is not None:
            return (self.values.index(value) + 0.5) / len(self.values)
        low, high, at = float(self.low or 0), float(self.high or 0), float(value)
        if self.type == "int":
            low, high = low - 0.5, high + 0.5
        if self.scale == "log":
            low, high, at = math.log(low), math.log(high), math.log(at)
        return (at - low) / (high - low) if high > low else 0.5

    def parse(self, name: str, text: str) -> Value:
        """Return the value that a string represents. Raises UserError if this parameter cannot have it."""
        if self.values is not None:
            for value in self.values:
                if show_value(value) == text:
                    return value
            raise unknown(f"value of {name}", text, map(show_value, self.values))
        number = int if self.type == "int" else float
        try:
            found = number(text)
        except ValueError:
            found = math.nan
        if not float(self.low or 0) <= found <= float(self.high or 0):
            raise out_of_range(name, text, float(self.low or 0), float(self.high or 0), number)
        return found


def show_value(value: Value) -> str:
    """Return a value as agents get it. A float has a point or an exponent, so that a compiler takes it for one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def described(values: Values) -> str:
    """Return values as they are written after ``tuned:FILE:`` and in files: ``depth=4,weight=0.5``."""
    return ",".join(f"{name}={show_value(value)}" for name, value in values.items())


def read_parameters(data: Mapping[Any, Any]) -> dict[str, Parameter]:
    """Return the parameters of a tuning file, checked. Raises FieldError."""
    if not data:
        raise FieldError("parameters: name at least one", "parameters")
    found: dict[str, Parameter] = {}
    for name, item in data.items():
        where = ("parameters", str(name))
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise FieldError(wrong_value("parameter", name, "a name of letters, digits and underscores"), *where)
        if not isinstance(item, Mapping):
            raise FieldError(
                wrong_value(name, item, "a mapping, such as {type: int, low: 1, high: 8, default: 3}"), *where
            )
        found[name] = _checked(name, read_struct(item, Parameter, where), where)
    return found


def _checked(name: str, parameter: Parameter, where: tuple[str, ...]) -> Parameter:
    if parameter.type not in TYPES:
        raise FieldError(unknown("type", parameter.type, TYPES, where=name), *where, "type")
    if parameter.type == "choice":
        _check_choice(name, parameter, where)
    else:
        parameter = _check_range(name, parameter, where)
    try:
        default = parameter.parse(name, show_value(parameter.default))
    except UserError as error:
        raise FieldError(f"default: {error}", *where, "default") from None
    return msgspec.structs.replace(parameter, default=default)


def _check_choice(name: str, parameter: Parameter, where: tuple[str, ...]) -> None:
    if parameter.low is not None or parameter.high is not None or parameter.scale != "linear":
        raise FieldError(f"{name}: a choice has 'values', and neither 'low', 'high' nor 'scale'", *where)
    values = parameter.values or []
    if len(values) < 2:
        raise FieldError(f"{name}: 'values' must list at least two values to choose from", *where, "values")
    for index, value in enumerate(values):
        good = isinstance(value, bool | int | float) or (isinstance(value, str) and _WORD.fullmatch(value))
        if not good or show_value(value) in map(show_value, values[:index]):
            wanted = "a number, true, false or a word of letters, digits and . _ + -; each value once"
            raise FieldError(wrong_value(f"{name}: value", value, wanted), *where, "values", index)


def _check_range(name: str, parameter: Parameter, where: tuple[str, ...]) -> Parameter:
    if parameter.values is not None:
        raise FieldError(f"{name}: 'values' is for type choice; a range has 'low' and 'high'", *where, "values")
    number = int if parameter.type == "int" else float
    ends: list[float] = []
    for end, value in (("low", parameter.low), ("high", parameter.high)):
        if value is None:
            raise FieldError(f"{name}: {end!r} is missing", *where)
        if isinstance(value, bool) or (number is int and not isinstance(value, int)):
            raise FieldError(wrong_type(f"{name}: {end}", value, [number]), *where, end)
        if not abs(value) <= _MOST:
            raise FieldError(out_of_range(f"{name}: {end}", value, -_MOST, _MOST, number), *where, end)
        ends.append(number(value))
    if ends[0] >= ends[1]:
        raise FieldError(f"{name}: low {ends[0]:g} must be below high {ends[1]:g}", *where, "low")
    if parameter.scale == "log" and ends[0] <= 0:
        raise FieldError(f"{name}: low {ends[0]:g} must be above 0 for a log scale", *where, "low")
    return msgspec.structs.replace(parameter, low=ends[0], high=ends[1])
