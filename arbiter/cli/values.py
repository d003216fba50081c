"""Values on the command line: whole numbers and words to choose from, worded as mistakes in files are."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from arbiter.errors import nearest

if TYPE_CHECKING:
    from arbiter.records.turn_numbers import TurnName


class WholeNumber(click.types.IntParamType):
    """A whole number of at least ``least``, and at most ``most``. Unlike click's, it is worded as numbers in files are."""

    def __init__(self, least: int, most: int | None = None) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        text = str(value).strip()
        number = int(text) if re.fullmatch(r"-?[0-9]{1,39}", text) else None
        if number is None or number < self._least or (self._most is not None and number > self._most):
            size = " and at most 39 digits long" if re.fullmatch(r"[0-9]{40,}", text) else ""
            span = f", at least {self._least}{size}" if self._most is None else f" from {self._least} to {self._most}"
            self.fail(f"{str(value)!r}: must be a whole number{span}", param, ctx)
        return number


class Number(click.types.FloatParamType):
    """A number, worded as numbers in files are."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number."""
        try:
            return float(value)
        except ValueError:
            self.fail(f"{str(value)!r}: must be a number, such as 3 or 0.5", param, ctx)


class TurnNumber(click.ParamType["TurnName"]):
    """A turn by the arbiter's number, at least ``least``, or by another that the protocol counts: ``37``, ``ply:34``."""

    name = "turn"

    def __init__(self, least: int) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> TurnName:
        """Return the turn as it was named."""
        from arbiter.records.turn_numbers import TurnName  # not for every command: it imports the reader of records

        found = re.fullmatch(r"([a-z]+)[ :=]([0-9]{1,9})", str(value).strip())
        if found:
            return TurnName(int(found[2]), found[1])
        return TurnName(WholeNumber(self._least).convert(value, param, ctx))


class Choice(click.Choice[str]):
    """One of several words; a misspelt one is answered with the nearest."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the message for an unknown word."""
        close = nearest(str(value), self.choices)
        return f"{value!r}; did you mean {close!r}?" if close else f"{value!r}; choose from {', '.join(self.choices)}"
