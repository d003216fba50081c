"""Heroes, the game of the JDIS contest of 2016, a descendant of Vindinium."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Protocol, chosen, options_of

from .game import HeroesGame
from .options import Settings
from .rest import HeroesRest
from .season import SEASON
from .setup import lay_out, opening

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Chance, Corpus, Game, Json, Lifetime, Option, Options, RestWire


class Heroes(Protocol):
    """The Heroes protocol. README.md in this folder is the guide for authors of agents."""

    name: ClassVar[str] = "heroes"
    title: ClassVar[str] = "Heroes"
    summary: ClassVar[str] = "four heroes fight over gold mines; the richest after 300 rounds wins"
    version: ClassVar[int] = 2
    seats: ClassVar[tuple[int, int]] = (4, 4)
    seat_word: ClassVar[str] = "hero"
    first_seat: ClassVar[int] = 1
    lifetime: ClassVar[Lifetime] = "game"
    limits: ClassVar[Mapping[str, str]] = {
        "move": "1s",
        "first_move": "1s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "1GB",
        "processes": "64",
    }
    options: ClassVar[Sequence[Option]] = options_of(Settings)
    rest: ClassVar[RestWire | None] = HeroesRest()
    season: ClassVar[Mapping[str, Json]] = SEASON
    on_fault: ClassVar[str] = (
        "an answer that is not a direction counts as Stay; without any answer, the hero stays for the rest of the game"
    )
    help: ClassVar[str] = (
        "North, South, East, West or Stay, in any case; n, s, e, w or . for short.\n"
        "Walk into a mine ($) to take it, into a tavern ([]) to drink.\n"
        "Spikes (^^) hurt; wood (##) cannot be entered.\n"
        "After your move you hit every hero next to you, whatever the move was."
    )

    def corpus(self) -> Corpus:
        from .corpus import HeroesCorpus

        return HeroesCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        return lay_out(seats, chosen(Settings, options), chance)

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        settings = chosen(Settings, options)
        return HeroesGame(opening(seats, setup, settings.constants), settings.rounds)


protocol = Heroes()
