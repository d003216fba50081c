"""Tuning files: an agent with parameters, the field it plays against, and how to search, in YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbiter.agents.prepare.tuned import Template, TunedAgent, read_template
from arbiter.config.game_settings import GameSettings, settings_in
from arbiter.config.plain_data import read_struct
from arbiter.config.yaml_file import YamlFile
from arbiter.contest.making import check_contest_name
from arbiter.contest.match_file import agent_text
from arbiter.errors import FieldError, in_field, out_of_range

_LEAST = {
    "candidates": 2,
    "generations": 1,
    "divisor": 2,
    "games": 1,
    "confirm": 2,
    "seed": 0,
    "workers": 1,
    "seats": 2,
}
MOST_CANDIDATES = 500


class TuneFile(GameSettings, frozen=True, kw_only=True):
    """The keys of a tuning file besides those of :class:`TunedAgent`."""

    name: str | None = None
    """Name of the folder that the games are saved in; by default, the name of the file."""
    title: str = ""
    protocol: str
    field: tuple[Any, ...] = ()
    """The opponents, as in match files; empty: the agent with its default values."""
    seats: int | None = None
    candidates: int = 26
    """How many sets of values to try in each generation, besides those known from before."""
    generations: int = 2
    divisor: int = 3
    """After each rung, one of every ``divisor`` candidates stays in and plays ``divisor`` times as many games."""
    games: int | None = None
    """Games of a candidate against each opponent in the first rung; None: one deal in all seatings."""
    confirm: int = 400
    """Games of the match between the tuned values and the defaults."""
    seed: int | None = None
    """The seed that the deals follow from; None: they follow from a secret."""
    workers: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """A tuning as its file describes it."""

    file: Path
    name: str
    wanted: TuneFile
    template: Template
    field: tuple[str, ...]
    settings: GameSettings

    @property
    def title(self) -> str:
        """What people see it called."""
        return self.wanted.title or self.name


def load_tuning(path: Path) -> Tuning:
    """Read a tuning file. Raises UserError with the file and the line."""
    file = YamlFile(path)
    with file.located_errors():
        return _tuning(file.data, path)


def _tuning(data: Mapping[Any, Any], path: Path) -> Tuning:
    own = {name: value for name, value in data.items() if name not in TunedAgent.__struct_fields__}
    wanted = read_struct(own, TuneFile)
    for key, least in _LEAST.items():
        if (value := getattr(wanted, key)) is not None and value < least:
            raise FieldError(out_of_range(key, value, least), key)
    if wanted.candidates > MOST_CANDIDATES:
        raise FieldError(out_of_range("candidates", wanted.candidates, 2, MOST_CANDIDATES), "candidates")
    name = path.stem if wanted.name is None else wanted.name
    with in_field("name"):
        check_contest_name(name)
    return Tuning(
        file=path,
        name=name,
        wanted=wanted,
        template=read_template(data, path.parent),
        field=tuple(agent_text(index, entry, "field") for index, entry in enumerate(wanted.field)),
        settings=settings_in(wanted),
    )
