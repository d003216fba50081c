"""The position as plain data, with everything hidden revealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .state import SEATS

if TYPE_CHECKING:
    from arbiter.game import Json

    from .options import Settings
    from .state import Clash, Position


def view(position: Position, settings: Settings) -> Json:
    """Return the current round, the score, and how the last round ended."""
    clash = position.last_clash
    return {
        "round": position.round,
        "rounds": settings.rounds,
        "turn": position.turn,
        "turns": settings.turns,
        "defender_bonus": settings.defender_bonus,
        "over": position.over,
        "rounds_won": list(position.wins),
        "draws": position.draws,
        "players": [
            {"producers": position.producers[seat], "soldiers": position.soldiers[seat]} for seat in SEATS
        ],
        "last_round": _last_round(clash) if clash else None,
    }  # fmt: skip


def _last_round(clash: Clash) -> Json:
    return {
        "round": clash.round,
        "turns_played": clash.turns_played,
        "winner": clash.winner,
        "settled_by": clash.settled_by,
        "players": [
            {
                "producers": clash.producers[seat],
                "soldiers": clash.soldiers[seat],
                "attacked": clash.attacked[seat],
            }
            for seat in SEATS
        ],
    }
