"""The options of Splendor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arbiter.game import BadSetup, Option

if TYPE_CHECKING:
    from arbiter.game import Options

OPTIONS: Final = (
    Option("return_gold", True, "whether gold may be among the chips returned from a hand of more than 10"),
    Option("strict_exit", True, "whether a legal answer is lost if the agent then exits abnormally"),
    Option("max_rounds", 100, "rounds after which the game ends regardless of points", minimum=1),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    return_gold: bool
    strict_exit: bool
    max_rounds: int


def settings(options: Options) -> Settings:
    """Check the given options and fill in defaults. Raises BadSetup."""
    try:
        return_gold, strict_exit, max_rounds = (
            option.check(options.get(option.name, option.default)) for option in OPTIONS
        )
    except ValueError as wrong:
        raise BadSetup(str(wrong)) from None
    return Settings(bool(return_gold), bool(strict_exit), int(max_rounds))
