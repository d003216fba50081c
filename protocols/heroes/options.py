"""The options of Heroes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arbiter.game import option

from .generate import SIZES
from .presets import PRESETS

if TYPE_CHECKING:
    from .presets import Constants

GENERATED: Final = "generated"


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    preset: str = option("contest", "the constants of the game", choices=tuple(PRESETS))
    map: str = option(GENERATED, "generated, seed, m1 to m6, or the text of a map (map=@FILE)")
    """The name of a map, or the text of one, which has newlines."""
    size: int = option(0, "rows and columns of a generated map; 0: chosen by the seed", choices=(0, *SIZES))
    rounds: int = option(300, "rounds of four plies, one for each hero", minimum=1, maximum=10_000)

    @property
    def constants(self) -> Constants:
        """The constants of the preset."""
        return PRESETS[self.preset]
