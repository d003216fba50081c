#!/usr/bin/env python3
# Avoids technical debt: it stays away from the other team, gives and throws the cards it needs least, and removes
# debt whenever it can. It collects cards for the application that lacks the fewest skills, and releases
# when that costs no more than two debt cards. A plain starting point: read the state, score the choices, take the best.

import sys

NAMES = [
    "TRAINING",
    "CODING",
    "DAILY_ROUTINE",
    "TASK_PRIORITIZATION",
    "ARCHITECTURE_STUDY",
    "CONTINUOUS_INTEGRATION",
    "CODE_REVIEW",
    "REFACTORING",
    "BONUS",
    "TECHNICAL_DEBT",
]
DESKS = 8
COPIES = 5  # of each skill card in the whole game
BONUS, DEBT = 8, 9
REFACTORING, INTEGRATION, PRIORITIZATION = 7, 5, 3
MOST_DEBT = 2  # accepted for a release
# What playing a card is worth, apart from what it does to this turn's release.
PLAY_WORTH = {"TRAINING": 5, "CODING": 4, "CONTINUOUS_INTEGRATION": 3, "CODE_REVIEW": 2, "ARCHITECTURE_STUDY": 1}


class State:
    """One prompt."""

    def __init__(self, phase, next_line):
        self.phase = phase
        self.applications = {}
        for _ in range(int(next_line())):
            number, *needs = map(int, next_line().split()[1:])
            self.applications[number] = needs
        self.location, self.score = map(int, next_line().split()[:2])
        self.rival = int(next_line().split()[0])
        self.piles = {}
        for _ in range(int(next_line())):
            name, *counts = next_line().split()
            self.piles[name] = list(map(int, counts))
        self.moves = [next_line() for _ in range(int(next_line()))]
        self.hand = self.pile("HAND")
        self.automated = self.pile("AUTOMATED")
        mine = map(self.pile, ("HAND", "DRAW", "DISCARD", "PLAYED_CARDS", "AUTOMATED"))
        self.owned = [sum(counts) for counts in zip(*mine)]

    def pile(self, name):
        return self.piles.get(name, [0] * 10)

    def on_desk(self, desk):
        """Return the card that a visit to this desk brings."""
        gone = sum(counts[desk] for counts in self.piles.values())
        return desk if gone < COPIES else BONUS

    def can_release(self, hand):
        """Return the least debt of an acceptable release with this hand; None if there is none."""
        cards = [held + for_good for held, for_good in zip(hand, self.automated)]
        shoddy = 2 * sum(cards[:DESKS]) + cards[BONUS]
        most = 0 if self.score == 4 else min(MOST_DEBT, shoddy)
        costs = [missing(needs, cards) for needs in self.applications.values()]
        return min((cost for cost in costs if cost <= most), default=None)

    def release_worth(self, hand):
        debt = self.can_release(hand)
        return 0 if debt is None else 20 - 5 * debt

    def usefulness(self, card):
        """Return how much one more such card helps the application nearest to completion."""
        if card == BONUS:
            return 1.5
        best = 0
        for needs in self.applications.values():
            before = missing(needs, self.owned)
            after = missing(needs, changed(self.owned, card, 1))
            if needs[card] > 2 * self.automated[card]:
                best = max(best, (1 + before - after) / (1 + before))
        return 3 * best - 0.5 * self.owned[card]


def missing(needs, cards):
    """Return the skills still missing with these cards, after BONUS cards are applied."""
    lacking = sum(max(0, need - 2 * held) for need, held in zip(needs, cards))
    return max(0, lacking - cards[BONUS])


def changed(cards, card, by):
    cards = list(cards)
    cards[card] += by
    return cards


def spare_card(state, hand):
    """Return the card to give up: one that this turn's release does not need, and of those the least useful."""
    types = [card for card in range(DEBT) if hand[card]]
    return max(types, key=lambda card: state.release_worth(changed(hand, card, -1)) - state.usefulness(card))


def choose_move(state):
    best, best_worth, why = None, None, ""
    for move in state.moves:
        if move == "RANDOM":
            continue
        target, *other = map(int, move.split()[1:])
        card = state.on_desk(other[0] if other else target)
        apart = (target - state.rival) % DESKS
        disturbs = state.rival >= 0 and apart in (0, 1, DESKS - 1)
        passes = target < state.location
        hand = state.hand
        if disturbs and any(hand[:DEBT]):
            hand = changed(hand, spare_card(state, hand), -1)
        worth = state.release_worth(changed(hand, card, 1)) + state.usefulness(card) - 2 * disturbs - passes
        if best is None or worth > best_worth:
            best, best_worth = move, worth
            why = f"takes {NAMES[card]}" + (", even though it disturbs the other team" if disturbs else "")
    return best, why


def choose_loss(state):
    verb = "GIVE" if state.phase == "GIVE_CARD" else "THROW"
    card = spare_card(state, state.hand)
    return f"{verb} {card}", f"can do without {NAMES[card]}"


def play_worth(state, name, types):
    if name == NAMES[REFACTORING]:
        return 6 if state.hand[DEBT] else -1
    if name == NAMES[INTEGRATION] and types[0] != BONUS:
        return state.usefulness(types[0])
    return PLAY_WORTH.get(name, -1)


def choose_play(state):
    best, best_worth = "WAIT", 0
    for move in state.moves:
        name, *types = move.split()
        if name not in NAMES or name == NAMES[PRIORITIZATION]:
            continue
        hand = changed(state.hand, NAMES.index(name), -1)
        worth = play_worth(state, name, list(map(int, types)))
        worth += state.release_worth(hand) - state.release_worth(state.hand)
        if worth > best_worth:
            best, best_worth = move, worth
    return best, "keeps the cards for now" if best == "WAIT" else f"play worth {best_worth:.1f}"


def choose_release(state):
    cards = [held + for_good for held, for_good in zip(state.hand, state.automated)]
    costs = {}
    for move in state.moves:
        if move.startswith("RELEASE"):
            costs[move] = missing(state.applications[int(move.split()[1])], cards)
    best = min(costs, key=costs.get)
    if costs[best] > MOST_DEBT:
        return "WAIT", f"{costs[best]} debt cards are too many"
    return best, f"{costs[best]} debt cards will do"


CHOICES = {
    "MOVE": choose_move,
    "THROW_CARD": choose_loss,
    "GIVE_CARD": choose_loss,
    "PLAY_CARD": choose_play,
    "RELEASE": choose_release,
}

while line := sys.stdin.readline():
    state = State(line.strip(), lambda: sys.stdin.readline().rstrip("\n"))
    move, why = CHOICES[state.phase](state)
    print(f"kibitz {why}", file=sys.stderr, flush=True)
    print(move, flush=True)
