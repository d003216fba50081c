#!/usr/bin/env python3
# Plays any legal action, each equally likely: every way to take chips (including fewer than three), every
# reservation, face up or from a deck, every purchase, and every way to return chips above ten.
# The choice depends only on a checksum of the state, so the same state always gets the same answer; a number as
# first argument changes the seed: random_moves.py 7

import sys
import zlib
from itertools import combinations, combinations_with_replacement

# Cards 1 to 90: the points, then the price in red, green, blue, white and black. Bonus colours follow that order too.
CARDS = """
000030 030000 000003 000300 003000 001200 000120 000012 020001 012000
100040 100004 140000 104000 100400 020020 020200 002002 000202 002020
001111 010111 011011 011101 011110 001121 010112 021011 012101 011210
001022 020102 022010 002201 010220 010013 001310 013100 000131 031001
200005 205000 200500 250000 200050 360000 306000 300600 300060 300006
200035 203500 200350 250003 235000 202410 200241 210024 241002 224100
120023 100322 132200 123002 102230 120303 132030 103203 130320 103032
407000 400700 400070 400007 470000 537000 503700 500370 500037 570003
436300 403630 400363 430036 463003 303533 330353 333035 353303 335330
""".split()
PRICE = {number: [int(digit) for digit in card[1:]] for number, card in enumerate(CARDS, 1)}
GOLD = 5


class State:
    """Read one state number by number, without waiting for the end of the input."""

    def __init__(self, number):
        def several(count):
            return [number() for _ in range(count)]

        def listed():
            return several(number())

        self.players, self.me = several(2)
        self.round = number()
        self.bank = several(6)
        rows = [several(5) for _ in range(3)]
        self.decks = [row[0] for row in rows]
        self.board = [card for row in rows for card in row[1:] if card]
        listed()  # the nobles, which need no action
        hands = [(several(6), listed(), listed(), listed()) for _ in range(self.players)]
        self.chips, self.cards, self.reserve, _ = hands[self.me - 1]


def takes(bank):
    """Yield the chips to take, as (start of the action, colours gained)."""
    piles = [colour for colour in range(5) if bank[colour]]
    for count in range(4):
        for colours in combinations(piles, count):
            yield [1, count, *colours], colours
    for colour in piles:
        if bank[colour] >= 4:
            yield [2, colour], (colour, colour)


def reservations(state):
    """Yield the cards to reserve, as (start of the action, colours gained)."""
    if len(state.reserve) < 3:
        gained = (GOLD,) if state.bank[GOLD] else ()
        blind = [-level for level, left in enumerate(state.decks, 1) if left]
        for card in state.board + blind:
            yield [3, card], gained


def with_returns(start, gained, chips):
    """Yield the action with every choice of chips to give back."""
    held = list(chips)
    for colour in gained:
        held[colour] += 1
    for returned in combinations_with_replacement(range(6), max(0, sum(held) - 10)):
        if all(returned.count(colour) <= held[colour] for colour in returned):
            yield [*start, *returned]


def purchases(state):
    bonus = [sum((card - 1) % 5 == colour for card in state.cards) for colour in range(5)]
    for card in state.board + state.reserve:
        short = (max(0, PRICE[card][c] - bonus[c] - state.chips[c]) for c in range(5))
        if sum(short) <= state.chips[GOLD]:
            yield [4, card]


def legal_actions(state):
    actions = list(purchases(state))
    for start, gained in [*takes(state.bank), *reservations(state)]:
        actions += with_returns(start, gained, state.chips)
    return actions


def main():
    salt = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    tokens = (token for line in sys.stdin for token in line.split())
    seen = []

    def number():
        seen.append(next(tokens))
        return int(seen[-1])

    while True:
        seen.clear()
        try:
            state = State(number)
        except StopIteration:
            return
        actions = legal_actions(state)
        chosen = zlib.crc32(" ".join(seen).encode(), salt) % len(actions)
        print(f"kibitz action {chosen + 1} of {len(actions)}, drawn blindly", file=sys.stderr, flush=True)
        print(*actions[chosen], flush=True)


main()
