"""The result of a finished match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Result, ranks_from_scores

if TYPE_CHECKING:
    from .state import Position


def outcome(position: Position) -> Result:
    """Return the result of a match whose rounds are all played."""
    wins = position.wins
    winner = leader(position)
    return Result(
        ranks=ranks_from_scores([(won, seat == winner) for seat, won in enumerate(wins)]),
        scores=(wins[0], wins[1]),
        reason=_reason(position, winner),
        data={
            "rounds_won": list(wins),
            "draws": position.draws,
            "winners": list(position.winners),
            "mean_turns": round(position.turns_played / len(position.winners), 2),
        },
    )


def leader(position: Position) -> int | None:
    """Return the seat that won more rounds or the coin toss; None for a draw."""
    mine, other = position.wins
    return position.match_coin if mine == other else int(other > mine)


def _reason(position: Position, winner: int | None) -> str:
    rounds = len(position.winners)
    drawn = f", {position.draws} drawn" if position.draws else ""
    if winner is None or position.match_coin is not None:
        even = f"each seat wins {position.wins[0]} of {rounds} rounds{drawn}"
        return f"{even}: the match is a draw" if winner is None else f"{even}: the coin falls for seat {winner}"
    score = f"{position.wins[winner]} of {rounds} rounds, seat {1 - winner} {position.wins[1 - winner]}"
    return f"seat {winner} wins {score}{drawn}"
