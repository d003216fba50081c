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


_LEAST_MEMORY = 1 << 20
NONE = "none"
"""The value of an optional limit that is not set, as users write it."""


def _memory(text: str, what: str) -> int:
    value = size_bytes(text, what)
    if value < _LEAST_MEMORY:
        raise wrong_value(what, text, f"at least {show_size(_LEAST_MEMORY)}: no program can start in less")
    return value


class _Unit(msgspec.Struct, frozen=True):
    """What a limit counts: how its field ends, its parser and its format."""

    suffix: str
    parse: Callable[[str, str], int]
    """Parses the text; the second argument names the value in an error."""
    show: Callable[[int], str]


_TIME = _Unit("_ns", duration_ns, show_duration)
_EXACT_TIME = _Unit("_ns", duration_ns, exact_duration)
_SIZE = _Unit("_bytes", size_bytes, show_size)
_MEMORY = _Unit("_bytes", _memory, show_size)
_COUNT = _Unit("", whole_number, str)


class Limit(msgspec.Struct, frozen=True):
    """One row of the table of limits."""

    help: str
    unit: _Unit
    default: str
    """As users write it; a limit whose default is "none" can be absent."""
    unlimited: str = NONE
    """What ``--no-limits`` sets it to."""
    clock: bool = False
    """Whether it is about the time of moves, which ``--time-factor`` multiplies and a referee of one's own keeps."""
    needs: str = ""
    """The limit without which this one has no effect."""
    everyday: bool = False
    """Whether it has an option of its own: ``--move 2s`` for ``--limit move=2s``."""

    @property
    def is_scaled(self) -> bool:
        """Whether ``--time-factor`` multiplies it."""
        return self.clock and self.unit.suffix == "_ns"

    def parse(self, text: str, what: str) -> int:
        """Return the value of a text; ``what`` names it in an error. Raises UserError."""
        return 0 if self.default == NONE and text.strip().lower() in (NONE, "0") else self.unit.parse(text, what)

    def show(self, value: int) -> str:
        """Return a value as users write it."""
        return NONE if self.default == NONE and not value else self.unit.show(value)


LIMITS: Mapping[str, Limit] = {
    "move": Limit("Time limit of a move, such as 10s or 50ms.", _TIME, "10s", "24h", clock=True, everyday=True),
    "first_move": Limit("Time limit of the first move, start-up included.", _TIME, "10s", "24h", clock=True),
    "total": Limit("Time limit of all moves of a game together.", _EXACT_TIME, NONE, clock=True, everyday=True),
    "increment": Limit("Time that every move adds to the total.", _TIME, NONE, clock=True, needs="total"),
    "grace": Limit(
        "Number of overruns per game that are forgiven, each of at most the margin.",
        _COUNT,
        NONE,
        clock=True,
        needs="margin",
    ),
    "margin": Limit("Longest overrun that grace forgives.", _TIME, NONE, clock=True, needs="grace"),
    "output": Limit("Maximum output per turn, such as 64KB.", _SIZE, "64KB", "1GB"),
    "stderr": Limit("Maximum output on standard error per turn.", _SIZE, "4MB", "1GB"),
    "memory": Limit("Maximum memory per process, such as 256MB.", _MEMORY, "2GB", "1TB", everyday=True),
    "processes": Limit("Maximum number of processes at any one time.", _COUNT, "64", "100000"),
    "disk": Limit("Maximum disk space in the agent's own folder, such as 64MB.", _SIZE, "64MB", "1TB"),
    "files": Limit("Maximum number of files in the agent's own folder.", _COUNT, "2000", "100000000"),
    "record": Limit("Maximum size of an agent's kibitz, messages and fault evidence in a record.", _SIZE, "3MB", "1GB"),
    "build": Limit("Time limit for building an agent, such as 10min.", _TIME, "5min", "24h"),
}
"""The limits by name, in the order in which they are shown. The name and the suffix of the unit make the field in :class:`Limits`."""
UNLIMITED = {name: limit.unlimited for name, limit in LIMITS.items()}
"""The values of ``--no-limits``."""


