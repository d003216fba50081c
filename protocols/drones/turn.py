"""A turn in the order of the rulebook: the stages of :func:`play_turn` from top to bottom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .state import Clash

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arbiter.game import Chance

    from .actions import Action
    from .options import Settings
    from .state import Position, SettledBy

NEITHER = (False, False)

_Verdict = tuple[int | None, "SettledBy"]
"""The winner, None for a draw, and what decided it."""


def play_turn(position: Position, settings: Settings, actions: Sequence[Action], chance: Chance) -> None:
    """Advance by one turn with the actions that the seats' capacities allow."""
    make_units(position, actions)
    attacked = (actions[0].attack, actions[1].attack)
    if attacked == NEITHER and position.turn < settings.turns:
        position.turn += 1
        return
    clash(position, settings, attacked, chance)
    if position.round < settings.rounds:
        position.start_round()
    else:
        end_match(position, settings, chance)


def make_units(position: Position, actions: Sequence[Action]) -> None:
    """Add the new units. New soldiers fight at once; new producers count at once and produce from the next turn on."""
    producers, soldiers = position.producers, position.soldiers
    for seat, action in enumerate(actions):
        producers[seat] += action.producers
        soldiers[seat] += action.soldiers


def clash(position: Position, settings: Settings, attacked: tuple[bool, bool], chance: Chance) -> None:
    """Decide the round by a clash of the armies."""
    if attacked[0] != attacked[1]:
        winner, settled_by = storm(position, settings, attacker=0 if attacked[0] else 1)
    else:
        winner, settled_by = meet_in_the_field(position, settings, chance)
    position.last_clash = Clash(
        position.round,
        position.turn,
        attacked,
        (position.producers[0], position.producers[1]),
        (position.soldiers[0], position.soldiers[1]),
        winner,
        settled_by,
    )
    position.winners.append(winner)
    position.turns_played += position.turn
    if winner is None:
        position.draws += 1
    else:
        position.wins[winner] += 1


def storm(position: Position, settings: Settings, attacker: int) -> _Verdict:
    """One side attacks: it wins if it has more soldiers than the defender including the bonus, and loses otherwise."""
    defender = 1 - attacker
    stronger = position.soldiers[attacker] > position.soldiers[defender] + settings.defender_bonus
    return attacker if stronger else defender, "attack"


def meet_in_the_field(position: Position, settings: Settings, chance: Chance) -> _Verdict:
    """Both attack, or time is up: more soldiers, then more units of both kinds, then a coin."""
    mine, other = position.soldiers
    if mine != other:
        return 0 if mine > other else 1, "soldiers"
    if settings.field_tie == "draw":
        return None, "nothing"
    # The soldiers are equal, so the producers decide which side has more units in total.
    mine, other = position.producers
    if mine != other:
        return 0 if mine > other else 1, "units"
    return chance.below(2), "coin"


def end_match(position: Position, settings: Settings, chance: Chance) -> None:
    """End the match; a coin decides a tie that may not be a draw."""
    position.over = True
    if position.wins[0] == position.wins[1] and settings.match_tie == "coin":
        position.match_coin = chance.below(2)
