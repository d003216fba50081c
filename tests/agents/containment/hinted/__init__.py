"""Count up, with hints for hostile agents: pids, and names of files and sockets worth attacking.

The hints stand behind the two numbers of every prompt, as ``NAME=VALUE`` behind a tab each. The test takes them from
the setup, and adds to :attr:`HintedGame.hints` what is only known once the agents run.
"""

from __future__ import annotations

from arbiter.game import Chance, Game, Json, Options
from tests.nullgame.count_up import CountUp, CountUpProtocol


class HintedGame(CountUp):
    def __init__(self, seats: int, options: Options, setup: Json, chance: Chance) -> None:
        super().__init__(seats, options, setup, chance)
        self.hints: dict[str, object] = dict(setup.get("hints", {}))

    def prompt(self, seat: int) -> str:
        words = [super().prompt(seat).rstrip(), *(f"{name}={value}" for name, value in self.hints.items())]
        return "\t".join(words) + "\n"


class HintedProtocol(CountUpProtocol):
    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> Game:
        return HintedGame(seats, options, setup, chance)


protocol = HintedProtocol()
