"""Options of a protocol, and the error for values that no game can start from."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

OptionValue = bool | int | float | str
Options = Mapping[str, OptionValue]


class BadSetup(ValueError):
    """A given setup or option value that no game can start from; the text is one line for the user."""


class Option(msgspec.Struct, frozen=True):
    """One option of a protocol. Its type is that of its default."""

    name: str
    default: OptionValue
    help: str
    choices: tuple[OptionValue, ...] = ()
    minimum: float | None = None
    maximum: float | None = None

    def check(self, value: object) -> OptionValue:
        """Convert ``value`` (a string from a command line, or plain data from a file) to this option's type.

        Raises ValueError with one line that quotes the value and says what is allowed.
        """
        checked = self._typed(value)
        if self.choices and checked not in self.choices:
            raise self._refusal(value, f"choose from {', '.join(map(str, self.choices))}")
        if not isinstance(checked, bool | str):
            if self.minimum is not None and checked < self.minimum:
                raise self._refusal(value, f"must be at least {self.minimum}")
            if self.maximum is not None and checked > self.maximum:
                raise self._refusal(value, f"must be at most {self.maximum}")
        return checked

    def _typed(self, value: object) -> OptionValue:
        wanted = type(self.default)
        if wanted is bool:
            word = str(value).lower()
            if word in ("true", "yes", "on", "1"):
                return True
            if word in ("false", "no", "off", "0"):
                return False
            raise self._refusal(value, "must be true or false")
        if wanted is str:
            if isinstance(value, str):
                return value
            raise self._refusal(value, "must be a string")
        try:
            # Python also reads 1_000 and digits of other scripts, which no other number here may have.
            odd = isinstance(value, str) and ("_" in value or not value.isascii())
            if isinstance(value, int | float | str) and not isinstance(value, bool) and not odd:
                number = wanted(value)
                # Neither infinity nor NaN: JSON cannot represent them.
                if math.isfinite(float(number)) and (isinstance(value, str) or number == value):
                    return number
        except (ValueError, OverflowError):
            pass
        raise self._refusal(value, "must be a whole number" if wanted is int else "must be a number")

    def _refusal(self, value: object, advice: str) -> ValueError:
        return ValueError(f"option {self.name}={value!s}: {advice}")
