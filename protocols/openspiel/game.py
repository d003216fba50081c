"""A game of OpenSpiel as the arbiter drives it. OpenSpiel knows the rules; chance is ours, so that games can be replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import pyspiel

from arbiter.game import (
    BadSetup,
    Chance,
    Display,
    Fault,
    Game,
    IllegalMove,
    Json,
    Move,
    Result,
    quoted,
    ranks_from_scores,
)

from .display import SpielDisplay, grid

FORFEITS = "forfeits"
"""The move that is played for a seat after a fault; an agent cannot answer it."""
_EVEN = 1e-9
"""Outcomes whose probabilities differ by less are equally likely."""


class SpielGame(Game):
    """A game in progress."""

    def __init__(self, rules: Any, dealt: Json, chance: Chance) -> None:
        """``rules`` is the game that OpenSpiel loaded; ``dealt``, the outcomes of chance before the first move."""
        self.rules, self.chance = rules, chance
        self.state = _after_deal(rules, dealt)
        self.forfeited: set[int] = set()
        self.first = 0 if self.state.is_terminal() else next(iter(self.to_move()), 0)
        """The seat that moves first: in chess, of OpenSpiel's two players the second."""

    @staticmethod
    def deal(rules: Any, chance: Chance) -> list[int]:
        """Draw the outcomes of chance before the first move."""
        state = rules.new_initial_state()
        dealt: list[int] = []
        while state.is_chance_node():
            dealt.append(draw(state, chance))
            state.apply_action(dealt[-1])
        return dealt

    def to_move(self) -> Sequence[int]:
        if not self.state.is_simultaneous_node():
            return [self.state.current_player()]
        return [seat for seat in range(self.rules.num_players()) if self.state.legal_actions(seat)]

    def prompt(self, seat: int) -> str:
        names = self.legal(seat)
        lines = self.seen(seat).rstrip().splitlines()
        return "\n".join(
            [
                f"{seat} {self.rules.num_players()}",
                str(len(names)),
                *(f"{action} {name}" for name, action in names.items()),
                str(len(lines)),
                *(f"|{line}" for line in lines),
                "",
            ]
        )

    def read(self, seat: int, answer: str) -> Move:
        said, names = answer.strip(), self.legal(seat)
        if said in names:
            return Move(said)
        by_number = {str(action): name for name, action in names.items()}
        if said not in by_number:
            raise IllegalMove(f"{quoted(said)} is not one of the {len(names)} legal moves, nor the number of one")
        return Move(by_number[said])

    def fallback(self, seat: int, fault: Fault) -> str:
        return FORFEITS

    def play(self, moves: Mapping[int, str]) -> None:
        self.forfeited = {seat for seat, move in moves.items() if move == FORFEITS}
        if self.forfeited:
            return
        actions = {seat: self.legal(seat)[move] for seat, move in moves.items()}
        if self.state.is_simultaneous_node():
            self.state.apply_actions([actions.get(seat, 0) for seat in range(self.rules.num_players())])
        else:
            self.state.apply_action(*actions.values())
        while self.state.is_chance_node():
            self.state.apply_action(draw(self.state, self.chance))

    def result(self) -> Result | None:
        if self.forfeited:
            return self._forfeit()
        if not self.state.is_terminal():
            return None
        scores = tuple(round(score, 9) + 0.0 for score in self.state.returns())
        return Result(ranks_from_scores(scores), scores, "the game is over by its rules")

    def _forfeit(self) -> Result:
        """Rank those who forfeited behind all others. They get the lowest score that the game has, and the others what is even."""
        lowest, seats = self.rules.min_utility(), range(self.rules.num_players())
        others = len(seats) - len(self.forfeited)
        even = -lowest * len(self.forfeited) / others if others and self._is_zero_sum else 0.0
        scores = tuple(lowest if seat in self.forfeited else even for seat in seats)
        who = " and ".join(f"seat {seat}" for seat in sorted(self.forfeited))
        return Result(ranks_from_scores(scores, defeated=self.forfeited), scores, f"{who} forfeited by a fault")

    @property
    def _is_zero_sum(self) -> bool:
        return bool(self.rules.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM)

    def view(self) -> Json:
        return self.shown(str(self.state))

    def shown(self, text: str) -> Json:
        """Return a position of which ``text`` is seen."""
        over = self.forfeited or self.state.is_terminal()
        return {
            "moves": len(self.state.full_history()),
            "to_move": [] if over else list(self.to_move()),
            "first": self.first,
            "forfeited": sorted(self.forfeited),
            "grid": grid(text),
            "text": text,
        }

    def display(self, names: Sequence[str] = ()) -> Display[SpielGame]:
        return SpielDisplay(self, names)

    def legal(self, seat: int) -> dict[str, int]:
        """Return the legal moves of a seat: OpenSpiel's number of each by its name. A name that could be taken for the number of
        another move is replaced by its own number."""
        names = {}
        for action in self.state.legal_actions(seat):
            name = " ".join(self.state.action_to_string(seat, action).split())
            names[str(action) if name.isdecimal() or name in names else name] = action
        return names

    def seen(self, seat: int) -> str:
        """Return what a seat may see of the position."""
        kind = self.rules.get_type()
        if kind.information != pyspiel.GameType.Information.IMPERFECT_INFORMATION:
            return str(self.state)
        if kind.provides_information_state_string:
            return str(self.state.information_state_string(seat))
        return str(self.state.observation_string(seat))


def draw(state: Any, chance: Chance) -> int:
    """Return the outcome of a chance node."""
    outcomes = state.chance_outcomes()
    actions = [action for action, _ in outcomes]
    weights = [weight for _, weight in outcomes]
    if max(weights) - min(weights) < _EVEN:
        return int(chance.choice(actions))
    reached = chance.fraction() * sum(weights)
    return int(next((a for a, bound in zip(actions, accumulate(weights), strict=True) if reached < bound), actions[-1]))


def _after_deal(rules: Any, dealt: Json) -> Any:
    """Return the position after these outcomes of chance. Raises BadSetup."""
    state = rules.new_initial_state()
    for action in dealt if isinstance(dealt, list) else [None]:
        possible = dict(state.chance_outcomes()) if state.is_chance_node() else {}
        if type(action) is not int or action not in possible:
            raise BadSetup(
                '"dealt" must be a list of the outcomes of chance before the first move, as OpenSpiel numbers them'
            )
        state.apply_action(action)
    if state.is_chance_node():
        raise BadSetup('"dealt" has too few outcomes: chance is still to act')
    return state
