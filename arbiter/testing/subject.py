"""The protocol under test, and random answers for it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from arbiter.game import Chance, Game, Protocol, Variant
from arbiter.testing.playthrough import Answers, Playthrough, defaults, playthrough, ruling

ODD_TEXTS = (
    "", " ", "\n", "0", "-1", "1", "1 1", "1 2 3 4 5 6 7 8 9", "99999999999999999999", "1e3", "0.5", "1_0", "+0", "03", "nan",
    "pass", "PASS", "resign", "null", "true", "{}", "[]", "[[[[", '"', "'", "\\", "%s%n", "{0}", "٣", "１", "²", "−1", "\x00",
    "\x1b[2J", "\u2028", "\ufeff1", "\ufffd", "\U0001f600", "a" * 5000, "9" * 5000, "1 " * 3000, "[" * 3000,
)  # fmt: skip
"""Answers that no agent should give, but some will."""
_LETTERS = " \n\t\x00\x1b٣−+-_.,;:'\"\\{}%0123456789abcXYZ\U0001f600\ufffd"


@dataclass(frozen=True, slots=True)
class CheckedProtocol:
    """A protocol, and how to play it at random."""

    protocol: Protocol
    answers: Answers | None = None
    """Returns a random answer, mostly legal; None for moves of the protocol's corpus, or else of its list of legal answers."""
    games: int = 1
    """The number of games per variant and check."""
    max_turns: int = 20_000
    """The number of turns after which a game is assumed never to end."""
    _known: dict[tuple[str, int], Playthrough] = field(default_factory=dict, compare=False, repr=False)

    def variants(self) -> Sequence[Variant]:
        """Return the ways to start games: those of the corpus, else every number of seats."""
        corpus = self.protocol.corpus()
        fewest, most = self.protocol.seats
        return corpus.variants if corpus else [Variant(seats) for seats in range(fewest, most + 1)]

    def answer(self, game: Game, seat: int, rng: random.Random) -> str:
        """Return a random answer, mostly a legal one."""
        if self.answers is not None:
            return self.answers(game, seat, rng)
        if corpus := self.protocol.corpus():
            return corpus.move(game, seat, rng)
        legal = game.display().legal(seat)
        assert legal is not None, (
            "the tests need random moves: have Display.legal() list the legal answers, or Protocol.corpus() return random "
            "play, or pass conformance(protocol, answers=...) a function"
        )
        assert legal, f"seat {seat} is to move and has no legal answer"
        return rng.choice(legal)

    def wrong_answer(self, game: Game, seat: int, rng: random.Random) -> str:
        """Return any answer: legal in six cases out of seven, otherwise odd text or a legal answer with mistakes."""
        return self.answer(game, seat, rng) if rng.random() < 6 / 7 else self.odd_answer(game, seat, rng)

    def odd_answer(self, game: Game, seat: int, rng: random.Random) -> str:
        """Return text that is probably not a legal answer."""
        return rng.choice(ODD_TEXTS) if rng.random() < 0.5 else mutated(self.answer(game, seat, rng), rng)

    def played(self, variant: Variant, seed: int, answers: Answers | None = None) -> Playthrough:
        """Play a game to its end."""
        played = playthrough(
            self.protocol,
            answers or self.answer,
            seats=variant.seats,
            seed=seed,
            options=variant.options,
            max_turns=self.max_turns,
        )
        assert played.result is not None, f"a game with {variant} is not over after {self.max_turns} turns"
        return played

    def known(self, variant: Variant, seed: int = 1) -> Playthrough:
        """Return a game that was played to its end with random answers; cached, since several checks need it."""
        key = repr(variant), seed
        if key not in self._known:
            self._known[key] = self.played(variant, seed)
        return self._known[key]

    def opened(self, variant: Variant, seed: int) -> Game:
        """Open a game at its first turn."""
        options = defaults(self.protocol, variant.options)
        setup = self.protocol.setup(variant.seats, options, Chance(seed, "setup"))
        return self.protocol.start(variant.seats, options, setup, Chance(seed))

    def move(self, game: Game, seat: int, rng: random.Random) -> str:
        """Return a random move in canonical text, as ``play`` expects it."""
        return ruling(game, seat, self.answer(game, seat, rng))[0]

    def step(self, game: Game, rng: random.Random) -> None:
        """Play one turn of random moves."""
        game.play({seat: self.move(game, seat, rng) for seat in game.to_move()})


def mutated(text: str, rng: random.Random) -> str:
    """Return a text with a few characters or words deleted, repeated, swapped or replaced."""
    parts = text.split(" ") if rng.random() < 0.5 else list(text)
    joint = " " if len(parts) != len(text) else ""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(parts) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            parts.insert(at, rng.choice(_LETTERS) if rng.random() < 0.5 else str(rng.randrange(-3, 100)))
        elif kind == 1:
            del parts[at : at + 1]
        elif kind == 2 and parts:
            parts.insert(at, rng.choice(parts))
        else:
            parts[at : at + 1] = [str(rng.randrange(-3, 100))]
    return joint.join(parts)
