"""Converts plain data from a TOML or YAML file to a struct; every mistake is a FieldError.

The reader of the file adds its name and the line of the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields

from arbiter.errors import FieldError, describe_type, unknown, wrong_value

T = TypeVar("T", bound=msgspec.Struct)
Path = tuple[str | int, ...]


def read_struct(data: Mapping[Any, Any], kind: type[T], path: Path = ()) -> T:
    """Return the struct that ``data`` describes. Raises FieldError for an unknown or missing key, or a wrong type.

    ``path`` leads from the top of the file to ``data``.
    """
    known = _fields(kind)
    for name in data:
        if name not in known:
            where = f"{_place(path)}: " if path else ""
            raise FieldError(f"{where}{unknown('key', name, known)}", *path, name)
    for name, field in known.items():
        if field.required and name not in data:
            where = f"{_place(path)}: " if path else ""
            raise FieldError(f"{where}{name!r} is missing; it must be {_wanted(field.type)}", *path)
    return kind(**{name: _value(value, known[name].type, (*path, name)) for name, value in data.items()})


@cache
def _fields(kind: type[msgspec.Struct]) -> dict[str, FieldInfo]:
    return {field.name: field for field in fields(kind)}


def _value(value: object, wanted: Any, path: Path) -> object:
    """Convert a value to a type."""
    kinds = get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
            return read_struct(value, kind, path)
        if get_origin(kind) is dict and isinstance(value, Mapping):
            return {_text(name, path): _value(item, get_args(kind)[1], (*path, name)) for name, item in value.items()}
        if get_origin(kind) is list and isinstance(value, list):
            return [_value(item, get_args(kind)[0], (*path, index)) for index, item in enumerate(value)]
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        raise FieldError(wrong_value(_place(path), value, _wanted(wanted)), *path) from None


def _text(name: object, path: Path) -> str:
    if not isinstance(name, str):
        raise FieldError(wrong_value(f"{_place(path)}: name", name, "a string"), *path, str(name))
    return name


def _place(path: Path) -> str:
    """Return a field as users name it: ``limits.move``, ``visible, item 2``."""
    names = ".".join(step for step in path if isinstance(step, str))
    items = "".join(f", item {step + 1}" for step in path if isinstance(step, int))
    return f"{names}{items}:" if items else names


def _wanted(kind: Any) -> str:
    """Describe the values of a type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        # A number may be whole: "a whole number or a number" would say the same twice.
        return " or ".join(dict.fromkeys(_wanted(part) for part in inner if not (part is int and float in inner)))
    if origin is list:
        return f"a list, each item {_wanted(inner[0])}"
    if origin is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return describe_type(dict)
    return describe_type(kind)
