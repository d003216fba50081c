"""Which values of the parameters to try: first all over the ranges, then around the best found so far.

Both are functions of their arguments alone, so a search that was stopped tries the same values when it goes on. The first
candidates of a longer list are those of a shorter one.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, product

from arbiter.agents.prepare.parameters import Parameter, Value, Values, described

Parameters = Mapping[str, Parameter]
_PARENTS = 3
"""How many of the best the next generation is spread around."""
_TRIES = 50
"""How many points are tried for each candidate: a narrow range gives the same values again and again."""


def spread_candidates(parameters: Parameters, number: int) -> list[dict[str, Value]]:
    """Return the default values and up to ``number`` other candidates that cover the ranges evenly; all that there are, if
    there are no more."""
    default = {name: parameter.default for name, parameter in parameters.items()}
    if combinations(parameters) <= number + 1:
        every = product(*(parameter.all() for parameter in parameters.values()))
        return _distinct([default, *(dict(zip(parameters, values, strict=True)) for values in every)], number + 1)
    points = _points(parameters, 1, number)
    return _distinct([default, *({n: p.at(at[n]) for n, p in parameters.items()} for at in points)], number + 1)


def around(parameters: Parameters, best: Sequence[Values], generation: int, number: int) -> list[dict[str, Value]]:
    """Return the best candidates so far, and new ones near them: up to ``number`` in all. ``generation`` is at least 2; the
    higher, the nearer."""
    parents = [dict(values) for values in best[:_PARENTS]]
    width = 0.5 ** (generation - 1)
    children = (
        {
            name: parameter.at(_near(parameter, parents[index % len(parents)][name], at[name], width))
            for name, parameter in parameters.items()
        }
        for index, at in enumerate(_points(parameters, generation, number))
    )
    return _distinct([*parents, *children], number)


def combinations(parameters: Parameters) -> float:
    """Return the number of different candidates; infinite with a float among the parameters."""
    return math.prod(parameter.size() for parameter in parameters.values())


def _near(parameter: Parameter, value: Value, share: float, width: float) -> float:
    """Return a place in the range within ``width`` / 2 of a value. A choice changes to any other value with this
    probability: its values have no order."""
    if parameter.values is not None:
        return share / width if share < width else parameter.share(value)
    place = parameter.share(value) + (share - 0.5) * width
    return abs(place) if place < 1 else 2 - place  # reflected at the ends


def _points(parameters: Parameters, generation: int, number: int) -> Iterator[dict[str, float]]:
    """Yield points in the unit cube that cover it more evenly than random ones: the additive recurrence whose steps are
    powers of the root of x^(d+1) = x + 1, the golden ratio for one dimension. Its start follows from the names."""
    root = 1.0
    for _ in range(64):
        root = (1 + root) ** (1 / (len(parameters) + 1))
    start = {name: _hashed(f"{generation} {name}") for name in parameters}
    for index in range(number * _TRIES):
        yield {
            name: (start[name] + index * root**-power) % 1.0 for name, power in zip(parameters, count(1), strict=False)
        }


def _hashed(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6]) / 2**48


def _distinct(candidates: Iterator[dict[str, Value]] | Sequence[dict[str, Value]], most: int) -> list[dict[str, Value]]:
    found: dict[str, dict[str, Value]] = {}
    for values in candidates:
        found.setdefault(described(values), values)
        if len(found) == most:
            break
    return list(found.values())
