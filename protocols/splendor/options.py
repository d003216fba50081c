"""The options of Splendor."""

from __future__ import annotations

from dataclasses import dataclass

from arbiter.game import option


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    return_gold: bool = option(True, "whether gold may be among the chips returned from a hand of more than 10")
    strict_exit: bool = option(True, "whether a legal answer is lost if the agent then exits abnormally")
    max_rounds: int = option(100, "rounds after which the game ends regardless of points", minimum=1)
