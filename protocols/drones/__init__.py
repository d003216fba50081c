"""GameOfDrones, as played in the Bravo LT contest of 2018: many rounds with hidden units."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from arbiter.game import Adapter, BadSetup, Protocol, chosen, options_of, quoted

from .game import DronesGame
from .modules import is_bot_module
from .options import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from arbiter.game import Chance, Corpus, Game, Json, Lifetime, Option, Options


class Drones(Protocol):
    """The GameOfDrones protocol. README.md in this folder is the guide for authors of agents."""

    name: ClassVar[str] = "drones"
    title: ClassVar[str] = "GameOfDrones"
    summary: ClassVar[str] = "breed producers, train soldiers, strike unseen: most rounds win"
    version: ClassVar[int] = 1
    seats: ClassVar[tuple[int, int]] = (2, 2)
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
    simultaneous: ClassVar[bool] = True
    on_fault: ClassVar[str] = "an empty action: nothing is made that turn, and there is no attack"
    help: ClassVar[str] = (
        "Three numbers: new producers, new soldiers, and 1 to attack at the end of the\n"
        "turn or 0 to hold.\n"
        "  2 1 0      two producers, one soldier, no attack\n"
        "  0 9 1      as many soldiers as you can make, up to 9, and attack\n"
        "Every producer you had at the start of the turn makes one unit. You may ask for\n"
        "more than you can make: producers are made first, then soldiers."
    )

    adapters: ClassVar[Sequence[Adapter]] = (
        Adapter(
            (".js", ".mjs", ".cjs"), is_bot_module, ("node", str(Path(__file__).parent / "adapter.mjs"), "{source}")
        ),
    )

    def corpus(self) -> Corpus:
        from .corpus import DronesCorpus

        return DronesCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        return {}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        if seats != 2:
            raise BadSetup(f"GameOfDrones is for 2 players, not {seats}")
        if setup != {} or not isinstance(setup, dict):
            raise BadSetup(f"every match starts the same: the setup must be {{}}, not {quoted(setup)}")
        return DronesGame(chosen(Settings, options), chance)


protocol = Drones()