def check_names(values: Mapping[str, object], where: str) -> None:
    """Raise UserError for an unknown limit or a value that cannot be parsed."""
    for name, value in values.items():
        if name not in LIMITS:
            raise unknown("limit", name, LIMITS, where=where)
        LIMITS[name].parse(str(value), f"{where}: limit {name}" if where else f"limit {name}")


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
        self._values: dict[str, int] = {name: limit.parse(limit.default, name) for name, limit in LIMITS.items()}
        self._origin = dict.fromkeys(LIMITS, "default")
        self._history: dict[str, list[str]] = {name: [] for name in LIMITS}

    def apply(self, source: Source) -> None:
        """Apply one layer.

        A layer that sets ``move`` but not ``first_move`` also sets ``first_move`` if the two were equal, or if
        ``first_move`` would otherwise be shorter: a first move should not get less time than the others.
        """
        check_names(source.values, source.where)
        were_equal = self._values["move"] == self._values["first_move"]
        for name, limit in LIMITS.items():
            if name not in source.values:
                continue
            value = limit.parse(str(source.values[name]), f"{source.where}: limit {name}")
            if source.only_lower and (refusal := self._refusal(name, value)):
                self._history[name].append(f"{source.where} asks for {limit.show(value)}: {refusal}")
            else:
                self._set(name, value, source.where)
        move, first_move = self._values["move"], self._values["first_move"]
        only_move_set = self._origin["move"] == source.where and "first_move" not in source.values
        if only_move_set and first_move != move and (were_equal or first_move < move):
            self._set("first_move", move, f"{source.where} (same as move)")

    def _refusal(self, name: str, value: int) -> str:
        """Return why an agent's own layer may not set a limit to this value; empty if it may."""
        if LIMITS[name].default == NONE:
            return "an agent may not set its own clock"
        return "an agent may not raise a limit" if value > self._values[name] else ""

    def _set(self, name: str, value: int, where: str) -> None:
        self._history[name].append(f"{self._origin[name]} {LIMITS[name].show(self._values[name])}")
        self._values[name], self._origin[name] = value, where

    def limits(self) -> Limits:
        """Return the limits. Raises UserError for one that has no effect because another is not set."""
        for name, limit in LIMITS.items():
            if (
                (needed := limit.needs)
                and self._values[name]
                and self._origin[needed] == "default"
                and not self._values[needed]
            ):
                value = limit.show(self._values[name])
                raise UserError(
                    f"{self._origin[name]}: limit {name} {value} needs the limit {needed!r} as well; set both"
                )
        return _limits(self._values)

    def explained(self) -> list[Explained]:
        return [
            Explained(name, limit.show(self._values[name]), self._origin[name], tuple(self._history[name]))
            for name, limit in LIMITS.items()
        ]


def scaled(limits: Limits, factor: float) -> Limits:
    """Return the limits with every time multiplied by a factor; none becomes absent, and none exceeds a day."""
    values = _by_name(limits)
    longest = duration_ns("24h")
    for name, limit in LIMITS.items():
        if limit.is_scaled and values[name]:
            values[name] = min(longest, max(1, round(values[name] * factor)))
    return _limits(values)


def as_written(limits: Limits) -> dict[str, str]:
    """Return the limits by name as users write them, and as records keep them."""
    return {name: LIMITS[name].show(value) for name, value in _by_name(limits).items()}


def _limits(values: Mapping[str, int]) -> Limits:
    return Limits(**{f"{name}{LIMITS[name].unit.suffix}": value for name, value in values.items()})


def _by_name(limits: Limits) -> dict[str, int]:
    by_field = msgspec.structs.asdict(limits)
    return {name: by_field[f"{name}{limit.unit.suffix}"] for name, limit in LIMITS.items()}
