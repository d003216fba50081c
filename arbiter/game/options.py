"""Options of a protocol, and the error for values that no game can start from.

A protocol may declare its options as the fields of a dataclass::

    @dataclass(frozen=True, slots=True)
    class Settings:
        rows: int = option(6, "rows of the board", minimum=4, maximum=20)
        gravity: bool = option(True, "whether pieces fall")

    class MyProtocol(Protocol):
        options = options_of(Settings)

        def start(self, seats, options, setup, chance):
            settings = chosen(Settings, options)     # settings.rows is an int from 4 to 20
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


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


_KEY = "option"
Chosen = TypeVar("Chosen", bound="DataclassInstance")


def option(
    default: OptionValue,
    help: str,
    *,
    choices: tuple[OptionValue, ...] = (),
    minimum: float | None = None,
    maximum: float | None = None,
) -> Any:
    """Declare a field of a dataclass as an option; its type is that of its default."""
    return field(
        default=default, metadata={_KEY: Option("", default, help, choices=choices, minimum=minimum, maximum=maximum)}
    )


def options_of(settings: type[DataclassInstance]) -> tuple[Option, ...]:
    """Return the options that a dataclass declares, named after its fields, for :attr:`Protocol.options`."""
    return tuple(
        Option(each.name, own.default, own.help, own.choices, own.minimum, own.maximum)
        for each in fields(settings)
        if isinstance(own := each.metadata.get(_KEY), Option)
    )


def chosen(settings: type[Chosen], options: Options) -> Chosen:
    """Return the options as an instance of their dataclass, with defaults for missing ones. Raises BadSetup."""
    try:
        return settings(
            **{each.name: each.check(options.get(each.name, each.default)) for each in options_of(settings)}
        )
    except ValueError as error:
        raise BadSetup(str(error)) from None
