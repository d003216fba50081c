"""Auction: everybody bids at once for a prize that chance sets; chance also settles equal bids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from arbiter.game import Chance, Display, Fault, Game, IllegalMove, Json, Move, Option, Options, Protocol, Result


class Auction(Game):
    strict_exit = False

    def __init__(self, seats: int, options: Options, setup: Json, chance: Chance) -> None:
        self.prize, self._left, self._chance = int(setup["prize"]), int(options["rounds"]), chance
        self.scores, self.bids = [0] * seats, [0] * seats

    def to_move(self) -> Sequence[int]:
        return range(len(self.scores))

    def briefing(self, seat: int) -> str:
        return f"bidder {seat}\n"

    def prompt(self, seat: int) -> str:
        return f"prize {self.prize}\n"

    def read(self, seat: int, answer: str) -> Move:
        bid = answer.strip()
        if len(bid) != 1 or bid not in "0123456789":
            raise IllegalMove("bid 0 to 9")
        return Move(bid)

    def fallback(self, seat: int, fault: Fault) -> str:
        return "0"

    def play(self, moves: Mapping[int, str]) -> None:
        self.bids = [int(moves[seat]) for seat in range(len(self.scores))]
        best = [seat for seat, bid in enumerate(self.bids) if bid == max(self.bids)]
        self.scores[self._chance.choice(best)] += self.prize
        self.prize, self._left = 1 + self._chance.below(9), self._left - 1

    def result(self) -> Result | None:
        if self._left:
            return None
        ranks = tuple(1 + sum(other > score for other in self.scores) for score in self.scores)
        return Result(ranks, tuple(self.scores), "everything is sold")

    def final_message(self, seat: int) -> str:
        return f"sold, you have {self.scores[seat]}\n"

    def view(self) -> Json:
        return {"prize": self.prize, "scores": list(self.scores), "bids": list(self.bids)}

    def display(self, names: Sequence[str] = ()) -> Display[Auction]:
        return AuctionDisplay(self, names)


class AuctionDisplay(Display[Auction]):
    def board(self, seat: int | None = None) -> str:
        return f"prize {self.game.prize}, scores {self.game.scores}"


class AuctionProtocol(Protocol):
    name = "auction"
    title = "Auction"
    summary = "the highest bid takes the prize"
    seats = (2, 3)
    lifetime = "game"
    limits: ClassVar[Mapping[str, str]] = {"move": "5s", "first_move": "10s"}
    options = (Option("rounds", 3, "prizes to bid for", minimum=1),)
    on_fault = "a bid of 0"
    help = "type a digit"

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        return {"prize": 1 + chance.below(9)}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return Auction(seats, options, setup, chance)


protocol = AuctionProtocol()
