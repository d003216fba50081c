"""The registry of the kinds of contests: one for every module in this package that defines a schedule."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

import msgspec

from arbiter.config.plain_data import read_struct
from arbiter.contest import schedules
from arbiter.contest.schedules.base import Schedule
from arbiter.errors import FieldError, UserError, unknown


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
    ``defaults`` (the number of seats of the protocol, for example) if the kind has them. Raises UserError; a FieldError if it is
    about a parameter."""
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise UserError(f"a contest needs its kind: write 'kind: NAME' with one of {', '.join(kinds())}")
    kind = find_kind(data["kind"])
    own = {name: value for name, value in data.items() if name != "kind"}
    left_open = {name: value for name, value in (defaults or {}).items() if name in kind.__struct_fields__}
    try:
        return read_struct(left_open | own, kind)
    except UserError as error:
        path = error.path if isinstance(error, FieldError) else ()
        raise FieldError(f"{kind.__struct_config__.tag}: {error}", *path) from None


def schedule_as_data(schedule: Schedule) -> dict[str, object]:
    """Return the plain data from which :func:`schedule_from_data` makes this schedule, with every parameter."""
    return {"kind": schedule.kind, **msgspec.to_builtins(msgspec.structs.asdict(schedule))}
