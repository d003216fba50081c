"""Why an agent failed to answer, as far as that can be known: each sentence states what was seen."""

from __future__ import annotations

from collections.abc import Callable

from arbiter.agents.ask.answer import Answer
from arbiter.game import FaultKind, Game, IllegalMove
from arbiter.records.format import AnswerLine
from arbiter.text import safe

Probe = Callable[[], Answer]
"""Asks the same question once more, closes the agent's input, and waits for the agent to exit."""

_WAITED = (FaultKind.LATE, FaultKind.CLOSED)


def causes(game: Game, line: AnswerLine, lifetime: str, probe: Probe | None = None) -> tuple[str, ...]:
    """Return what is known about the cause of a fault in this position."""
    fault = line.fault
    if fault is None:
        return ()
    found = list(line.notes)
    if fault.stderr.strip():
        found.append(f"its last line on standard error: {safe(fault.stderr.strip().splitlines()[-1])}")
    if fault.kind in _WAITED and lifetime == "game" and probe and _answers_at_the_end(game, line.seat, probe()):
        found.append(
            "the answer comes only when its input is closed: flush standard output after every answer, "
            "and read only the input of this turn"
        )
    elif fault.kind in _WAITED and lifetime == "move":
        found.append("an agent with lifetime 'move' must exit after its answer")
    elif fault.kind == FaultKind.SILENT and not fault.said:
        found.append("it exited with status 0 and had printed nothing: does it read its input as the page describes?")
    return tuple(found)


def _answers_at_the_end(game: Game, seat: int, answer: Answer) -> bool:
    """Whether the first line of this answer is a legal move."""
    first = answer.text.split("\n", 1)[0]
    try:
        game.read(seat, first)
    except IllegalMove:
        return False
    return bool(first)
