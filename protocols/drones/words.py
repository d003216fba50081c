"""Moves and events in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .actions import Action
    from .options import Settings
    from .state import Clash, Position, Units


def describe(soldiers: Units, action: Action) -> str:
    """Describe the action of a seat with this many soldiers, as the rest of a sentence that begins with its name."""
    new = ((action.producers, "producer"), (action.soldiers, "soldier"))
    made = [counted(count, kind) for count, kind in new if count]
    makes = f"makes {' and '.join(made) or 'nothing'}"
    if not action.attack:
        return makes
    army = shown(soldiers + action.soldiers)
    return f"{makes}, attacks with {army}" if made else f"attacks with {army}"


def shown(units: Units) -> str:
    """Write a number of units for people, with at most two decimal places."""
    return str(int(units)) if units == int(units) else f"{units:.2f}"


def counted(units: Units, kind: str) -> str:
    """ "1 soldier", "2 soldiers"."""
    return f"{shown(units)} {kind if units == 1 else kind + 's'}"


def events(position: Position, settings: Settings) -> list[str]:
    """Describe what ended with the last turn: a round, or the match."""
    clash = position.last_clash
    if clash is None or not (position.over or position.turn == 1):
        return []
    happened = [f"round {clash.round}: {ending(clash, settings.defender_bonus)}"]
    if position.match_coin is not None:
        happened.append(
            f"{counted(position.wins[0], 'round')} each: the coin gives the match to seat {position.match_coin}"
        )
    return happened


def ending(clash: Clash, defender_bonus: int, names: Sequence[str] = ("seat 0", "seat 1")) -> str:
    """Describe how a round ended. ``names`` are those of the seats."""
    if clash.attacked[0] != clash.attacked[1]:
        attacker = 0 if clash.attacked[0] else 1
        strength, defence = shown(clash.soldiers[attacker]), shown(clash.soldiers[1 - attacker])
        fate = "wins" if clash.winner == attacker else "loses"
        return f"{names[attacker]} attacks with {strength} against {defence} + {defender_bonus} and {fate}"
    return f"{_occasion(clash)}: {_field(clash, names)}"


def _occasion(clash: Clash) -> str:
    if all(clash.attacked):
        return "both attack"
    return f"no attack in {counted(clash.turns_played, 'turn')}"


def _field(clash: Clash, names: Sequence[str]) -> str:
    mine, other = map(shown, clash.soldiers)
    winner = "" if clash.winner is None else names[clash.winner]
    in_the_field = f"{mine} against {other} in the field"
    if clash.settled_by == "soldiers":
        return f"{in_the_field}, {winner} wins"
    if clash.settled_by == "nothing":
        return f"{in_the_field}, a draw"
    units = [producers + soldiers for producers, soldiers in zip(clash.producers, clash.soldiers, strict=True)]
    if clash.settled_by == "units":
        return f"{in_the_field}, {shown(units[0])} against {shown(units[1])} units in all, {winner} wins"
    return f"{in_the_field}, {counted(units[0], 'unit')} each, the coin falls for {winner}"
