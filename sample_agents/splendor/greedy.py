#!/usr/bin/env python3
# Greedy: it buys whatever it can afford now, the card with most points first, then the one that helps most
# towards the nobles and the cards on the table. With nothing to buy it picks a target, the card with the best ratio of
# value to missing chips, and collects for it. It reserves a target when a rival could take it, when a gold chip is the
# last one missing, or when no chip is worth taking; with no target worth a reservation it reserves from a deck.
# The same player exists in C++: both give the same answer to every state.

import sys

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
POINTS = [0] + [int(card[0]) for card in CARDS]
PRICE = [[0] * 5] + [[int(digit) for digit in card[1:]] for card in CARDS]
NOBLES = "44000 04400 00440 00044 40004 33300 03330 00333 30033 33003".split()
NAMES = "red green blue white black gold".split()
COLOURS = range(5)
GOLD = 5


class Hand:
    def __init__(self, chips, cards, reserve, nobles):
        self.chips, self.cards, self.reserve = chips, cards, reserve
        self.bonus = [sum((card - 1) % 5 == colour for card in cards) for colour in COLOURS]
        self.points = sum(POINTS[card] for card in cards) + 3 * len(nobles)

    def needs(self, card):
        """Return the chips to pay per colour, after bonuses."""
        return [max(0, PRICE[card][c] - self.bonus[c]) for c in COLOURS]

    def lacks(self, card):
        """Return the chips still missing per colour, without gold."""
        return [max(0, need - held) for need, held in zip(self.needs(card), self.chips)]

    def missing(self, card):
        """Return the number of chips still missing, with gold."""
        return max(0, sum(self.lacks(card)) - self.chips[GOLD])


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
        self.nobles = [[int(digit) for digit in NOBLES[noble - 1]] for noble in listed()]
        hands = [Hand(several(6), listed(), listed(), listed()) for _ in range(self.players)]
        self.mine = hands.pop(self.me - 1)
        self.rivals = hands


def gain(state, card):
    """Return the points that the card brings, including the noble it would attract."""
    bonus = list(state.mine.bonus)
    bonus[(card - 1) % 5] += 1
    noble = any(all(have >= want for have, want in zip(bonus, noble)) for noble in state.nobles)
    return POINTS[card] + 3 * noble


def usefulness(state, card):
    """Return how much the card's bonus helps: towards nobles, the nearer the more, and expensive cards."""
    mine, colour = state.mine, (card - 1) % 5
    useful = sum(PRICE[other][colour] > mine.bonus[colour] for other in state.board + mine.reserve)
    for noble in state.nobles:
        if noble[colour] > mine.bonus[colour]:
            useful += max(1, 10 - sum(max(0, noble[c] - mine.bonus[c]) for c in COLOURS))
    return useful


def best_purchase(state):
    mine = state.mine
    affordable = [card for card in state.board + mine.reserve if mine.missing(card) == 0]
    order = lambda card: (gain(state, card), usefulness(state, card), -sum(mine.needs(card)), -card)
    return max(affordable, key=order, default=None)


def ranked_targets(state):
    """Return the cards to collect for, best first; those that ten chips or this bank cannot pay for come last."""
    mine = state.mine

    def order(card):
        unobtainable = sum(max(0, lack - pile) for lack, pile in zip(mine.lacks(card), state.bank))
        in_reach = sum(mine.needs(card)) <= 10 and unobtainable <= mine.chips[GOLD]
        worth = 12 * gain(state, card) + usefulness(state, card) + 8
        return in_reach, 100 * worth // (mine.missing(card) + 2), -card

    return sorted(state.board + mine.reserve, key=order, reverse=True)


def chips_for(state, targets):
    """Return (number of useful chips, colours to take): first for the best target, then for others if there is room."""
    mine, bank = state.mine, state.bank
    lacks = mine.lacks(targets[0]) if targets else [0] * 5
    wanted = sorted((c for c in COLOURS if lacks[c] and bank[c]), key=lambda c: -lacks[c])[:3]
    if len(wanted) == 1 and lacks[wanted[0]] >= 2 and bank[wanted[0]] >= 4:
        return 2, wanted * 2
    useful = len(wanted)
    fillers = [c for card in targets[1:] for c in COLOURS if mine.lacks(card)[c]]
    for colour in fillers + sorted(COLOURS, key=lambda c: -bank[c]):
        if len(wanted) < 3 and sum(mine.chips) + len(wanted) < 10 and bank[colour] and colour not in wanted:
            wanted.append(colour)
    return useful, wanted


def returns(mine, gained, target):
    """Return the chips to give back after gaining these colours: what the target needs least. Gold is kept."""
    chips = list(mine.chips)
    for colour in gained:
        chips[colour] += 1
    needs = mine.needs(target) if target else [0] * 5
    returned = []
    while sum(chips) > 10:
        colour = max((c for c in COLOURS if chips[c]), key=lambda c: chips[c] - needs[c])
        chips[colour] -= 1
        returned.append(colour)
    return returned


def worth_reserving(state, target, useful):
    """Return why the target should be reserved now, or nothing."""
    mine, golden = state.mine, state.bank[GOLD] > 0
    if len(mine.reserve) == 3 or target is None or target in mine.reserve:
        return ""
    if gain(state, target) >= 3 and golden and mine.missing(target) == 1:
        return "the gold chip completes it"
    if gain(state, target) >= 3 and mine.missing(target) <= 3:
        if any(rival.missing(target) == 0 for rival in state.rivals):
            return "a rival could buy it"
    if useful == 0 and golden and POINTS[target] >= 2:
        return "no chip to take for it"
    return ""


def choose(state):
    """Return the action and the reason for it."""
    mine = state.mine
    if card := best_purchase(state):
        return [4, card], f"buys card {card}: points +{gain(state, card)}, usefulness {usefulness(state, card)}"
    targets = ranked_targets(state)
    target = targets[0] if targets else None
    useful, colours = chips_for(state, targets)
    if sum(mine.chips) >= 9:
        useful = 0  # a gold chip serves a full hand better
    gold = [GOLD] if state.bank[GOLD] else []
    if reason := worth_reserving(state, target, useful):
        return [3, target, *returns(mine, gold, target)], f"reserves card {target}: {reason}"
    level = 1 if len(mine.cards) < 5 else 2 if len(mine.cards) < 10 else 3
    if useful == 0 and gold and len(mine.reserve) < 3 and state.decks[level - 1]:
        return [3, -level, *returns(mine, gold, target)], f"no chip worth taking: draws a level {level} card blind"
    start = [2, colours[0]] if len(colours) == 2 and colours[0] == colours[1] else [1, len(colours), *colours]
    taken = ", ".join(NAMES[colour] for colour in colours) or "nothing"
    return start + returns(mine, colours, target), f"takes {taken} toward card {target or 'none'}"


def main():
    tokens = (int(token) for line in sys.stdin for token in line.split())
    while True:
        try:
            state = State(lambda: next(tokens))
        except StopIteration:
            return
        action, reason = choose(state)
        print(f"kibitz score {state.mine.points}; {reason}", file=sys.stderr, flush=True)
        print(*action, flush=True)


main()
