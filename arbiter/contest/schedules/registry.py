"""The registry of the kinds of contests: one for every module in this package that defines a schedule."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import msgspec

from arbiter.contest import schedules
from arbiter.contest.schedules.base import Schedule
from arbiter.contest.schedules.parameters import convert_parameters, parameter_names
from arbiter.errors import UserError, unknown


@cache
def kinds() -> Mapping[str, type[Schedule]]:
    """Return all kinds by name, sorted. A kind is named after its module."""
    found: dict[str, type[Schedule]] = {}
    for entry in sorted(pkgutil.iter_modules(schedules.__path__), key=lambda entry: entry.name):
        module = importlib.import_module(f"{schedules.__name__}.{entry.name}")
        for value in vars(module).values():
            is_schedule = isinstance(value, type) and issubclass(value, Schedule)
            if is_schedule and value.__struct_config__.tag == entry.name:
                found[entry.name] = value
    return found


def find_kind(name: str) -> type[Schedule]:
    """Return the kind of that name; ``round robin`` is ``round_robin``. Raises a UserError that lists the kinds."""
    known = kinds()
    plain = name.strip().lower().replace(" ", "_").replace("-", "_")
    if plain in known:
        return known[plain]
    raise unknown("kind of contest", name, known)


def schedule_from_data(data: object, defaults: Mapping[str, object] | None = None) -> Schedule:
    """Return the schedule that plain data describes, such as ``kind: swiss, rounds: 7``. Missing parameters are taken from
    ``defaults`` (the number of seats of the protocol, for example) if the kind has them."""
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise UserError(f"a contest needs its kind: write 'kind: NAME' with one of {', '.join(kinds())}")
    kind = find_kind(data["kind"])
    own = {name: value for name, value in data.items() if name != "kind"}
    left_open = {name: value for name, value in (defaults or {}).items() if name in parameter_names(kind)}
    return convert_parameters(left_open | own, kind, str(kind.__struct_config__.tag))


def schedule_as_data(schedule: Schedule) -> dict[str, object]:
    """Return the plain data from which :func:`schedule_from_data` makes this schedule, with every parameter."""
    data = {name: getattr(schedule, name) for name in parameter_names(type(schedule))}
    return {"kind": schedule.kind, **msgspec.to_builtins(data)}
