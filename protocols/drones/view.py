"""The position as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .state import SEATS

MOST_WINNERS: Final = 400
"""How many rounds the strip of winners shows, so that the views of a long match stay small."""

if TYPE_CHECKING:
    from arbiter.game import Json

    from .options import Settings
    from .state import Clash, Position


def view(position: Position, settings: Settings, seat: int | None = None) -> Json:
    """Return the current round, the score, and how the last round ended.

    The units of the other seat are None if ``seat`` is given: they are secret until the clash.
    ``winners`` has a character per finished round, the latest last: the winning seat, or ``=`` for a draw.
    """
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
        "winners": "".join("=" if winner is None else str(winner) for winner in position.winners[-MOST_WINNERS:]),
        "match_coin": position.match_coin,
        "players": [
            {"producers": position.producers[place], "soldiers": position.soldiers[place]}
            if seat in (None, place) else {"producers": None, "soldiers": None}
            for place in SEATS
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
