"""What an agent may use in a turn, and where each figure came from.

Limits are layered: the protocol's defaults, arbiter.toml, the match file, the command line, the agent. A
later layer overrides an earlier one, with one exception: an ``agent.yaml`` comes from the author of the
agent, so it may lower a limit but never raise one. What arbiter.toml says about a named agent is the
organiser's word and counts in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from arbiter.errors import unknown
from arbiter.units import duration_ns, exact_duration, show_duration, show_size, size_bytes, whole_number


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one seat."""

    move_ns: int
    """Time for one answer."""
    first_move_ns: int
    """Time for the first answer of a process, start-up included."""
    output_bytes: int
    """Most that may be printed on standard output in a turn."""
    stderr_bytes: int
    """Most that may be printed on standard error in a turn."""
    memory_bytes: int
    """Data memory of each process of the agent."""
    processes: int
    """Processes of the agent at any one time; threads count where the kernel does the counting."""
    disk_bytes: int
    """What it may have written to its own folder."""
    files: int
    """Files and folders it may have there."""
    total_ns: int = 0
    """Time for all answers of a game together; 0 for as much as they take."""
    increment_ns: int = 0
    """What every answer adds to that."""
    grace: int = 0
    """Overruns in a game that are noted and forgiven."""
    margin_ns: int = 0
    """How long such an overrun may be."""


@dataclass(frozen=True, slots=True)
class Source:
    """One layer of limits: where it comes from and what it says, as written."""

    where: str
    values: Mapping[str, object]
    only_lower: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """One limit with its history, for ``--explain``."""

    name: str
    value: str
    where: str
    overridden: tuple[str, ...]


class _Kind:
    def __init__(self, field: str, parse: Callable[[str, str], int], show: Callable[[int], str], fallback: str) -> None:
        self.field, self.parse, self.show, self.fallback = field, parse, show, fallback


NONE = "none"
"""How a limit is written that need not be there."""


def _or_none(parse: Callable[[str, str], int]) -> Callable[[str, str], int]:
    return lambda text, what: 0 if text.strip().lower() in (NONE, "0") else parse(text, what)


def _show_or_none(show: Callable[[int], str]) -> Callable[[int], str]:
    return lambda value: show(value) if value else NONE


KINDS: Mapping[str, _Kind] = {
    "move": _Kind("move_ns", duration_ns, show_duration, "10s"),
    "first_move": _Kind("first_move_ns", duration_ns, show_duration, "10s"),
    "output": _Kind("output_bytes", size_bytes, show_size, "64KB"),
    "stderr": _Kind("stderr_bytes", size_bytes, show_size, "4MB"),
    "memory": _Kind("memory_bytes", size_bytes, show_size, "2GB"),
    "processes": _Kind("processes", whole_number, str, "64"),
    "disk": _Kind("disk_bytes", size_bytes, show_size, "64MB"),
    "files": _Kind("files", whole_number, str, "2000"),
    "total": _Kind("total_ns", _or_none(duration_ns), _show_or_none(exact_duration), NONE),
    "increment": _Kind("increment_ns", _or_none(duration_ns), _show_or_none(show_duration), NONE),
    "grace": _Kind("grace", _or_none(whole_number), _show_or_none(str), NONE),
    "margin": _Kind("margin_ns", _or_none(duration_ns), _show_or_none(show_duration), NONE),
}
"""Limits by the name users write."""


def check_names(values: Mapping[str, object], where: str) -> None:
    """Raise UserError for a limit that does not exist or a value that makes no sense."""
    for name, value in values.items():
        if name not in KINDS:
            raise unknown("limit", name, KINDS, where=where)
        KINDS[name].parse(str(value), f"{where}: limit {name}")


def resolve(sources: Sequence[Source]) -> tuple[Limits, list[Explained]]:
    """The limits in force after all layers, and how each came about.

    A layer that sets ``move`` and says nothing of ``first_move`` takes the latter along where both were equal, and
    where it would otherwise be shorter: nobody means the first move to get less time than the others.
    """
    values: dict[str, int] = {name: kind.parse(kind.fallback, name) for name, kind in KINDS.items()}
    origin = dict.fromkeys(KINDS, "default")
    history: dict[str, list[str]] = {name: [] for name in KINDS}
    for source in sources:
        check_names(source.values, source.where)
        alike = values["move"] == values["first_move"]
        for name, kind in KINDS.items():
            if name not in source.values:
                continue
            wanted = kind.parse(str(source.values[name]), f"{source.where}: limit {name}")
            if source.only_lower and kind.fallback == NONE:
                history[name].append(f"{source.where} asks for {kind.show(wanted)}: an agent may not set its own clock")
                continue
            if source.only_lower and wanted > values[name]:
                history[name].append(f"{source.where} asks for {kind.show(wanted)}: an agent may not raise a limit")
                continue
            history[name].append(f"{origin[name]} {kind.show(values[name])}")
            values[name], origin[name] = wanted, source.where
        along = origin["move"] == source.where and "first_move" not in source.values
        if along and values["first_move"] != values["move"] and (alike or values["first_move"] < values["move"]):
            history["first_move"].append(f"{origin['first_move']} {show_duration(values['first_move'])}")
            values["first_move"], origin["first_move"] = values["move"], f"{source.where} (like any move)"
    limits = Limits(**{kind.field: values[name] for name, kind in KINDS.items()})
    explained = [
        Explained(name, kind.show(values[name]), origin[name], tuple(history[name])) for name, kind in KINDS.items()
    ]
    return limits, explained


def as_written(limits: Limits) -> dict[str, str]:
    """Limits by name in the users' notation, as records keep them."""
    by_field = {field.name: getattr(limits, field.name) for field in fields(limits)}
    return {name: kind.show(by_field[kind.field]) for name, kind in KINDS.items()}
