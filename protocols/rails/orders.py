"""Orders, and the parser for an agent's line.

A canonical text is the result of :func:`read_line`: the orders in upper case, joined by ``;``, with no
leading zeros, no WAIT next to other orders and no MESSAGE; ``WAIT`` if no order is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from arbiter.game import GarbledMove, Move, quoted

PLACE_TRACKS, AUTOPLACE, DISRUPT, WAIT, MESSAGE, DEFEAT = (
    "PLACE_TRACKS", "AUTOPLACE", "DISRUPT", "WAIT", "MESSAGE", "DEFEAT"
)  # fmt: skip

_COUNTS = {PLACE_TRACKS: (2,), AUTOPLACE: (4,), DISRUPT: (1, 2), WAIT: (0,)}
"""How many numbers follow each order."""

_BLANKS = " \t\r\n\v\f"
_MOST_DIGITS = 6
_BEYOND = 10**_MOST_DIGITS
"""Stands for every number with more digits: all of them are off every map."""


@dataclass(frozen=True, slots=True)
class Order:
    """One order of one seat."""

    kind: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Orders:
    """All orders of one seat for a turn."""

    orders: tuple[Order, ...]
    defeat: str = ""
    """The fault that ends the game for this seat after the orders are carried out, or empty."""


def read_line(line: str) -> Move:
    """Parse an agent's line. Raises GarbledMove at the first part that is not an order; the orders before it are
    the salvage."""
    orders: list[str] = []
    messages: list[str] = []
    parts = line.strip(_BLANKS).split(";")
    if len(parts) > 1 and not parts[-1]:
        parts.pop()
    for number, part in enumerate(parts, 1):
        words = part.strip(_BLANKS)
        try:
            order, message = _read_part(words)
        except ValueError as error:
            where = f"order {number}: " if len(parts) > 1 else ""
            raise GarbledMove(where + str(error), salvage=";".join(orders)) from None
        if message:
            messages.append(message)
        elif order != WAIT:
            orders.append(order)
    return Move(";".join(orders) or WAIT, "; ".join(messages))


def _read_part(part: str) -> tuple[str, str]:
    """Return the canonical order, or the text of a message. Raises ValueError with the reason."""
    word, *rest = part.split(" ", 1)
    kind = word.upper() if word.isascii() else word
    if kind == MESSAGE and rest:
        return "", rest[0].strip(_BLANKS)
    if kind not in _COUNTS:
        raise ValueError(_refusal(part, kind))
    if kind == WAIT and rest:
        raise ValueError(f"nothing may follow WAIT, as in {quoted(part)}")
    numbers = rest[0].split(" ", 4) if rest else []
    for digits in numbers:
        if not (digits.isascii() and digits.isdigit()):
            raise ValueError(f"{quoted(digits)} in {quoted(part)} must be a whole number, digits only")
    if len(numbers) not in _COUNTS[kind]:
        wanted = " or ".join(map(str, _COUNTS[kind]))
        raise ValueError(f"wrong number of arguments in {quoted(part)}; {kind} takes {wanted}")
    return " ".join([kind, *(digits.lstrip("0") or "0" for digits in numbers)]), ""


def _refusal(part: str, kind: str) -> str:
    if not part:
        return "the order is empty; an answer is a list of orders with ; between them"
    if kind == MESSAGE:
        return f"{quoted(part)} has no text after it"
    return f"unknown order {quoted(part)}; choose from PLACE_TRACKS, AUTOPLACE, DISRUPT, MESSAGE, WAIT"


def parse(canonical: str) -> Orders:
    """Return the orders in a canonical text, without checking it."""
    orders: list[Order] = []
    for part in canonical.split(";"):
        kind, *rest = part.split(" ")
        if kind == DEFEAT:
            return Orders(tuple(orders), " ".join(rest))
        if kind != WAIT:
            orders.append(Order(kind, tuple([int(word) if len(word) <= _MOST_DIGITS else _BEYOND for word in rest])))
    return Orders(tuple(orders))


def with_defeat(salvage: str, fault: str) -> str:
    """Return the canonical text of a seat that is defeated by a fault after its valid orders."""
    return f"{salvage};{DEFEAT} {fault}" if salvage else f"{DEFEAT} {fault}"
