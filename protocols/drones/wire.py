"""The wire format: JSON, one message per line. Only ``turn`` expects an answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from .actions import spelt

if TYPE_CHECKING:
    from .options import Settings
    from .state import Clash, Units


def match_start(settings: Settings, seat: int) -> str:
    """Write the first message to a process."""
    return _line(
        {
            "type": "matchStart",
            "rounds": settings.rounds,
            "drawAllowed": settings.match_tie == "draw",
            "seat": seat,
            "fieldTie": settings.field_tie,
            "fractionalUnits": settings.fractional_units,
        }
    )


def round_start(settings: Settings, number: int) -> str:
    """Write the message before the first turn of a round."""
    return (
        f'{{"type":"roundStart","turns":{settings.turns},"defenderBonus":{settings.defender_bonus},"round":{number}}}\n'
    )


def turn(producers: Units, soldiers: Units) -> str:
    """Write the message with a seat's own units, and nothing else."""
    return f'{{"type":"turn","producers":{spelt(producers)},"soldiers":{spelt(soldiers)}}}\n'


def round_end(clash: Clash, seat: int) -> str:
    """Write how a round ended, as seen by this seat."""
    outcome = "DRAW" if clash.winner is None else "WIN" if clash.winner == seat else "LOSE"
    return (
        f'{{"type":"roundEnd","outcome":"{outcome}","turnsPlayed":{clash.turns_played},'
        f'"you":{_army(clash, seat)},"them":{_army(clash, 1 - seat)},"round":{clash.round}}}\n'
    )


def _army(clash: Clash, seat: int) -> str:
    attacked = "true" if clash.attacked[seat] else "false"
    producers, soldiers = spelt(clash.producers[seat]), spelt(clash.soldiers[seat])
    return f'{{"producers":{producers},"soldiers":{soldiers},"launchedAttack":{attacked}}}'


def _line(message: dict[str, object]) -> str:
    return json.dumps(message, separators=(",", ":")) + "\n"
