"""Limits on what an agent may use, and where each value comes from.

Limits are layered: the protocol's defaults, arbiter.toml, the match file, the command line, the agent. A later layer
overrides an earlier one, with one exception: an ``agent.yaml`` is written by the agent's author, so it may lower a limit but
never raise one. Limits that arbiter.toml sets for a named agent are the organiser's, and override like any other layer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from arbiter.errors import UserError, in_field, unknown, wrong_value
from arbiter.units import duration_ns, exact_duration, show_duration, show_size, size_bytes, whole_number


class Limits(msgspec.Struct, frozen=True):
    """The limits of one seat."""

    move_ns: int
    """Time limit per answer."""
    first_move_ns: int
    """Time limit for the first answer of a process, including its start-up."""
    output_bytes: int
    """Standard output per turn."""
    stderr_bytes: int
    """Standard error per turn."""
    memory_bytes: int
    """Data memory of each process of the agent."""
    processes: int
    """Processes of the agent at the same time; threads count too where the kernel enforces the limit."""
    disk_bytes: int
    """Data in the agent's own folder."""
    files: int
    """Files and folders in the agent's own folder."""
    record_bytes: int = 3_000_000
    """Kibitz, messages, faulty answers and standard error of one game that its record keeps."""
    total_ns: int = 0
    """Time limit for all answers of a game together; 0 for none."""
    increment_ns: int = 0
    """Time that every answer adds to the total."""
    grace: int = 0
    """Late answers per game that are noted but accepted."""
    margin_ns: int = 0
    """How far an accepted late answer may exceed the time limit."""
    build_ns: int = 0
    """Time limit for building the agent."""


class Source(msgspec.Struct, frozen=True):
    """One layer of limits: where it comes from, and its values as the user wrote them."""

    where: str
    values: Mapping[str, object]
    only_lower: bool = False
    """Whether values above those of earlier layers are ignored."""


class Explained(msgspec.Struct, frozen=True):
    """One limit with the layer it comes from and what that layer overrode, for ``--explain``."""

    name: str
    value: str
    where: str
    overridden: tuple[str, ...]


class _Kind(msgspec.Struct, frozen=True):
    """The name, parser and format of one limit."""

    field: str
    """Its field in :class:`Limits`."""
    parse: Callable[[str, str], int]
    """Parses the text; the second argument names the value in an error."""
    show: Callable[[int], str]
    default: str


_LEAST_MEMORY = 1 << 20
NONE = "none"
"""The value of an optional limit that is not set, as users write it."""


def _or_none(parse: Callable[[str, str], int]) -> Callable[[str, str], int]:
    return lambda text, what: 0 if text.strip().lower() in (NONE, "0") else parse(text, what)


def _show_or_none(show: Callable[[int], str]) -> Callable[[int], str]:
    return lambda value: show(value) if value else NONE


def _memory(text: str, what: str) -> int:
    value = size_bytes(text, what)
    if value < _LEAST_MEMORY:
        raise wrong_value(what, text, f"at least {show_size(_LEAST_MEMORY)}: no program can start in less")
    return value


KINDS: Mapping[str, _Kind] = {
    "move": _Kind("move_ns", duration_ns, show_duration, "10s"),
    "first_move": _Kind("first_move_ns", duration_ns, show_duration, "10s"),
    "output": _Kind("output_bytes", size_bytes, show_size, "64KB"),
    "stderr": _Kind("stderr_bytes", size_bytes, show_size, "4MB"),
    "memory": _Kind("memory_bytes", _memory, show_size, "2GB"),
    "processes": _Kind("processes", whole_number, str, "64"),
    "disk": _Kind("disk_bytes", size_bytes, show_size, "64MB"),
    "files": _Kind("files", whole_number, str, "2000"),
    "record": _Kind("record_bytes", size_bytes, show_size, "3MB"),
    "total": _Kind("total_ns", _or_none(duration_ns), _show_or_none(exact_duration), NONE),
    "increment": _Kind("increment_ns", _or_none(duration_ns), _show_or_none(show_duration), NONE),
    "grace": _Kind("grace", _or_none(whole_number), _show_or_none(str), NONE),
    "margin": _Kind("margin_ns", _or_none(duration_ns), _show_or_none(show_duration), NONE),
    "build": _Kind("build_ns", duration_ns, show_duration, "5min"),
}
"""The limits by name, as users write it."""


