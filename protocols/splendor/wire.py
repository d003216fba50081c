"""The wire format: prompts are written and answers parsed here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arbiter.game import GarbledMove, quoted

from .cards import LEVEL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from .state import Player, Position

_WORD: Final = re.compile(r"[^ \t-\r]+")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_LONGEST_INTEGER: Final = 9


def prompt(position: Position, seat: int) -> str:
    """Write the position as this seat may see it."""
    players = position.players
    lines = [f"{len(players)} {seat + 1}", str(position.round), canonical(position.bank)]
    for deck, row in zip(position.decks, position.rows, strict=True):
        lines.append(f"{len(deck)} {canonical(row)}")
    lines.append(_listing(position.nobles))
    for place, player in enumerate(players):
        lines.append(canonical(player.chips))
        lines.append(_listing(player.cards))
        lines.append(_listing(player.reserve if place == seat else known_reserve(player)))
        lines.append(_listing(player.nobles))
    lines.append("")
    return "\n".join(lines)


def known_reserve(player: Player) -> list[int]:
    """Return the reserve as other players see it: a card taken from a deck shows as minus its level."""
    secret = player.secret
    if not secret:
        return player.reserve
    return [-LEVEL[card] if card in secret else card for card in player.reserve]


def _listing(ids: Collection[int]) -> str:
    return f"{len(ids)} {canonical(ids)}" if ids else "0"


def integers_of(answer: str) -> list[int]:
    """Parse the integers of an answer, separated by any ASCII white space. Raises GarbledMove."""
    return [_integer(word) for word in _WORD.findall(answer)]


def _integer(word: str) -> int:
    if not _INTEGER.fullmatch(word):
        raise GarbledMove(f"{quoted(word)} is not an integer")
    if len(word) > _LONGEST_INTEGER:
        raise GarbledMove(f"{quoted(word)} has too many digits for any move")
    return int(word)


def canonical(numbers: Iterable[int]) -> str:
    """Write integers, separated by single spaces."""
    return " ".join(map(str, numbers))
