"""The game as the arbiter drives it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arbiter.game import (
    BadSetup,
    Chance,
    Corpus,
    Display,
    Fault,
    Game,
    Json,
    Move,
    Options,
    Protocol,
    Result,
    chosen,
    option,
    options_of,
    ranks_from_scores,
    word_of,
)

from .board import board
from .rules import FREE, STEPS, Grid

CRASH = "CRASH"
"""The move that is played for a rider after a fault; an agent cannot answer it."""
_SMALLEST, _LARGEST = 6, 60


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of a game."""

    width: int = option(30, "columns of the grid", minimum=_SMALLEST, maximum=_LARGEST)
    height: int = option(20, "rows of the grid", minimum=_SMALLEST, maximum=_LARGEST)


class Tron(Game):
    """A game in progress."""

    def __init__(self, seats: int, setup: Json) -> None:
        self.grid = _opened(seats, setup)
        self.crashed: list[int] = []

    def to_move(self) -> Sequence[int]:
        return self.grid.riding()

    def briefing(self, seat: int) -> str:
        return f"{self.grid.width} {self.grid.height} {len(self.grid.riders)} {seat}\n"

    def prompt(self, seat: int) -> str:
        riders = [f"{rider.at[0]} {rider.at[1]} {int(rider.crashed is None)}" for rider in self.grid.riders]
        rows = ["".join("." if wall == FREE else str(wall) for wall in row) for row in self.grid.walls]
        return "\n".join([*riders, *rows]) + "\n"

    def read(self, seat: int, answer: str) -> Move:
        return Move(word_of(answer, STEPS))

    def fallback(self, seat: int, fault: Fault) -> str:
        return CRASH

    def play(self, moves: Mapping[int, str]) -> None:
        self.crashed = self.grid.advance({seat: None if move == CRASH else move for seat, move in moves.items()})

    def result(self) -> Result | None:
        riding = self.grid.riding()
        if len(riding) > 1 or (riding and len(self.grid.riders) == 1):
            return None
        # Whoever rode longer ranks higher; the one that is left rode longest.
        scores = tuple(
            float(self.grid.turn + 1 if rider.crashed is None else rider.crashed) for rider in self.grid.riders
        )
        reason = f"seat {riding[0]} is the last one riding" if riding else "the last riders crashed in the same turn"
        return Result(ranks_from_scores(scores), scores, reason)

    def view(self) -> Json:
        return {
            "width": self.grid.width,
            "height": self.grid.height,
            "turn": self.grid.turn,
            "walls": ["".join("." if wall == FREE else str(wall) for wall in row) for row in self.grid.walls],
            "riders": [{"x": rider.at[0], "y": rider.at[1], "crashed": rider.crashed} for rider in self.grid.riders],
        }

    def display(self, names: Sequence[str] = ()) -> Display[Tron]:
        return TronDisplay(self, names)


class TronDisplay(Display[Tron]):
    """What people see of a game. Nothing is hidden."""

    def board(self, seat: int | None = None) -> str:
        return board(self.game.grid, [self.who(each) for each in range(len(self.game.grid.riders))])

    def view_for(self, seat: int) -> Json:
        return self.game.view()

    def legal(self, seat: int) -> Sequence[str]:
        return list(STEPS)

    def describe(self, seat: int, move: str) -> str:
        return "does not steer" if move == CRASH else f"rides {move.lower()}"

    def scores_so_far(self) -> Sequence[float]:
        grid = self.game.grid
        return [float(grid.turn if rider.crashed is None else rider.crashed) for rider in grid.riders]

    def events(self) -> Sequence[str]:
        return [f"seat {seat} crashes" for seat in self.game.crashed]


class TronProtocol(Protocol):
    """The rules and the wire format, as agents see them."""

    name = "tron"
    title = "Tron"
    summary = "riders leave walls behind them; the last one riding wins"
    seats = (2, 4)
    lifetime = "game"
    limits: ClassVar[Mapping[str, str]] = {"move": "100ms", "first_move": "1s", "memory": "2GB"}
    options = options_of(Settings)
    on_fault = "the rider crashes"
    help = "UP, DOWN, LEFT or RIGHT"
    simultaneous = True

    def corpus(self) -> Corpus:
        from .corpus import TronCorpus

        return TronCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        settings = chosen(Settings, options)
        margin = settings.width // 5, settings.height // 5
        x, y = margin[0] + chance.below(margin[0]), margin[1] + chance.below(margin[1])
        right, below = settings.width - 1 - x, settings.height - 1 - y
        # Opposite corners of a rectangle about the middle: equal chances for two, and for four.
        starts = [[x, y], [right, below], [right, y], [x, below]][:seats]
        return {"width": settings.width, "height": settings.height, "starts": starts}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return Tron(seats, setup)


def _opened(seats: int, setup: Json) -> Grid:
    """Return the grid of a setup, which a user may have written. Raises BadSetup."""
    try:
        width, height, starts = (setup[key] for key in ("width", "height", "starts"))
        cells = [(x, y) for x, y in starts]
        numbers = [width, height, *(number for cell in cells for number in cell)]
    except (KeyError, TypeError, ValueError, IndexError):
        raise BadSetup("a setup has a width, a height and starts, a list of [column, row]") from None
    if not all(type(number) is int for number in numbers):
        raise BadSetup("width, height and starts must be whole numbers")
    if not (_SMALLEST <= width <= _LARGEST and _SMALLEST <= height <= _LARGEST):
        raise BadSetup(f"the grid is {width} by {height}; must be {_SMALLEST} to {_LARGEST} each")
    if len(cells) != seats or len(set(cells)) != seats:
        raise BadSetup(f"starts must be {seats} different cells")
    if not all(0 <= x < width and 0 <= y < height for x, y in cells):
        raise BadSetup("a start is not on the grid")
    return Grid(width, height, cells)


protocol = TronProtocol()
