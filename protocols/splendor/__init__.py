"""Splendor, as the nerdvana contest plays it: an agent is spawned for every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Protocol, chosen, options_of

from .deal import deal, lay_out
from .external_games import ContestFormat
from .game import SplendorGame
from .options import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Chance, Corpus, ExternalGameFormat, Game, Json, Lifetime, Option, Options


class Splendor(Protocol):
    """The Splendor protocol. README.md in this folder is the guide for authors of agents."""

    name: ClassVar[str] = "splendor"
    title: ClassVar[str] = "Splendor"
    summary: ClassVar[str] = "collect chips, buy cards, impress nobles: first to 15 points"
    version: ClassVar[int] = 1
    seats: ClassVar[tuple[int, int]] = (1, 4)
    seat_word: ClassVar[str] = "player"
    first_seat: ClassVar[int] = 1
    lifetime: ClassVar[Lifetime] = "move"
    keeps_files = True
    limits: ClassVar[Mapping[str, str]] = {
        "move": "10s",
        "first_move": "10s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "16GB",
        "processes": "64",
        "disk": "4GB",
    }
    options: ClassVar[Sequence[Option]] = options_of(Settings)
    external_format: ClassVar[ExternalGameFormat] = ContestFormat()
    on_fault: ClassVar[str] = "the turn is a pass: nothing changes and no noble visits"
    help: ClassVar[str] = (
        "Colours: 0 red, 1 green, 2 blue, 3 white, 4 black, 5 gold.\n"
        "1 N C...   take N different chips (0 to 3):  1 3 0 2 4\n"
        "2 C        take two of one colour, from a pile of at least 4:  2 3\n"
        "3 CARD     reserve a card and get a gold; -1, -2, -3: the top of that deck\n"
        "4 CARD     buy a face-up card or one you reserved; paid for you\n"
        "More than 10 chips? Add the colours you return:  1 3 0 2 4 1 1"
    )

    def corpus(self) -> Corpus:
        from .corpus import SplendorCorpus

        return SplendorCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        return deal(seats, chance)

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return SplendorGame(lay_out(seats, setup), chosen(Settings, options))


protocol = Splendor()
