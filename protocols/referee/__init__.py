"""Games refereed by another program: the arbiter knows their outcome, but not their rules.

A game is one turn in which every seat "plays" the score that the referee gave it. So these games are saved, counted, shown and
annulled like all others, but a replay can only check that the ranks follow from the scores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
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
    Option,
    Options,
    Protocol,
    Result,
    padded,
    ranks_from_scores,
)

_MOVE = re.compile(r"score (-?\d{1,15}(?:\.\d{1,30})?(?:e[+-]\d{1,3})?)", re.ASCII)
_LAST_WORDS = re.compile(r"\((score [^()]*)\)$")
"""The end of the detail of a fault: the score that the referee gave nevertheless."""


class RefereedGame(Game):
    """One game, whose only turn consists of the scores."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.scores: list[float] | None = None

    def to_move(self) -> Sequence[int]:
        """Return all seats: the referee gives all scores at once."""
        return range(self._seats)

    def prompt(self, seat: int) -> str:
        """Return nothing: the referee sends agents their input."""
        return ""

    def read(self, seat: int, answer: str) -> Move:
        """Take the score of a seat."""
        found = _MOVE.fullmatch(answer)
        if found is None or not math.isfinite(float(found[1])):
            raise IllegalMove("must be the score that the referee gave, such as 'score 12'")
        return Move(answer)

    def fallback(self, seat: int, fault: Fault) -> str:
        """Return the score that the referee gave to an agent that failed."""
        found = _LAST_WORDS.search(fault.detail)
        return found[1] if found and _MOVE.fullmatch(found[1]) else "score 0"

    def play(self, moves: Mapping[int, str]) -> None:
        """End the game with these scores."""
        self.scores = [float(moves[seat].removeprefix("score ")) for seat in range(self._seats)]

    def result(self) -> Result | None:
        """Rank the seats by their scores."""
        if self.scores is None:
            return None
        return Result(ranks_from_scores(self.scores), tuple(self.scores), "the referee has given the scores")

    def view(self) -> Json:
        """Return the scores; None before the game is over."""
        return {"scores": self.scores}

    def display(self, names: Sequence[str] = ()) -> RefereedDisplay:
        return RefereedDisplay(self, names)


class RefereedDisplay(Display[RefereedGame]):
    """Shows the scores, once there are any."""

    def board(self, seat: int | None = None) -> str:
        scores = self.game.scores
        if scores is None:
            return "The referee's game is not over; what happens in it is not known here."
        names = [self.who(index) for index in range(len(scores))]
        width = min(60, max(map(len, names)))
        return "\n".join(f"{padded(name[:width], width)}  {score:g}" for name, score in zip(names, scores, strict=True))

    def scores_so_far(self) -> Sequence[float]:
        return self.game.scores or ()


class RefereeProtocol(Protocol):
    """The protocol behind ``--referee``."""

    name = "referee"
    title = "Refereed game"
    summary = "a game whose referee is another program, run by the convention of CodinGame's command line"
    seats = (1, 8)
    seat_word = "player"
    first_seat = 1
    lifetime = "game"
    limits: ClassVar[Mapping[str, str]] = {"move": "24h", "first_move": "24h"}
    options = (
        Option("command", "", "command line of the referee; --referee sets it"),
        Option("folder", "", "folder that the referee runs in; --referee sets it"),
        Option("data", "", "further data for the referee after -d, such as 'league=3 size=9'"),
        Option("game_time", "10m", "time after which a game is ended that the referee has not ended"),
    )
    on_fault = "whatever the referee decides; the score is the one it gives"
    help = "people cannot play this game"
    simultaneous = True
    unavailable: ClassVar[Mapping[str, str]] = {
        "verify": "the ranks follow from the scores; another program applied the rules, which cannot be checked",
        "rerun": "what the agents were sent is known to the referee program only",
        "cluster": "a referee program runs on this machine",
    }
    enforced: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("rules", "time", "output"), "by the referee program"),
        **dict.fromkeys(("no-ponder", "crowding"), "no"),
    }

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        """Return nothing: the referee sets its game up from the seed."""
        return {}

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        """Open a game."""
        if not options["command"]:
            raise BadSetup("there is no referee: give its command with --referee")
        return RefereedGame(seats)


protocol = RefereeProtocol()
