"""The Rails protocol: its name, limits and options, and how it opens a game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from arbiter.game import BadSetup, ExternalGameFormat, Protocol, chosen, option, options_of

from .game import RailsGame
from .generate import LARGEST, SMALLEST, generate
from .layout import from_plain, to_plain
from .site_games import SiteFormat

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Chance, Corpus, Game, Json, Lifetime, Option, Options


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    ink_threshold: int = option(3, "instability at which a region is inked out", minimum=1)
    places_of_interest: bool = option(True, "whether random maps have places of interest, for the side quest")
    height: int = option(
        0,
        "rows of a random map, which has one and a half times as many columns; 0: chosen by the seed",
        choices=(0, *range(SMALLEST, LARGEST + 1)),
    )
    turns: int = option(100, "maximum number of turns", minimum=1)


class Rails(Protocol):
    """Two seats lay rails between towns and ink out each other's, at the same time."""

    name: ClassVar[str] = "rails"
    title: ClassVar[str] = "Rails"
    summary: ClassVar[str] = "connect towns by rail, ink out the rails of the other"
    version: ClassVar[int] = 2
    seats: ClassVar[tuple[int, int]] = (2, 2)
    seat_word: ClassVar[str] = "player"
    lifetime: ClassVar[Lifetime] = "game"
    limits: ClassVar[Mapping[str, str]] = {
        "move": "50ms",
        "first_move": "1s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "768MB",
        "processes": "64",
        "grace": "2",
        "margin": "50ms",
    }
    options: ClassVar[Sequence[Option]] = options_of(Settings)
    secondary: ClassVar[str] = "side_quest"
    external_format: ClassVar[ExternalGameFormat] = SiteFormat()
    simultaneous: ClassVar[bool] = True
    on_fault: ClassVar[str] = "defeat, at the end of the turn; orders written before a faulty one still count"
    help: ClassVar[str] = (
        "Orders, with ; between them:\n"
        "  PLACE_TRACKS x y          a track; costs 1 paint on plain, 2 on river, 3 on\n"
        "                            mountain or place; you have 3 paint per turn\n"
        "  AUTOPLACE x y x2 y2       as many tracks on the cheapest route as you can pay\n"
        "  DISRUPT r or DISRUPT x y  one more instability for a region without a town,\n"
        "                            once per turn\n"
        "  MESSAGE text              for spectators\n"
        "  WAIT                      nothing"
    )

    def corpus(self) -> Corpus:
        from .corpus import RailsCorpus

        return RailsCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        settings = chosen(Settings, options)
        return to_plain(generate(chance, settings.height, settings.places_of_interest))

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        if seats != 2:
            raise BadSetup(f"Rails is for 2 players, not {seats}")
        settings = chosen(Settings, options)
        return RailsGame(from_plain(setup), settings.ink_threshold, settings.turns)
