"""The position as plain data. Cards include their level, bonus, points and cost, so that a viewer needs no card table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import BONUS, COST, LEVEL, NOBLE_NEEDS, POINTS
from .rules import goal_reached
from .state import GOAL

if TYPE_CHECKING:
    from arbiter.game import Json

    from .state import Player, Position


def view(position: Position, max_rounds: int, seat: int | None = None) -> Json:
    """Return everything except the order of face-down cards. Secretly reserved cards are marked.

    Those that ``seat`` may not see show only their level; None sees everything.
    """
    return {
        "round": position.round,
        "max_rounds": max_rounds,
        "goal": GOAL,
        "seat": None if position.over else position.seat,
        "over": position.over,
        "last_round": goal_reached(position),
        "bank": list(position.bank),
        "decks": [len(deck) for deck in position.decks],
        "rows": [[_card(card) if card else None for card in row] for row in position.rows],
        "nobles": [_noble(noble) for noble in position.nobles],
        "players": [
            _player(player, hides=seat is not None and seat != place) for place, player in enumerate(position.players)
        ],
    }


def _player(player: Player, *, hides: bool) -> Json:
    return {
        "points": player.points,
        "chips": list(player.chips),
        "bonuses": list(player.bonuses),
        "cards": list(player.cards),
        "reserve": [_reserved(card, card in player.secret, hides) for card in player.reserve],
        "nobles": [_noble(noble) for noble in player.nobles],
    }


def _reserved(card: int, secret: bool, hides: bool) -> dict[str, Json]:
    return {"level": LEVEL[card], "secret": True} if secret and hides else _card(card) | {"secret": secret}


def _card(card: int) -> dict[str, Json]:
    facts = {"id": card, "level": LEVEL[card], "bonus": BONUS[card], "points": POINTS[card]}
    return {**facts, "cost": list(COST[card])}


def _noble(noble: int) -> dict[str, Json]:
    return {"id": noble, "needs": list(NOBLE_NEEDS[noble])}
