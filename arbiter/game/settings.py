"""Options as a typed value: a dataclass whose fields are the options of a protocol.

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

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from arbiter.game.options import BadSetup, Option, Options, OptionValue

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

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
