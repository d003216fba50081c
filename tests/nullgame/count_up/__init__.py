"""Count up: seats take turns to add 1, 2 or 3 to a total. As little as a game can be, with every feature in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from arbiter.game import (
    BadSetup,
    Chance,
    Display,
    Fault,
    Game,
    GarbledMove,
    IllegalMove,
    Json,
    Move,
    Option,
    Options,
    Protocol,
    Result,
)

NOTHING = "0"
"""The move that is played after a fault; an agent cannot answer it."""


class CountUp(Game):
    def __init__(self, seats: int, options: Options, setup: Json, chance: Chance) -> None:
        try:
            self.total, self._first = int(setup["start"]), int(setup["first"])
        except (KeyError, TypeError, ValueError):
            raise BadSetup("write the numbers 'start' and 'first'") from None
        self._left = int(options["turns"])
        self._bonus, self._chance = bool(options["bonus"]), chance
        self.scores, self._turn = [0] * seats, 0
        self.events: list[str] = []

    def to_move(self) -> Sequence[int]:
        return [(self._first + self._turn) % len(self.scores)]

    def briefing(self, seat: int) -> str:
        return f"seat {seat} of {len(self.scores)}\n"

    def prompt(self, seat: int) -> str:
        return f"{self.total} {self._left}\n"

    def read(self, seat: int, answer: str) -> Move:
        number, _, message = answer.strip().partition(" ")
        if not number.isascii() or not number.removeprefix("+").isdecimal() or len(number) > 9:
            raise GarbledMove(f"{number[:20]!r} is not a number")
        if int(number) not in (1, 2, 3):
            raise IllegalMove("add 1, 2 or 3", salvage="3" if int(number) > 3 else "")
        return Move(str(int(number)), message)

    def fallback(self, seat: int, fault: Fault) -> str:
        return fault.salvage or NOTHING

    def play(self, moves: Mapping[int, str]) -> None:
        ((seat, move),) = moves.items()
        bonus = self._chance.below(6) if self._bonus else 0
        self.total += int(move)
        self.scores[seat] += int(move) + bonus
        self.events = [f"a bonus of {bonus}"] if bonus else []
        self._turn, self._left = self._turn + 1, self._left - 1

    def result(self) -> Result | None:
        if self._left:
            return None
        ranks = tuple(1 + sum(other > score for other in self.scores) for score in self.scores)
        return Result(ranks, tuple(self.scores), "all turns were played", {"total": self.total})

    def view(self) -> Json:
        return {"total": self.total, "scores": list(self.scores)}

    def display(self, names: Sequence[str] = ()) -> Display[CountUp]:
        return CountUpDisplay(self, names)


class CountUpDisplay(Display[CountUp]):
    def board(self, seat: int | None = None) -> str:
        return f"total {self.game.total}, scores {self.game.scores}"

    def describe(self, seat: int, move: str) -> str:
        return f"adds {move}"

    def events(self) -> Sequence[str]:
        return self.game.events


class CountUpProtocol(Protocol):
    name = "count_up"
    title = "Count up"
    summary = "add 1, 2 or 3; the most points win"
    seats = (1, 4)
    lifetime = "move"
    limits: ClassVar[Mapping[str, str]] = {"move": "5s", "memory": "1GB"}
    options = (
        Option("turns", 6, "turns of the whole game", minimum=1, maximum=1000),
        Option("bonus", False, "a die adds to every move"),
        Option("pace", "slow", "of no consequence", choices=("slow", "fast")),
    )
    on_fault = "nothing is added"
    help = "type 1, 2 or 3"

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        if options["turns"] == 13:
            raise BadSetup("13 turns are unlucky")
        return {"start": chance.below(1000), "first": chance.below(seats)}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return CountUp(seats, options, setup, chance)


protocol = CountUpProtocol()
