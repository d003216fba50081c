"""Tuning files: an agent with parameters, the field it plays against, and how to search, in YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arbiter.agents.prepare import tuned
from arbiter.agents.prepare.tuned import Template, read_template
from arbiter.config import game_settings
from arbiter.config.game_settings import GameSettings
from arbiter.config.yaml_file import YamlFile
from arbiter.contest.making import check_contest_name
from arbiter.contest.match_file import agent_text
from arbiter.errors import FieldError, in_field, out_of_range

KEYS: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "title": (str,),
    "protocol": (str,),
    **tuned.KEYS,
    "field": (list,),
    "seats": (int,),
    "candidates": (int,),
    "generations": (int,),
    "divisor": (int,),
    "games": (int,),
    "confirm": (int,),
    "seed": (int,),
    "workers": (int,),
    **game_settings.types_in_files(),
}
"""The keys of a tuning file, each with the types its value may have."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """A tuning as its file describes it."""

    file: Path
    name: str
    title: str
    protocol: str
    template: Template
    field: tuple[str, ...]
    """The opponents, as in match files; empty: the agent with its default values."""
    settings: GameSettings
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


def load_tuning(path: Path) -> Tuning:
    """Read a tuning file. Raises UserError with the file and the line."""
    file = YamlFile(path, KEYS, required=("protocol", "agent", "parameters"))
    with file.located_errors():
        return _tuning(file.data, path)


def _tuning(data: Mapping[str, Any], path: Path) -> Tuning:
    for key, least in _LEAST.items():
        if data.get(key, least) < least:
            raise FieldError(out_of_range(key, data[key], least), key)
    if data.get("candidates", 0) > MOST_CANDIDATES:
        raise FieldError(out_of_range("candidates", data["candidates"], 2, MOST_CANDIDATES), "candidates")
    name = data.get("name", path.stem)
    with in_field("name"):
        check_contest_name(name)
    given = {key: data[key] for key in (*_LEAST,) if key in data}
    return Tuning(
        file=path,
        name=name,
        title=data.get("title", ""),
        protocol=data["protocol"],
        template=read_template(data, path.parent),
        field=tuple(agent_text(index, entry, "field") for index, entry in enumerate(data.get("field", ()))),
        settings=game_settings.from_file(data),
        **given,
    )
