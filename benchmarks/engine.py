"""How fast a protocol's rules run on one core: prompt, read and play, nothing else. Each module ``engine_*`` has one engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns

from arbiter.game import Chance, Game, OptionValue, Protocol

AnyAnswer = Callable[[Game, int, str, random.Random], str]
"""A function that returns a plausible answer of a seat to a prompt."""


@dataclass(frozen=True, slots=True)
class Engine:
    """The benchmark of one protocol's rules."""

    protocol: Protocol
    seats: int
    answer: AnyAnswer
    turns: int
    """Turns per measurement in ``make bench``."""
    aim: int
    """The target: the fewest turns per second."""
    options: Callable[[int], dict[str, OptionValue]] = lambda _: {}
    """Options of the game with a given seed."""

    def run(self) -> float:
        """Return turns per second over games with random answers; generating the answers is not timed."""
        rng, spent_ns, seed = random.Random(1), 0, 0
        game = self._new_game(seed)
        for _ in range(self.turns):
            if game.result() is not None:
                seed += 1
                game = self._new_game(seed)
            started = perf_counter_ns()
            prompts = {seat: game.prompt(seat) for seat in game.to_move()}
            spent_ns += perf_counter_ns() - started
            answers = {seat: self.answer(game, seat, prompt, rng) for seat, prompt in prompts.items()}
            started = perf_counter_ns()
            game.play({seat: game.read(seat, answer).text for seat, answer in answers.items()})
            spent_ns += perf_counter_ns() - started
        return self.turns * 1e9 / spent_ns

    def _new_game(self, seed: int) -> Game:
        protocol, options = self.protocol, self.options(seed)
        setup = protocol.setup(self.seats, options, Chance(seed, "setup"))
        return protocol.start(self.seats, options, setup, Chance(seed))
