"""An oracle for answers: slow, plain, and based only on the text an agent is sent.

It shares no code and no tables with the protocol; the cards come from the page for agent authors.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from tests.protocols.page import Page

DIGITS = "0123456789"


def published_cards() -> dict[int, tuple[int, int, int, tuple[int, ...]]]:
    """Return level, bonus, points and cost of every card, from the table on the page."""
    cards = {}
    for row in Page("splendor").block("ids ").splitlines()[1:]:
        ids, level, points, *costs = row.split()
        first = int(ids.split("-")[0])
        for bonus, cost in enumerate(costs):
            cards[first + bonus] = (int(level), bonus, int(points), tuple(map(int, cost)))
    return cards


@cache
def _costs() -> dict[int, tuple[int, ...]]:
    return {card: facts[3] for card, facts in published_cards().items()}


@cache
def _bonuses() -> dict[int, int]:
    return {card: facts[1] for card, facts in published_cards().items()}


class Oracle:
    """Judges answers to one prompt."""

    def __init__(self, prompt: str, return_gold: bool) -> None:
        lines = [[int(word) for word in line.split(" ")] for line in prompt.splitlines()]
        _, me = lines[0]
        self.bank = lines[2]
        self.face_down = {-level: lines[2 + level][0] for level in (1, 2, 3)}
        self.face_up = {card for line in lines[3:6] for card in line[1:] if card > 0}
        self.chips, (_, *self.cards), (_, *self.reserve), _ = lines[7 + 4 * (me - 1) : 11 + 4 * (me - 1)]
        self.return_gold = return_gold

    def verdict(self, answer: str) -> str | None:
        """Return the canonical text of a legal answer, None for any other."""
        words = self._words(answer)
        if words is None or not words:
            return None
        numbers = [int(word) for word in words]
        return " ".join(map(str, numbers)) if self._legal(numbers) else None

    @staticmethod
    def _words(answer: str) -> list[str] | None:
        for space in "\t\n\v\f\r":
            answer = answer.replace(space, " ")
        words = [word for word in answer.split(" ") if word]
        for word in words:
            digits = word[1:] if word[0] in "+-" else word
            if not digits or len(digits) > 100 or any(char not in DIGITS for char in digits):
                return None
            if digits[0] == "0" and digits != "0":
                return None
        return words

    def _legal(self, numbers: list[int]) -> bool:
        match numbers:
            case [1, 0 | 1 | 2 | 3 as count, *rest] if len(rest) >= count:
                taken = rest[:count]
                available = all(0 <= colour <= 4 and self.bank[colour] >= 1 for colour in taken)
                return available and len(set(taken)) == count and self._fits(taken, rest[count:])
            case [2, 0 | 1 | 2 | 3 | 4 as colour, *rest]:
                return self.bank[colour] >= 4 and self._fits([colour] * 2, rest)
            case [3, card, *rest]:
                there = card in self.face_up or self.face_down.get(card, 0) > 0
                return there and len(self.reserve) < 3 and self._fits([5] if self.bank[5] else [], rest)
            case [4, card]:
                return (card in self.face_up or card in self.reserve) and self._payable(card)
            case _:
                return False

    def _fits(self, gained: list[int], returned: list[int]) -> bool:
        held = Counter(gained)
        for colour, count in enumerate(self.chips):
            held[colour] += count
        if len(returned) != max(0, held.total() - 10):
            return False
        if 5 in returned and not self.return_gold:
            return False
        return all(held[colour] >= count for colour, count in Counter(returned).items())

    def _payable(self, card: int) -> bool:
        gold = self.chips[5]
        for colour, price in enumerate(_costs()[card]):
            bonus = sum(_bonuses()[owned] == colour for owned in self.cards)
            gold -= max(0, price - bonus - self.chips[colour])
        return gold >= 0
