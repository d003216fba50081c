"""The game as the arbiter drives it. `arbiter.game` explains every method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arbiter.game import (
    BadSetup,
    Chance,
    Display,
    Fault,
    Game,
    IllegalMove,
    Json,
    Move,
    Options,
    Protocol,
    Result,
    chosen,
    numbers_of,
    option,
    options_of,
    paint,
    quoted,
    ranks_from_scores,
)

from .rules import Heaps

LOSES = "loses"
"""The move that is played for a seat after a fault; an agent cannot answer it."""
MOST_STONES = 99


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game."""

    heaps: int = option(3, "number of heaps", minimum=1, maximum=8)
    stones: int = option(9, "most stones in a heap at the start", minimum=2, maximum=12)


class TakeAway(Game):
    """A game in progress."""

    def __init__(self, setup: Json) -> None:
        self.heaps = Heaps(_checked(setup))
        self.mover = 0
        self.loser: int | None = None
        self.faulted = False

    def to_move(self) -> Sequence[int]:
        return [self.mover]

    def prompt(self, seat: int) -> str:
        stones = self.heaps.stones
        return f"{len(stones)}\n{' '.join(map(str, stones))}\n"

    def read(self, seat: int, answer: str) -> Move:
        heap, count = numbers_of(answer, 2)
        if not 0 <= heap < len(self.heaps.stones):
            raise IllegalMove(
                f"{quoted(answer.strip())}: there is no heap {heap}; choose from 0 to {len(self.heaps.stones) - 1}"
            )
        left = self.heaps.stones[heap]
        if not 1 <= count <= left:
            raise IllegalMove(f"{quoted(answer.strip())}: heap {heap} has {left} stones; take at least one of them")
        return Move(f"{heap} {count}")

    def fallback(self, seat: int, fault: Fault) -> str:
        return LOSES

    def play(self, moves: Mapping[int, str]) -> None:
        ((seat, move),) = moves.items()
        if move == LOSES:
            self.loser, self.faulted = seat, True
            return
        heap, count = map(int, move.split())
        self.heaps.take(heap, count)
        if self.heaps.empty:
            self.loser = 1 - seat
        self.mover = 1 - seat

    def result(self) -> Result | None:
        if self.loser is None:
            return None
        scores = tuple(float(seat != self.loser) for seat in range(2))
        reason = f"seat {self.loser} lost by a fault" if self.faulted else f"seat {1 - self.loser} took the last stone"
        return Result(ranks_from_scores(scores), scores, reason)

    def view(self) -> Json:
        return {"stones": list(self.heaps.stones), "mover": self.mover, "loser": self.loser}

    def display(self, names: Sequence[str] = ()) -> Display[TakeAway]:
        return TakeAwayDisplay(self, names)


class TakeAwayDisplay(Display[TakeAway]):
    """What people see of a game. Nothing is hidden."""

    def board(self, seat: int | None = None) -> str:
        stones = self.game.heaps.stones
        rows = [f"{number}  {paint('o' * left, 'yellow')} {left}" for number, left in enumerate(stones)]
        return "\n".join([f"{self.who(self.game.mover)} to move", *rows])

    def view_for(self, seat: int) -> Json:
        return self.game.view()

    def legal(self, seat: int) -> Sequence[str]:
        return [f"{heap} {count}" for heap, count in self.game.heaps.moves()]

    def describe(self, seat: int, move: str) -> str:
        if move == LOSES:
            return "loses by a fault"
        heap, count = move.split()
        return f"takes {count} from heap {heap}"


class TakeAwayProtocol(Protocol):
    """The rules and the wire format, as agents see them."""

    name = "takeaway"
    title = "Take Away"
    summary = "take stones from heaps; whoever takes the last one wins"
    version = 1
    seats = (2, 2)
    lifetime = "game"
    limits: ClassVar[Mapping[str, str]] = {"move": "1s", "first_move": "3s", "memory": "2GB"}
    options = options_of(Settings)
    on_fault = "the game is lost"
    help = "HEAP COUNT, such as 0 2: take two stones from heap 0"

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        settings = chosen(Settings, options)
        return {"stones": [1 + chance.below(settings.stones) for _ in range(settings.heaps)]}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return TakeAway(setup)


def _checked(setup: Json) -> list[int]:
    """Return the stones of a setup, which a user may have written. Raises BadSetup."""
    stones = setup.get("stones") if isinstance(setup, dict) else None
    if not isinstance(stones, list) or not stones or not all(type(each) is int for each in stones):
        raise BadSetup('a setup must be an object such as {"stones": [3, 4, 5]}')
    if not all(0 <= each <= MOST_STONES for each in stones) or not any(stones) or len(stones) > 8:
        raise BadSetup(f"stones must be 1 to 8 numbers from 0 to {MOST_STONES}, and not all 0")
    return list(stones)


protocol = TakeAwayProtocol()
