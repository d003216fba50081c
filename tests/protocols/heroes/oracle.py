"""An independent implementation of the rules, as plain as possible and based only on what agents read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Spot = tuple[int, int]

NUMBERS = {"contest": (1, 25, 25, 25, 10), "vindinium": (2, 50, 20, 20, 0)}
"""Gold for a drink, life from a drink, then the cost of a mine, a hit and spikes."""
STEPS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}


class Oracle:
    """Predicts the next state of the game from the last one and a direction."""

    def __init__(self, rows: Sequence[str], preset: str = "contest") -> None:
        self.size = len(rows)
        self.ground = {(x, y): row[2 * y : 2 * y + 2] for x, row in enumerate(rows) for y in range(self.size)}
        self.price, self.draught, self.mine, self.blow, self.spike = NUMBERS[preset]

    def after(self, game: dict[str, Any], direction: str) -> dict[str, Any]:
        """Return the object ``game`` after the next ply."""
        self.heroes = {each["id"]: {**each, "at": (each["pos"]["x"], each["pos"]["y"])} for each in game["heroes"]}
        tiles = game["board"]["tiles"]
        self.owner = {
            (at // 2 // self.size, at // 2 % self.size): tiles[at + 1]
            for at in range(0, len(tiles), 2)
            if tiles[at] == "$"
        }
        self.newborn: set[int] = set()
        me = game["turn"] % 4 + 1
        self.heroes[me]["lastDir"] = direction
        self._go(me, direction.lower())
        self._fight(me)
        self.heroes[me]["life"] = self.heroes[me]["life"] - 1 or 1
        self.heroes[me]["gold"] += self._mines(me)
        return self._told(game)

    def _who(self, spot: Spot) -> int:
        return next((number for number, each in self.heroes.items() if each["at"] == spot), 0)

    def _mines(self, number: int) -> int:
        return list(self.owner.values()).count(str(number))

    def _go(self, me: int, direction: str) -> None:
        if direction == "stay":
            return
        hero = self.heroes[me]
        spot = (hero["at"][0] + STEPS[direction][0], hero["at"][1] + STEPS[direction][1])
        tile = self.ground.get(spot, "##")
        if self._who(spot) or tile == "##":
            return
        if tile == "[]":
            if hero["gold"] >= self.price:
                hero["gold"] -= self.price
                hero["life"] = min(100, hero["life"] + self.draught)
        elif tile[0] == "$":
            if self.owner[spot] != str(me):
                hero["life"] -= self.mine
                if hero["life"] <= 0:
                    self._die(me, "-")
                else:
                    self.owner[spot] = str(me)
        else:
            if tile == "^^":
                hero["life"] -= self.spike
            if hero["life"] <= 0:
                self._die(me, "-")
            else:
                hero["at"] = spot

    def _fight(self, me: int) -> None:
        x, y = self.heroes[me]["at"]
        for dx, dy in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            other = self._who((x + dx, y + dy))
            if other and not self.newborn & {me, other}:
                self.heroes[other]["life"] -= self.blow
                if self.heroes[other]["life"] <= 0:
                    self._die(other, str(me))

    def _die(self, number: int, heir: str) -> None:
        self.owner = {spot: heir if owner == str(number) else owner for spot, owner in self.owner.items()}
        hero = self.heroes[number]
        home = (hero["spawnPos"]["x"], hero["spawnPos"]["y"])
        hero["at"] = (-9, -9)
        occupant = self._who(home)
        hero["at"], hero["life"] = home, 100
        self.newborn.add(number)
        if occupant:
            self._die(occupant, str(number))

    def _told(self, game: dict[str, Any]) -> dict[str, Any]:
        shown = {spot: "  " if tile[0] == "@" else tile for spot, tile in self.ground.items()}
        shown |= {spot: f"${owner}" for spot, owner in self.owner.items()}
        shown |= {each["at"]: f"@{number}" for number, each in self.heroes.items()}
        heroes = [
            {
                **{key: value for key, value in each.items() if key != "at"},
                "pos": {"x": each["at"][0], "y": each["at"][1]},
                "mineCount": self._mines(number),
            }
            for number, each in self.heroes.items()
        ]
        tiles = "".join(shown[x, y] for x in range(self.size) for y in range(self.size))
        turn = game["turn"] + 1
        return {
            **game,
            "turn": turn,
            "heroes": heroes,
            "board": {"size": self.size, "tiles": tiles},
            "finished": turn == game["maxTurns"],
        }
