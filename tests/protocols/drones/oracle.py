"""An oracle for answers, written from the page for agent authors and without regard to speed."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal

from arbiter.game import Json

NUMBER = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,30})?(e-?[0-9]{1,3})?")


def verdict(answer: str, producers: float, fractional: bool) -> tuple[float, float, bool] | None:
    """Return new producers, new soldiers, attack; None for an answer that cannot be parsed."""
    if len(answer) > 4096 or sum(letter in "[{" for letter in answer) > 64:
        return None
    wish = _short_form(answer) or _object(answer)
    if wish is None:
        return None
    made = _made(wish.get("newProducers"), producers, fractional)
    trained = _made(wish.get("newSoldiers"), producers - made, fractional)
    attack = wish.get("launchAttack")
    return made, trained, attack is True or attack == "1" or (_is_number(attack) and attack == 1)


def _short_form(answer: str) -> dict[str, Json] | None:
    words = re.split("[ \t]+", answer.rstrip(" \t\r\n").lstrip(" \t"))
    if len(words) != 3 or words[2] not in ("0", "1") or not all(NUMBER.fullmatch(word) for word in words):
        return None
    return {"newProducers": float(words[0]), "newSoldiers": float(words[1]), "launchAttack": words[2]}


def _object(answer: str) -> dict[str, Json] | None:
    def never(word: str) -> None:
        raise ValueError(word)

    try:
        # Whole numbers of any length; Python's own integers stop at 4300 digits.
        value = json.loads(answer, parse_int=Decimal, parse_constant=never)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _is_number(value: Json) -> bool:
    return isinstance(value, float | Decimal)


def _made(asked: Json, capacity: float, fractional: bool) -> float:
    if not _is_number(asked) or asked <= 0:
        return 0
    if asked >= capacity:
        return capacity
    return float(asked) if fractional else math.floor(asked)
