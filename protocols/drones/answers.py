"""The parser for answers: a JSON object such as ``{"newProducers": 2, "newSoldiers": 1, "launchAttack": false}``.

The canonical text of an action is also accepted as an answer.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from arbiter.game import GarbledMove, quoted

from .actions import Action, granted

if TYPE_CHECKING:
    from .state import Units

LONGEST_ANSWER: Final = 4096
MOST_BRACKETS: Final = 64
"""No answer needs nesting, and a thousand levels would exhaust the parser's stack."""

_PLAIN: Final = re.compile(
    r'\{"newProducers": ?(0|[1-9][0-9]{0,14}), ?"newSoldiers": ?(0|[1-9][0-9]{0,14}), ?"launchAttack": ?(true|false)\}\r?'
)
"""The fast path: an answer as most agents write it. Everything else is parsed as JSON."""
_NUMBER: Final = r"(-?[0-9]{1,16}(?:\.[0-9]{1,30})?(?:e-?[0-9]{1,3})?)"
_SHORT_FORM: Final = re.compile(rf"[ \t]*{_NUMBER}[ \t]+{_NUMBER}[ \t]+([01])[ \t\r\n]*")
_LONGEST_INTEGER: Final = 16
_ENOUGH: Final = 1 << 53
"""More than any number of producers can make."""


def action_of(answer: str, capacity: Units, fractional: bool) -> Action:
    """Parse an answer and limit it to what ``capacity`` producers can make. Raises GarbledMove."""
    if plain := _PLAIN.fullmatch(answer):
        asked_producers, asked_soldiers, attack = plain.groups()
        return granted(int(asked_producers), int(asked_soldiers), attack == "true", capacity)
    request = _request(answer)
    return granted(
        _count(request.get("newProducers"), fractional),
        _count(request.get("newSoldiers"), fractional),
        # True is equal to 1, and a list or an object is equal to neither.
        request.get("launchAttack") in (1, "1"),
        capacity,
    )


def _count(asked: Any, fractional: bool) -> Units:
    """Return how many units are requested: 0 if it is negative or not a number."""
    kind = type(asked)  # not isinstance(): in JSON, true is not a number
    if kind is int and asked > 0:
        return int(asked)
    if kind is float and asked > 0:
        return float(asked) if fractional else int(min(asked, _ENOUGH))
    return 0


def _request(answer: str) -> dict[str, Any]:
    """Parse an answer in either form into an object."""
    if len(answer) > MOST_BRACKETS:
        _check_size(answer)
    if short := _SHORT_FORM.fullmatch(answer):
        producers, soldiers, attack = short.groups()
        return {"newProducers": float(producers), "newSoldiers": float(soldiers), "launchAttack": attack}
    try:
        request = _decode(answer)
    except json.JSONDecodeError as wrong:
        raise GarbledMove(_complaint(answer, _place(wrong))) from None
    if not isinstance(request, dict):
        raise GarbledMove(f"the answer must be a JSON object, not {quoted(answer.strip())}")
    return request


def _check_size(answer: str) -> None:
    if len(answer) > LONGEST_ANSWER:
        raise GarbledMove(f"the answer has {len(answer)} characters, at most {LONGEST_ANSWER} are allowed")
    brackets = answer.count("[") + answer.count("{")
    if brackets > MOST_BRACKETS:
        raise GarbledMove(f"the answer has {brackets} opening brackets, at most {MOST_BRACKETS} are allowed")


def _place(wrong: json.JSONDecodeError) -> int:
    """Return where the text stops being JSON, whatever the version of Python.

    Of a comma before a closing bracket, Python 3.13 and later report the comma, earlier ones the bracket.
    """
    if wrong.doc[wrong.pos : wrong.pos + 1] == "," and wrong.msg.startswith("Illegal trailing comma"):
        return len(wrong.doc) - len(wrong.doc[wrong.pos + 1 :].lstrip(" \t\r\n"))
    return wrong.pos


def _complaint(answer: str, place: int) -> str:
    rest = answer[place:].strip()
    if not answer.strip():
        return "the answer is an empty line"
    if not answer.lstrip(" \t").startswith("{"):
        return f"neither a JSON object nor three numbers such as '2 1 0': {quoted(answer.strip())}"
    if not rest:
        return f"the JSON text ends too early: {quoted(answer[-40:])}"
    return f"not JSON from character {place + 1} on: {quoted(rest)}"


def _whole(digits: str) -> Units:
    """Parse an integer; one with too many digits for any count only has to be large."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def _refuse(name: str) -> None:
    raise GarbledMove(f"{quoted(name)} is not JSON")


_decode: Final = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse).decode
