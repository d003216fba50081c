"""Convert plain data, as read from a YAML file, to a struct of parameters, with error messages for users."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo, fields

from arbiter.errors import UserError, describe_type, unknown, wrong_value

T = TypeVar("T", bound=msgspec.Struct)

_PARAMETERS = "a mapping of parameters to values"


def convert_parameters(data: object, kind: type[T], where: str) -> T:
    """Return the struct. Raises a UserError that starts with ``where`` and names the parameter."""
    if not isinstance(data, Mapping):
        raise wrong_value(where, data, _PARAMETERS)
    known = _known(kind)
    for name in data:
        if name not in known:
            raise unknown("parameter", name, known, where=where)
    for name, field in known.items():
        if field.required and name not in data:
            raise UserError(f"{where}: {name} is missing: must be {_wanted(field.type)}")
    values = {name: _value(value, known[name].type, f"{where}: {name}") for name, value in data.items()}
    try:
        return kind(**values)
    except UserError as error:
        raise UserError(f"{where}: {error}") from None


def parameter_names(kind: type[msgspec.Struct]) -> list[str]:
    """Return the names of the parameters that a file can set."""
    return list(_known(kind))


def _known(kind: type[msgspec.Struct]) -> dict[str, FieldInfo]:
    """Return the fields that a file can set: all but functions, which only Python code can pass."""
    return {field.name: field for field in fields(kind) if not _has_function(field.type)}


def _has_function(kind: Any) -> bool:
    return get_origin(kind) is Callable or any(_has_function(part) for part in get_args(kind))


def _value(value: object, wanted: Any, where: str) -> object:
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return convert_parameters(value, wanted, where)
    inner = get_args(wanted)
    if get_origin(wanted) is tuple and inner[-1] is Ellipsis and isinstance(value, list | tuple):
        return tuple(_value(item, inner[0], f"{where}: {number}.") for number, item in enumerate(value, 1))
    if get_origin(wanted) is dict and isinstance(value, Mapping):
        return {name: _value(item, inner[1], f"{where}: {name}") for name, item in value.items()}
    try:
        return msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        raise wrong_value(where, value, _wanted(wanted)) from None


def _wanted(kind: Any) -> str:
    """Describe the value wanted, for an error message."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " or ".join(_wanted(part) for part in inner if part is not NoneType)
    if origin is Literal:
        return " or ".join(str(choice) for choice in inner)
    if origin is tuple:
        each = dict.fromkeys(_wanted(part) for part in inner if part is not Ellipsis)
        count = "a list, each item" if inner[-1] is Ellipsis else f"a list of {len(inner)} items, each"
        return f"{count} {' or '.join(each)}"
    if origin is dict:
        return f"a mapping of names, each to {_wanted(inner[1])}"
    return _PARAMETERS if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else describe_type(kind)
