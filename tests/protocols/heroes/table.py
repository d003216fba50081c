"""Positions for tests: drawn maps, with heroes placed by a second drawing."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from textwrap import dedent
from typing import TypeVar

from arbiter.game import Chance, Game, OptionValue
from protocols.heroes import protocol
from protocols.heroes.game import HeroesGame
from protocols.heroes.maps import parse
from protocols.heroes.state import Hero, give_mine, lift, put
from protocols.heroes.wire import tiles_of

T = TypeVar("T")

WORDS = ("North", "East", "South", "West", "Stay")


def new_game(seed: int = 1, **options: OptionValue) -> HeroesGame:
    """Open a game with the setup of this seed."""
    game = protocol.start(4, options, protocol.setup(4, options, Chance(seed, "setup")), Chance(seed))
    assert isinstance(game, HeroesGame)
    return game


def arena(
    drawing: str,
    now: str = "",
    *,
    mover: int = 0,
    life: Mapping[int, int] | None = None,
    gold: Mapping[int, int] | None = None,
    absent: Sequence[int] = (),
    **options: OptionValue,
) -> HeroesGame:
    """Open a game on a drawn map. Heroes start where ``drawing`` has them, and stand where ``now`` has them, which also
    says whose the mines are; it is the ply of hero ``mover`` if one is named; lives and gold are by hero."""
    rows = list(parse(tidy(drawing)).rows)
    game = protocol.start(4, options, {"map": rows, "absent": list(absent)}, Chance(0))
    assert isinstance(game, HeroesGame)
    position = game.position
    if now:
        arrange(game, now)
    if mover:
        position.ply = mover - 1
    for number, amount in (life or {}).items():
        position.heroes[number - 1].life = amount
    for number, amount in (gold or {}).items():
        position.heroes[number - 1].gold = amount
    return game


def arrange(game: HeroesGame, now: str) -> None:
    """Place heroes and owners of mines as drawn."""
    position, wanted = game.position, parse(tidy(now))
    for hero in position.heroes:
        lift(position, hero)
    for hero, cell in zip(position.heroes, wanted.starts, strict=True):
        put(position, hero, cell)
    for mine, owner in wanted.mines.items():
        give_mine(position, mine, position.heroes[owner - 1] if owner else None)
    assert drawn(game) == tidy(now), "the second drawing is of another map"


def drawn(game: HeroesGame) -> str:
    """Return the map as agents see it, in a frame."""
    tiles, width = tiles_of(game.position), 2 * game.position.board.size
    rule = f"+{'-' * width}+"
    return "\n".join([rule, *(f"|{tiles[at : at + width]}|" for at in range(0, len(tiles), width)), rule])


def tidy(drawing: str) -> str:
    """Return a drawing without its indentation and blank lines."""
    return dedent(drawing).strip("\n")


def hero(game: HeroesGame, number: int) -> Hero:
    """Return hero 1, 2, 3 or 4."""
    return game.position.heroes[number - 1]


def ply(game: HeroesGame, word: str) -> list[str]:
    """Play a direction (or a disconnection) of the hero to move; return the events."""
    game.play({game.to_move()[0]: word})
    return list(game.display().events())


def pick(items: Sequence[T], rng: random.Random) -> T:
    """Choose one of the items with random(), the only method that is stable across Python versions."""
    return items[int(rng.random() * len(items))]


def random_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return any direction."""
    return pick(WORDS, rng)


def lively_answer(game: Game, seat: int, rng: random.Random) -> str:
    """Return any direction, with a preference for adjacent mines, taverns and spikes."""
    assert isinstance(game, HeroesGame)
    position = game.position
    if rng.random() < 0.6:
        tiles = tiles_of(position)
        for word, cell in zip(WORDS, position.board.around[position.heroes[seat].cell], strict=False):
            tile = tiles[2 * cell : 2 * cell + 2]
            if tile in ("$-", "[]", "^^") or (tile[:1] == "$" and tile[1] != str(seat + 1)):
                return word
    return pick(WORDS, rng)


class Watch:
    """Assert the invariants of every position."""

    def __init__(self) -> None:
        self._mines = -1
        self._gold = [0, 0, 0, 0]

    def __call__(self, game: Game) -> None:
        assert isinstance(game, HeroesGame)
        position = game.position
        tiles = tiles_of(position)
        cells = [tiles[at : at + 2] for at in range(0, len(tiles), 2)]
        self._check_mines(game, cells)
        self._check_gold(game)
        for each in position.heroes:
            assert 1 <= each.life <= 100
            assert cells[each.cell] == f"@{each.number}"
            assert position.standing[each.cell] is each
        assert sum(each is not None for each in position.standing) == 4
        assert [cell if cell[0] != "@" else "  " for cell in cells] == self._ground(game)

    def _check_mines(self, game: HeroesGame, cells: Sequence[str]) -> None:
        mines = [cell for cell in cells if cell[0] == "$"]
        assert self._mines in (-1, len(mines)), "a mine came or went"
        self._mines = len(mines)
        for each in game.position.heroes:
            assert each.mines == mines.count(f"${each.number}")

    def _check_gold(self, game: HeroesGame) -> None:
        """Assert that gold falls only in a tavern, by the price of a drink less the income from mines."""
        drinkers = [int(event.split()[1]) for event in game.display().events() if " drinks" in event]
        for each in game.position.heroes:
            fallen = self._gold[each.number - 1] - each.gold
            assert fallen <= (game.position.constants.drink_gold if each.number in drinkers else 0)
            self._gold[each.number - 1] = each.gold

    @staticmethod
    def _ground(game: HeroesGame) -> list[str]:
        position = game.position
        ground = [row[at : at + 2] for row in position.board.rows for at in range(0, len(row), 2)]
        taken = {each.cell for each in position.heroes}
        for cell, tile in enumerate(ground):
            if cell in taken or tile[0] == "@":
                ground[cell] = "  "
            elif tile[0] == "$":
                ground[cell] = "$" + "-1234"[position.owners[cell]]
        return ground
