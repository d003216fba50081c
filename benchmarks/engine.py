"""How fast the rules of a game go on one core: prompt, read and play, nothing else. Every module ``engine_*`` has one."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter_ns

from arbiter.game import Chance, Game, OptionValue, Protocol

AnyAnswer = Callable[[Game, int, str, random.Random], str]
"""What an agent of this seat might say to this prompt."""


@dataclass(frozen=True, slots=True)
class Engine:
    """Of one game."""

    protocol: Protocol
    seats: int
    answer: AnyAnswer
    turns: int
    """Of one measurement in ``make bench``."""
    aim: int
    """Turns a second that it should reach at least."""
    options: Callable[[int], dict[str, OptionValue]] = lambda _: {}
    """Of the game with this seed."""

    def run(self) -> float:
        """Turns a second, over games with any answers. Finding those is not timed."""
        whims, spent_ns, seed = random.Random(1), 0, 0
        game = self._new_game(seed)
        for _ in range(self.turns):
            if game.result() is not None:
                seed += 1
                game = self._new_game(seed)
            started = perf_counter_ns()
            prompts = {seat: game.prompt(seat) for seat in game.to_move()}
            spent_ns += perf_counter_ns() - started
            answers = {seat: self.answer(game, seat, prompt, whims) for seat, prompt in prompts.items()}
            started = perf_counter_ns()
            game.play({seat: game.read(seat, answer).text for seat, answer in answers.items()})
            spent_ns += perf_counter_ns() - started
        return self.turns * 1e9 / spent_ns

    def _new_game(self, seed: int) -> Game:
        protocol, options = self.protocol, self.options(seed)
        setup = protocol.setup(self.seats, options, Chance(seed, "setup"))
        return protocol.start(self.seats, options, setup, Chance(seed))
