"""The options of Heroes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arbiter.game import BadSetup, Option

from .generate import SIZES
from .presets import PRESETS

if TYPE_CHECKING:
    from arbiter.game import Options

    from .presets import Constants

GENERATED: Final = "generated"

OPTIONS: Final = (
    Option("preset", "contest", "the constants of the game", choices=tuple(PRESETS)),
    Option("map", GENERATED, "generated, seed, m1 to m6, or the text of a map (map=@FILE)"),
    Option("size", 0, "rows and columns of a generated map; 0: chosen by the seed", choices=(0, *SIZES)),
    Option("rounds", 300, "rounds of four plies, one for each hero", minimum=1, maximum=10_000),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    preset: str
    map: str
    """The name of a map, or the text of one, which has newlines."""
    size: int
    rounds: int

    @property
    def constants(self) -> Constants:
        """The constants of the preset."""
        return PRESETS[self.preset]


def settings(options: Options) -> Settings:
    """Check the given options and fill in defaults. Raises BadSetup."""
    try:
        preset, chart, size, rounds = (option.check(options.get(option.name, option.default)) for option in OPTIONS)
    except ValueError as wrong:
        raise BadSetup(str(wrong)) from None
    return Settings(str(preset), str(chart), int(size), int(rounds))