_NEEDS = {"increment": "total", "grace": "margin", "margin": "grace"}
"""Limits that have no effect unless another limit is set."""


def check_names(values: Mapping[str, object], where: str) -> None:
    """Raise UserError for an unknown limit or a value that cannot be parsed."""
    for name, value in values.items():
        if name not in KINDS:
            raise unknown("limit", name, KINDS, where=where)
        KINDS[name].parse(str(value), f"{where}: limit {name}" if where else f"limit {name}")


def check_fields(values: Mapping[str, object], *path: str) -> None:
    """Check limits at ``path`` in a file like :func:`check_names`. Raises FieldError about the limit."""
    for name, value in values.items():
        with in_field(*path, name):
            check_names({name: value}, "")


def resolve_limits(sources: Sequence[Source]) -> tuple[Limits, list[Explained]]:
    """Return the limits after all layers, and the history of each. Raises UserError."""
    layered = _LayeredLimits()
    for source in sources:
        layered.apply(source)
    return layered.limits(), layered.explained()


class _LayeredLimits:
    """The limits after the layers so far, starting from the defaults."""

    def __init__(self) -> None:
        self._values: dict[str, int] = {name: kind.parse(kind.default, name) for name, kind in KINDS.items()}
        self._origin = dict.fromkeys(KINDS, "default")
        self._history: dict[str, list[str]] = {name: [] for name in KINDS}

    def apply(self, source: Source) -> None:
        """Apply one layer.

        A layer that sets ``move`` but not ``first_move`` also sets ``first_move`` if the two were equal, or if
        ``first_move`` would otherwise be shorter: a first move should not get less time than the others.
        """
        check_names(source.values, source.where)
        were_equal = self._values["move"] == self._values["first_move"]
        for name, kind in KINDS.items():
            if name not in source.values:
                continue
            value = kind.parse(str(source.values[name]), f"{source.where}: limit {name}")
            if source.only_lower and (refusal := self._refusal(name, value)):
                self._history[name].append(f"{source.where} asks for {kind.show(value)}: {refusal}")
            else:
                self._set(name, value, source.where)
        move, first_move = self._values["move"], self._values["first_move"]
        only_move_set = self._origin["move"] == source.where and "first_move" not in source.values
        if only_move_set and first_move != move and (were_equal or first_move < move):
            self._set("first_move", move, f"{source.where} (same as move)")

    def _refusal(self, name: str, value: int) -> str:
        """Return why an agent's own layer may not set a limit to this value; empty if it may."""
        if KINDS[name].default == NONE:
            return "an agent may not set its own clock"
        return "an agent may not raise a limit" if value > self._values[name] else ""

    def _set(self, name: str, value: int, where: str) -> None:
        self._history[name].append(f"{self._origin[name]} {KINDS[name].show(self._values[name])}")
        self._values[name], self._origin[name] = value, where

    def limits(self) -> Limits:
        """Return the limits. Raises UserError for one that has no effect because another is not set."""
        for name, needed in _NEEDS.items():
            if self._values[name] and self._origin[needed] == "default" and not self._values[needed]:
                value = KINDS[name].show(self._values[name])
                raise UserError(
                    f"{self._origin[name]}: limit {name} {value} needs the limit {needed!r} as well; set both"
                )
        return Limits(**{kind.field: self._values[name] for name, kind in KINDS.items()})

    def explained(self) -> list[Explained]:
        return [
            Explained(name, kind.show(self._values[name]), self._origin[name], tuple(self._history[name]))
            for name, kind in KINDS.items()
        ]


def as_written(limits: Limits) -> dict[str, str]:
    """Return the limits by name as users write them, and as records keep them."""
    by_field = msgspec.structs.asdict(limits)
    return {name: kind.show(by_field[kind.field]) for name, kind in KINDS.items()}
