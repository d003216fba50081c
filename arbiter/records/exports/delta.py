"""The difference between two values of plain JSON data, so that consecutive positions take little room.

A patch is one of these:

- ``[value]``: the new value, whatever the old one was;
- an object, for two objects: the patches of the keys that differ, and ``0`` for a key that is gone;
- an object, for two lists: the patches of the indices that differ, and ``length`` if the lengths differ.

Equal values have no patch (None). ``static/delta.js`` applies patches in the browser.
"""

from __future__ import annotations

from arbiter.game import Json

_LEAVES = frozenset({str, int, float, bool, type(None)})
GONE = 0
"""The patch of a key that the new object does not have."""


def diff(old: Json, new: Json) -> Json | None:
    """Return the patch that turns one value into another; None if they are equal."""
    if type(old) is not type(new):  # True is not 1, and 1 is not 1.0
        return [new]
    if type(new) is dict:
        return _diff_dicts(old, new)
    if type(new) is list:
        return _diff_lists(old, new)
    return None if old == new else [new]


def _diff_dicts(old: dict[str, Json], new: dict[str, Json]) -> Json | None:
    patch: dict[str, Json] = {key: GONE for key in old if key not in new}
    for key, value in new.items():
        found = diff(old[key], value) if key in old else [value]
        if found is not None:
            patch[key] = found
    return patch or None


def _diff_lists(old: list[Json], new: list[Json]) -> Json | None:
    patch: dict[str, Json] = {} if len(old) == len(new) else {"length": len(new)}
    for index, (before, value) in enumerate(zip(old, new, strict=False)):
        if type(value) in _LEAVES and type(value) is type(before) and value == before:  # the usual case; saves a call
            continue
        if (found := diff(before, value)) is not None:
            patch[str(index)] = found
    for index in range(len(old), len(new)):
        patch[str(index)] = [new[index]]
    return patch or None


def apply(old: Json, patch: Json | None) -> Json:
    """Return the new value, which shares equal parts with the old one; the old one is not changed."""
    if patch is None:
        return old
    if isinstance(patch, list):
        return patch[0]
    if isinstance(old, dict):
        new = {key: value for key, value in old.items() if patch.get(key) != GONE or key not in patch}
        new.update({key: apply(old.get(key), each) for key, each in patch.items() if each != GONE})
        return new
    items = list(old[: patch.get("length", len(old))])
    for key, each in patch.items():
        if key != "length":
            index = int(key)
            items[index : index + 1] = [apply(items[index] if index < len(items) else None, each)]
    return items
