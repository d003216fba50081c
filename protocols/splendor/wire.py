"""The wire format: prompts are written and answers parsed here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from arbiter.game import GarbledMove, quoted

from .cards import LEVEL

if TYPE_CHECKING:
    from collections.abc import Collection

    from .state import Player, Position

_STRAY: Final = re.compile(r"[^ \t-\r0-9+-]")
_WORD: Final = re.compile(r"[^ \t-\r]+")
_INTEGER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9]*)")
_LONGEST_INTEGER: Final = 9
_KNOWN: Final = {sign + str(n): n for n in range(91) for sign in ("", "+")} | {"-0": 0, "-1": -1, "-2": -2, "-3": -3}
"""Every spelling of every integer that a legal answer can contain."""
_SPELT: Final = (*map(str, range(91)), "-3", "-2", "-1")
"""By number, because a lookup is twice as fast as str(). Negative indices count from the end."""


def prompt(position: Position, seat: int) -> str:
    """Write the position as this seat may see it."""
    players = position.players
    lines = [f"{len(players)} {seat + 1}", str(position.round), canonical(position.bank)]
    for pack, row in zip(position.packs, position.rows, strict=True):
        lines.append(f"{len(pack)} {canonical(row)}")
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
    if _STRAY.search(answer) is None:
        try:
            return [_KNOWN[word] for word in answer.split()]
        except KeyError:
            pass
    return [_integer(found.group()) for found in _WORD.finditer(answer)]


def _integer(word: str) -> int:
    if not _INTEGER.fullmatch(word):
        raise GarbledMove(f"{quoted(word)} is not an integer")
    if len(word) > _LONGEST_INTEGER:
        raise GarbledMove(f"{quoted(word)} has too many digits for any move")
    return int(word)


def canonical(numbers: Collection[int]) -> str:
    """Write integers from -3 to 90, separated by single spaces."""
    return " ".join([_SPELT[number] for number in numbers])
