"""The position as plain data. Cards include their level, bonus, points and cost, so that a viewer needs no card table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .cards import BONUS, COST, LEVEL, NOBLE_NEEDS, POINTS
from .rules import goal_reached
from .state import GOAL

if TYPE_CHECKING:
    from arbiter.game import Json

    from .state import Player, Position


def view(position: Position, max_rounds: int) -> Json:
    """Return everything except the order of face-down cards. Secretly reserved cards are shown and marked."""
    return {
        "round": position.round,
        "max_rounds": max_rounds,
        "goal": GOAL,
        "seat": None if position.over else position.seat,
        "over": position.over,
        "last_round": goal_reached(position),
        "bank": list(position.bank),
        "packs": [len(pack) for pack in position.packs],
        "rows": [[_card(card) if card else None for card in row] for row in position.rows],
        "nobles": [_noble(noble) for noble in position.nobles],
        "players": [_player(player) for player in position.players],
    }


def _player(player: Player) -> Json:
    return {
        "points": player.points,
        "chips": list(player.chips),
        "bonuses": list(player.bonuses),
        "cards": list(player.cards),
        "reserve": [_card(card) | {"secret": card in player.secret} for card in player.reserve],
        "nobles": [_noble(noble) for noble in player.nobles],
    }


def _card(card: int) -> dict[str, Json]:
    facts = {"id": card, "level": LEVEL[card], "bonus": BONUS[card], "points": POINTS[card]}
    return {**facts, "cost": list(COST[card])}


def _noble(noble: int) -> dict[str, Json]:
    return {"id": noble, "needs": list(NOBLE_NEEDS[noble])}
