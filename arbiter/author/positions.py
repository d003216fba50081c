"""Positions to try an agent in: taken from random games, selected so that rare features are well represented."""

from __future__ import annotations

import copy
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arbiter.errors import UserError
from arbiter.game import Chance, Corpus, Game, Protocol, Variant
from arbiter.registry import choose_options

_SEED = 1
_GAMES = 4
"""Random games per variant."""
_EACH = 2
"""Positions with the same feature."""
_MOST_TURNS = 5000


@dataclass(frozen=True, slots=True)
class CorpusPosition:
    """A position in which a seat is to move."""

    game: Game
    seat: int
    turn: int
    variant: Variant
    features: tuple[str, ...]
    """What it was selected for."""
    number: int = 0
    """From 1, independent of how many positions are requested; 0 is the first turn of an ordinary game."""

    @property
    def text(self) -> str:
        """The input of an agent that is started here."""
        return self.game.briefing(self.seat) + self.game.prompt(self.seat)


def positions(protocol: Protocol, most: int) -> list[CorpusPosition]:
    """Return at most ``most`` positions, the same ones every time; none if the protocol has no corpus.

    A position is kept if it shows something that fewer than two positions before it have shown.
    """
    corpus = protocol.corpus()
    if corpus is None:
        return []
    seen: Counter[str] = Counter()
    found: list[CorpusPosition] = []
    for index in range(_GAMES):
        for variant in corpus.variants:
            for turn, game, seat in _playout(protocol, corpus, variant, _SEED + index):
                new = tuple(each for each in dict.fromkeys(corpus.features(game, seat)) if seen[each] < _EACH)
                if new:
                    seen.update(new)
                    found.append(CorpusPosition(copy.deepcopy(game), seat, turn, variant, new, len(found) + 1))
    # If there is room for some only, those of every kind of feature come first.
    return sorted(found, key=lambda position: -len(position.features))[:most]


def position(protocol: Protocol, number: int) -> CorpusPosition:
    """Return the position with this number. Raises UserError."""
    if number == 0:
        return first_position(protocol)
    every = sorted(positions(protocol, sys.maxsize), key=lambda each: each.number)
    if not 1 <= number <= len(every):
        raise UserError(f"--only {number}: {protocol.name} has positions 0 to {len(every)}")
    return every[number - 1]


def variants(protocol: Protocol) -> Sequence[Variant]:
    """Return the ways to start games that agents must cope with, the usual one first."""
    corpus = protocol.corpus()
    if corpus is not None:
        return corpus.variants
    fewest, most = protocol.seats
    usual = max(fewest, min(2, most))
    return [Variant(usual), *(Variant(seats) for seats in range(fewest, most + 1) if seats != usual)]


def opening_game(protocol: Protocol, variant: Variant, seed: int, chance: Chance) -> Game:
    """Return a game of this variant at its start."""
    options = choose_options(protocol, [("the corpus", dict(variant.options))])
    setup = protocol.setup(variant.seats, options, Chance(seed, "setup"))
    game = protocol.start(variant.seats, options, setup, chance)
    game.see_names([f"agent {seat}" for seat in range(variant.seats)])
    return game


def first_position(protocol: Protocol) -> CorpusPosition:
    """Return the position at the start of a usual game."""
    variant = variants(protocol)[0]
    game = opening_game(protocol, variant, _SEED, Chance(_SEED))
    return CorpusPosition(game, game.to_move()[0], 1, variant, ("the first turn",))


def _playout(protocol: Protocol, corpus: Corpus, variant: Variant, seed: int) -> Iterator[tuple[int, Game, int]]:
    """Play a random game and yield its turns, with each seat that is to move."""
    chance = Chance(seed)
    game = opening_game(protocol, variant, seed, chance)
    rng = random.Random(seed)
    for turn in range(1, _MOST_TURNS):
        if game.result() is not None:
            return
        seats = game.to_move()
        for seat in seats:
            yield turn, game, seat
        game.play({seat: corpus.move(game, seat, rng) for seat in seats})
        chance.take()
