"""Golden transcripts that stay short: of each prompt after a seat's first one, only the lines that differ."""

from __future__ import annotations

import json
from difflib import SequenceMatcher

from arbiter.testing import Playthrough, transcript


def short_transcript(played: Playthrough) -> str:
    """Return a line per prompt and a line per answer. A prompt is shown as the numbers of the lines in the prompt before it
    (to the same seat) that are replaced, each followed by the new lines; so it could be restored, and any change shows."""
    first, *_ = transcript(played).partition("--- turn 1,")
    lines = first.splitlines()
    before: dict[int, list[str]] = {}
    for number, turn in enumerate(played.turns, 1):
        for seat, prompt in turn.prompts.items():
            new = prompt.removesuffix("\n").split("\n")
            lines.append(
                f"--- turn {number}, seat {seat} is sent {_changes(before[seat], new) if seat in before else ''}".rstrip()
            )
            lines += [] if seat in before else new
            before[seat] = new
            lines.append(_answer(turn.answers[seat], turn.moves[seat]))
            if fault := turn.faults.get(seat):
                lines[-1] += f", because {fault.kind}: {fault.detail}"
        if turn.chance:
            lines.append(f"chance {list(turn.chance)}")
    if end := played.result:
        lines += [
            f"--- ranks {list(end.ranks)}, scores {list(end.scores)}: {end.reason}",
            f"--- {json.dumps(end.data)}",
        ]
    return "\n".join(lines) + "\n"


def _changes(old: list[str], new: list[str]) -> str:
    edits = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return "; ".join(f"{a + 1}-{b}: {' | '.join(new[c:d])}" for kind, a, b, c, d in edits if kind != "equal")


def _answer(answer: str, move: str) -> str:
    return f"answers {answer!r}" + (f", plays {move!r}" if move != answer else "")
