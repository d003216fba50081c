"""An independent implementation of the rules, as plain as possible: a generator that asks for each decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from itertools import combinations

from arbiter.game import Json

NAMES = (
    "TRAINING", "CODING", "DAILY_ROUTINE", "TASK_PRIORITIZATION", "ARCHITECTURE_STUDY", "CONTINUOUS_INTEGRATION",
    "CODE_REVIEW", "REFACTORING",
)  # fmt: skip
SMALL = (
    "346", "147", "267", "123", "137", "235", "256", "035", "045", "026", "067", "234", "457", "467",
    "013", "017", "056", "015", "246", "127", "367", "125", "136", "037", "356", "014", "024", "245",
)  # fmt: skip
BONUS, DEBT = 8, 9
OFFERED = {1: "", 2: "0467", 3: "01234567", 4: "01234567"}

Question = tuple[str, list[str]]
"""A phase and the actions that are offered."""


@dataclass(eq=False)
class Side:
    """One of the two teams."""

    hand: list[int]
    draw: list[int]
    """The card that is drawn first at the front."""
    location: int = -1
    score: int = 0
    discard: list[int] = field(default_factory=list)
    played: list[int] = field(default_factory=list)
    permanent: list[int] = field(default_factory=list)
    automated: list[int] = field(default_factory=list)
    shuffles: int = 0

    def skills(self) -> list[int]:
        """Return the cards in hand that are no debt."""
        return [card for card in self.hand if card != DEBT]

    def owned(self) -> list[int]:
        """Return all cards that the other side is told about together."""
        return self.hand + self.draw + self.discard


class Oracle:
    """A game. ``reshuffled`` returns the order of the cards after the n-th reshuffle of a seat: chance is not repeated here."""

    def __init__(self, setup: Json, level: int, reshuffled: Callable[[int, int], list[int]]) -> None:
        self.level, self._reshuffled = level, reshuffled
        small = {id_: [2 * (str(skill) in SMALL[id_]) for skill in range(8)] for id_ in setup["applications"]["small"]}
        pairs = list(combinations(range(8), 2))
        big = {id_: [4 * (skill in pairs[id_]) for skill in range(8)] for id_ in setup["applications"]["big"]}
        self.applications = {**small, **big}
        self.board = [5] * 8 + [28, 92]
        self.sides = [Side(list(pile[:4]), list(pile[4:])) for pile in setup["piles"]]
        self.seat = self.phases = 0
        self.over = False
        self._turns = self._play()
        self.phase, self.actions = next(self._turns)

    def answer(self, action: str) -> None:
        """Carry out an action, up to the next decision."""
        self.phases += 1
        self.phase, self.actions = self._turns.send(action)

    def ways(self, card: int) -> list[str]:
        """Return the ways to play a skill in hand."""
        others = self.sides[self.seat].skills()
        others.remove(card)
        kinds = list(dict.fromkeys(others))
        if NAMES[card] == "TASK_PRIORITIZATION":
            return [f"{NAMES[card]} {back} {taken}" for back in kinds for taken in range(9) if taken != back]
        return [f"{NAMES[card]} {kind}" for kind in kinds] if card == 5 else [NAMES[card]]

    def prompt(self) -> str:
        """Return what the seat to move is sent."""
        own, other = self.sides[self.seat], self.sides[1 - self.seat]
        lines = [self.phase, str(len(self.applications))]
        lines += [f"APPLICATION {id_} {_numbers(self.applications[id_])}" for id_ in sorted(self.applications)]
        lines += [_numbers([s.location, s.score, s.permanent.count(2), s.permanent.count(4)]) for s in (own, other)]
        piles = {"HAND": own.hand, "DRAW": own.draw, "DISCARD": own.discard, "PLAYED_CARDS": own.played}
        piles |= {"AUTOMATED": own.automated, "OPPONENT_CARDS": other.owned(), "OPPONENT_AUTOMATED": other.automated}
        shown = [(name, pile) for name, pile in piles.items() if pile or name == "OPPONENT_CARDS"]
        lines += [str(len(shown)), *(f"{name} {_numbers([pile.count(t) for t in range(10)])}" for name, pile in shown)]
        return "\n".join([*lines, str(len(self.actions)), *self.actions, ""])

    def _play(self) -> Generator[Question, str, None]:
        while not self.over:
            side = self.sides[self.seat]
            yield from self._move(side, self.sides[1 - self.seat])
            yield from self._use(side)
            yield from self._release(side)
            side.discard += side.hand + side.played
            side.hand, side.played = [], []
            self._draw(side, 4 + side.permanent.count(4))
            self.seat = 1 - self.seat
            self.over = self.seat == 0 and max(each.score for each in self.sides) >= 5
        yield "", []

    def _move(self, side: Side, other: Side) -> Generator[Question, str, None]:
        reach = range(-side.permanent.count(2), side.permanent.count(2) + 1)
        targets = range(8) if side.location < 0 else [(side.location + step) % 8 for step in range(1, 8)]
        moves = [f"MOVE {t}" + (f" {(t + shift) % 8}" if shift else "") for t in targets for shift in reach]
        _, *desks = (yield "MOVE", [*moves, "RANDOM"]).split()
        before, side.location = side.location, int(desks[0])
        if self.level >= 3 and side.location < before:
            yield from self._throw(side)
        away = (side.location - other.location) % 8
        if self.level >= 2 and other.location >= 0 and min(away, 8 - away) <= 1:
            yield from self._give(side, other)
        self._take(side, int(desks[-1]))

    def _throw(self, side: Side) -> Generator[Question, str, None]:
        cards = side.skills()
        thrown = cards[:2] if len(cards) <= 2 or len(set(cards)) == 1 else []
        self._owe(side, 2 - len(cards))
        for card in thrown:
            side.hand.remove(card)
            self.board[card] += 1
        for _ in range(0 if len(cards) <= 2 or thrown else 2):
            card = int((yield "THROW_CARD", _choices("THROW", side.skills())).split()[1])
            side.hand.remove(card)
            self.board[card] += 1

    def _give(self, side: Side, other: Side) -> Generator[Question, str, None]:
        cards = side.skills()
        if not cards:
            self._owe(side, 2)
            return
        card = cards[0]
        if len(set(cards)) > 1:
            card = int((yield "GIVE_CARD", _choices("GIVE", cards)).split()[1])
        side.hand.remove(card)
        other.hand.append(card)

    def _use(self, side: Side) -> Generator[Question, str, None]:
        plays = 1
        while plays:
            offered = [way for c in dict.fromkeys(side.hand) if str(c) in OFFERED[self.level] for way in self.ways(c)]
            if not offered or (action := (yield "PLAY_CARD", [*offered, "RANDOM", "WAIT"])) == "WAIT":
                return
            name, *types = action.split()
            card = NAMES.index(name)
            side.hand.remove(card)
            (side.permanent if card in (2, 4) else side.played).append(card)
            plays += {"TRAINING": 1, "CODING": 2}.get(name, 0) - 1
            self._draw(side, {"TRAINING": 2, "CODING": 1}.get(name, 0))
            if types:
                side.hand.remove(int(types[0]))
            if name == "TASK_PRIORITIZATION":
                self.board[int(types[0])] += 1
                self._take(side, int(types[1]))
            elif name == "CONTINUOUS_INTEGRATION":
                side.automated.append(int(types[0]))
            elif name == "CODE_REVIEW":
                for _ in range(min(2, self.board[BONUS])):
                    self.board[BONUS] -= 1
                    side.discard.append(BONUS)
            elif name == "REFACTORING" and DEBT in side.hand:
                side.hand.remove(DEBT)
                self.board[DEBT] += 1

    def _release(self, side: Side) -> Generator[Question, str, None]:
        cards = side.hand + side.automated
        shoddy = sum({BONUS: 1, DEBT: 0}.get(card, 2) for card in cards) if side.score < 4 else 0
        costs = {
            id_: sum(max(0, n - 2 * cards.count(skill)) for skill, n in enumerate(need)) - cards.count(BONUS)
            for id_, need in self.applications.items()
        }
        possible = [f"RELEASE {id_}" for id_ in sorted(costs) if costs[id_] <= shoddy]
        if possible and (action := (yield "RELEASE", [*possible, "RANDOM", "WAIT"])) != "WAIT":
            id_ = int(action.split()[1])
            del self.applications[id_]
            side.score += 1
            side.discard += side.permanent
            side.permanent = []
            self._owe(side, costs[id_])

    def _take(self, side: Side, wanted: int) -> None:
        for card in (wanted, BONUS):
            if self.board[card]:
                self.board[card] -= 1
                side.hand.append(card)
                return

    def _owe(self, side: Side, count: int) -> None:
        for _ in range(min(count, self.board[DEBT])):
            self.board[DEBT] -= 1
            side.discard.append(DEBT)

    def _draw(self, side: Side, count: int) -> None:
        for _ in range(count):
            if not side.draw and side.discard:
                side.draw = list(self._reshuffled(self.sides.index(side), side.shuffles))
                assert Counter(side.draw) == Counter(side.discard), "the discard pile is shuffled, and nothing else"
                side.discard, side.shuffles = [], side.shuffles + 1
            if side.draw:
                side.hand.append(side.draw.pop(0))


def _choices(verb: str, cards: list[int]) -> list[str]:
    return [*(f"{verb} {card}" for card in dict.fromkeys(cards)), "RANDOM"]


def _numbers(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))
