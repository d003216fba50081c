"""The Green Circle protocol: its name, limits and options, and how it opens a game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from arbiter.game import (
    Chance,
    Corpus,
    ExternalGameFormat,
    Json,
    Lifetime,
    Options,
    Protocol,
    chosen,
    option,
    options_of,
)

from . import setup as setups
from .game import GreenCircleGame
from .levels import LEVELS, Level
from .office import open_office
from .site_games import SiteFormat

_HELP = """\
Type one of the actions listed, exactly as shown: MOVE 3 goes to desk 3, GIVE 8
gives a BONUS card away, TRAINING plays that card, RELEASE 12 releases
application 12, WAIT does nothing, RANDOM leaves it to chance.
Card types: 0 TRAINING, 1 CODING, 2 DAILY_ROUTINE, 3 TASK_PRIORITIZATION,
4 ARCHITECTURE_STUDY, 5 CONTINUOUS_INTEGRATION, 6 CODE_REVIEW, 7 REFACTORING,
8 BONUS, 9 TECHNICAL_DEBT.
Anything typed after the action is shown to spectators."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The options of one game."""

    level: int = option(2, "league of the contest: 1 the simplest rules, 4 all of them", choices=tuple(LEVELS))
    strict_skills: bool = option(
        False, "whether it is illegal to play a skill that the level does not offer; the contest allowed it"
    )
    max_phases: int = option(
        200, "maximum number of phases, counted for both teams together", minimum=1, maximum=10_000
    )

    @property
    def rules(self) -> Level:
        """The rules of the level."""
        return replace(LEVELS[self.level], strict_skills=self.strict_skills)


class GreenCircle(Protocol):
    """The contest of 2022, all four leagues."""

    name = "green_circle"
    title = "Green Circle"
    summary = "walk round an office, collect skill cards, release five applications first"
    version = 2
    seats = (2, 2)
    lifetime: ClassVar[Lifetime] = "game"
    limits: ClassVar[dict[str, str]] = {
        "move": "50ms",
        "first_move": "1s",
        "output": "64KB",
        "stderr": "4MB",
        "memory": "768MB",
        "processes": "64",
        "grace": "2",
        "margin": "50ms",
    }
    options = options_of(Settings)
    on_fault = "defeat: the other team wins at once"
    help = _HELP
    external_format: ClassVar[ExternalGameFormat] = SiteFormat()

    def corpus(self) -> Corpus:
        from .corpus import GreenCircleCorpus

        return GreenCircleCorpus()

    def setup(self, seats: int, options: Options, chance: Chance) -> Json:
        return setups.lay_out(chosen(Settings, options).rules, chance)

    def start(self, seats: int, options: Options, setup: Json, chance: Chance) -> GreenCircleGame:
        settings = chosen(Settings, options)
        level = settings.rules
        return GreenCircleGame(open_office(level, setups.check(setup, level), chance), settings.max_phases)
