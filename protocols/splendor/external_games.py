"""The saved games of the contest's own arbiter, which its viewer shows.

One JSON object: ``players`` (names), ``decks`` (three lists of card ids, the first four face up), ``nobles`` (ids), ``rounds`` (a
list of turns each). A turn has ``tokens``: ``[1 or 2, chips taken of each of the five colours]``, ``[3, card]`` with -1, -2 or
-3 for the top of a deck, or ``[4, card, chips paid of each of the six colours]``; ``returns``, the colours of returned chips, as
strings, since that arbiter passes on the words that the agent printed; ``nobleId``, 0 for none; ``kibitzes``; and ``arbiterMsg``, in
Romanian. A forced pass takes no chips and has a message.

Older versions of that arbiter wrote cards and nobles as objects with an ``id``, and the noble as the third token of a purchase.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from arbiter.game import BadSetup, ExternalGame, ExternalGameFormat, ExternalMove, quoted
from arbiter.game.site_replay import has_keys, json_object

from .actions import BUY, PASS, RESERVE, TAKE_DIFFERENT, TAKE_TWO, action_of
from .payment import payment
from .wire import canonical

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.game import Game

    from .state import Position

_KEYS: Final = ("players", "decks", "nobles", "rounds")
_NUMBER: Final = re.compile(r"-?[0-9]{1,2}")
_CHIPS: Final = 5
_PAID: Final = 6
_SKIPPED: Final = "Sar peste"
"""How the message of a forced pass begins; the player's name and the reason follow."""


class ContestFormat(ExternalGameFormat):
    """Reads and writes these files."""

    def recognises(self, text: str) -> bool:
        return has_keys(text, _KEYS)

    def read(self, text: str) -> ExternalGame:
        data = json_object(text, _KEYS)
        names = tuple(map(str, data["players"]))
        setup = {"decks": [_ids(deck) for deck in data["decks"]], "nobles": _ids(data["nobles"])}
        turns = [
            (_read_turn(turn, seat, names, f"round {number}, player {seat + 1}"),)
            for number, turns in enumerate(data["rounds"], 1)
            for seat, turn in enumerate(turns if isinstance(turns, list) else [turns])
        ]
        return ExternalGame(names, setup, tuple(turns))

    def write(self, game: Game, saved: ExternalGame) -> str:
        rounds: list[list[dict[str, Any]]] = []
        for (turn,) in saved.turns:
            position: Position = game.position  # type: ignore[attr-defined]
            if turn.seat == 0:
                rounds.append([])
            nobles = len(position.players[turn.seat].nobles)
            tokens, returns = _tokens(position, turn)
            game.play({turn.seat: turn.move})
            gained = position.players[turn.seat].nobles[nobles:]
            noble = gained[0] if gained else 0
            rounds[-1].append(
                {
                    "tokens": tokens,
                    "returns": [str(colour) for colour in returns],
                    "nobleId": noble,
                    "kibitzes": list(turn.kibitz),
                    "arbiterMsg": _message(saved.names[turn.seat], turn.fault, noble, returns),
                }
            )
        document = {"players": list(saved.names), **saved.setup, "rounds": rounds}
        import json  # slow to import, and few games are converted

        return json.dumps(document, separators=(",", ":")) + "\n"


def _message(name: str, fault: str, noble: int, returns: list[int]) -> str:
    """Return what the contest's arbiter says about a turn; of several messages it keeps the last."""
    if fault:
        return f"{_SKIPPED} {name}: {fault}"
    if noble:
        return f"{name} primește nobilul #{noble}."
    if returns:
        return f"{name} a returnat jetoane de culorile {', '.join(map(str, returns))}."
    return ""


def _ids(cards: Any) -> list[Any]:
    """Return the ids of cards or nobles; the setup is checked when the game is opened."""
    listed = cards if isinstance(cards, list) else []
    return [card.get("id") if isinstance(card, dict) else card for card in listed]


def _read_turn(turn: Any, seat: int, names: Sequence[str], where: str) -> ExternalMove:
    if not isinstance(turn, dict):
        raise BadSetup(f"{where}: a turn must be an object, not {quoted(turn)}")
    tokens, returns = _numbers(turn, "tokens", where), _numbers(turn, "returns", where)
    kibitz = tuple(map(str, turn.get("kibitzes") or ()))
    message = str(turn.get("arbiterMsg") or "")
    took_nothing = tokens[:1] == [TAKE_DIFFERENT] and not any(tokens[1:])
    if took_nothing and message and not turn.get("nobleId"):
        name = names[seat] if seat < len(names) else ""
        return ExternalMove(seat, PASS, message.removeprefix(f"{_SKIPPED} {name}: "), kibitz)
    return ExternalMove(seat, canonical([*_action(tokens, where), *returns]), "", kibitz)


def _numbers(turn: dict[str, Any], key: str, where: str) -> list[int]:
    """Return a list of numbers, each of which may be written as a string."""
    numbers = turn.get(key, [])
    if isinstance(numbers, list):
        found = [int(one) if isinstance(one, str) and _NUMBER.fullmatch(one) else one for one in numbers]
        if all(type(number) is int and -3 <= number <= 90 for number in found):
            return found
    raise BadSetup(f"{where}: {key} must be a list of whole numbers from -3 to 90, not {quoted(numbers)}")


def _action(tokens: list[int], where: str) -> list[int]:
    """Return the answer that these tokens stand for, without returned chips."""
    kind = tokens[0] if tokens else 0
    if kind in (TAKE_DIFFERENT, TAKE_TWO) and len(tokens) == 1 + _CHIPS:
        colours = [colour for colour, count in enumerate(tokens[1:]) if count]
        if kind == TAKE_DIFFERENT and max(tokens[1:]) <= 1 and min(tokens[1:]) >= 0:
            return [kind, len(colours), *colours]
        if kind == TAKE_TWO and sorted(tokens[1:]) == [0, 0, 0, 0, 2]:
            return [kind, *colours]
    if (kind == RESERVE and len(tokens) == 2) or (kind == BUY and len(tokens) in (2, 2 + _PAID, 3 + _PAID)):
        return tokens[:2]
    raise BadSetup(f"{where}: unknown tokens {quoted(tokens)}")


def _tokens(position: Position, turn: ExternalMove) -> tuple[list[int], list[int]]:
    """Return the tokens and the returned colours of a move in this position."""
    if turn.move == PASS:
        return [TAKE_DIFFERENT] + [0] * _CHIPS, []
    action = action_of([int(word) for word in turn.move.split()])
    if action.kind == BUY:
        return [BUY, action.card, *payment(position.players[turn.seat], action.card)], []
    if action.kind == RESERVE:
        return [RESERVE, action.card], list(action.returned)
    return [action.kind, *(action.taken.count(colour) for colour in range(_CHIPS))], list(action.returned)
