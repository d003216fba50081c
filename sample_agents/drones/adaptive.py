#!/usr/bin/env python3
# Adaptive: expect the opponent to repeat what it did recently, and counter that.
#
# The end of a round shows when the opponent attacked and with how many soldiers. The agent picks one of the last rounds
# at random, expects it again, and plans for it in one of three ways:
#   hold       have enough soldiers, in that turn and in others in which attacks were seen, to repel them;
#   forestall  attack one turn earlier, with everything;
#   outgrow    if there was no attack: breed, and attack in that turn if that many soldiers can be beaten.
# It learns which way wins: each has a score that follows its results.

import json
import random
import sys

LATELY = 12  # rounds
RATE = 0.2  # how fast a score follows the results
CURIOSITY = 0.05  # how often it tries a way that does not seem best


class Player:
    def __init__(self, match):
        self.random = random.Random(match.get("seat"))
        # The opponent at the end of each round: turn, soldiers, whether it attacked. At first, expect a rush.
        self.seen = [(3, 4, True)]
        self.scores = {"hold": 0.6, "forestall": 0.6, "outgrow": 0.5}
        self.way = ""

    def start_round(self, message):
        self.turns, self.bonus = message["turns"], message["defenderBonus"]
        self.turn = 0
        lately = self.seen[-LATELY:]
        self.their_turn, self.their_soldiers, attacked = self.random.choice(lately)
        self.attacks = [(turn, soldiers) for turn, soldiers, attacked in lately if attacked]
        ways = ["hold", "forestall"] if attacked else ["hold", "forestall", "outgrow"]
        curious = self.random.random() < CURIOSITY
        way = self.random.choice(ways) if curious else max(ways, key=self.scores.get)
        if way != self.way:
            army = f"{self.their_soldiers} soldiers in turn {self.their_turn}"
            print(f"kibitz expects {army}, plans to {way}", file=sys.stderr, flush=True)
        self.way = way

    def play(self, producers, soldiers):
        """Return new producers, new soldiers, attack."""
        self.turn += 1
        if self.turn >= self.turns:
            return 0, producers, False
        if self.way == "hold":
            now = min(producers, self.guards_missing(producers, soldiers))
            return producers - now, now, False
        if self.way == "forestall" and self.turn >= max(2, self.their_turn - 1):
            return 0, producers, soldiers + producers > self.bonus
        if self.way == "outgrow" and self.turn == self.their_turn:
            if soldiers + producers > self.their_soldiers + self.bonus:
                return 0, producers, True
        return producers, 0, False

    def guards_missing(self, producers, soldiers):
        """Return the soldiers to make now. Those for a later attack can wait, unless breeding until then would not
        suffice to make them in one turn."""
        missing = 0
        for turn, attackers in self.attacks:
            if turn >= self.turn:
                later = producers * 2 ** (turn - self.turn) if turn > self.turn else 0
                missing = max(missing, attackers - self.bonus - soldiers - later)
        return missing

    def end_round(self, message):
        them = message["them"]
        self.seen.append((message["turnsPlayed"], them["soldiers"], them["launchedAttack"]))
        if self.way:
            result = {"WIN": 1, "DRAW": 0.5, "LOSE": 0}[message["outcome"]]
            self.scores[self.way] += RATE * (result - self.scores[self.way])


def main():
    player = None
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "matchStart":
            player = Player(message)
        elif kind == "roundStart":
            player.start_round(message)
        elif kind == "roundEnd":
            player.end_round(message)
        elif kind == "turn":
            names = ("newProducers", "newSoldiers", "launchAttack")
            answer = dict(zip(names, player.play(message["producers"], message["soldiers"])))
            print(json.dumps(answer), flush=True)


main()
