"""The result of a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arbiter.game import Result, ranks_from_scores

from .rules import goal_reached
from .state import GOAL

if TYPE_CHECKING:
    from .state import Position


def outcome(position: Position) -> Result:
    """Return the result of a position in which the game is over."""
    players = position.players
    return Result(
        ranks=ranks(position),
        scores=tuple(player.points for player in players),
        reason=_reason(position),
        data={
            "cards": [len(player.cards) for player in players],
            "nobles": [len(player.nobles) for player in players],
            "rounds": position.round,
        },
    )


def ranks(position: Position) -> tuple[int, ...]:
    """Rank by points, then by fewest cards bought; ties are shared. Without 15 points there is no winner."""
    scores = [(player.points, -len(player.cards)) for player in position.players]
    return ranks_from_scores(scores, defeated=() if goal_reached(position) else range(len(scores)))


def _reason(position: Position) -> str:
    players, rounds = position.players, position.round
    after = "1 round" if rounds == 1 else f"{rounds} rounds"
    if not goal_reached(position):
        return f"nobody has {GOAL} points after {after}"
    winners = [seat for seat, rank in enumerate(ranks(position)) if rank == 1]
    best = players[winners[0]]
    if len(winners) > 1:
        names = ", ".join(map(str, winners[:-1])) + f" and {winners[-1]}"
        return f"seats {names} share the win with {best.points} points and {len(best.cards)} cards after {after}"
    if sum(player.points == best.points for player in players) > 1:
        return f"seat {winners[0]} has {best.points} points with the fewest cards, {len(best.cards)}, after {after}"
    return f"seat {winners[0]} has {best.points} points after {after}"
