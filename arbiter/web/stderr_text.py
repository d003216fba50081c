"""What agents printed on standard error, by turn, as a page shows it.

A log may have 256 MB per agent and is untrusted, so everything is bounded here: the text of a turn, the text of a game, and
how much is read. ``arbiter show --stderr-log`` prints the rest.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arbiter.errors import UserError
from arbiter.records import at_rest
from arbiter.records.stderr_log import StderrLine, log_path, read_stderr_log

MOST_OF_A_TURN = 20_000
"""Characters shown of one agent in one turn: the last ones, since what explains a fault comes last."""
MOST_OF_A_GAME = 1_000_000
_MOST_READ = 64_000_000
_MOST_LINES = 100_000


def has_log(record: Path) -> bool:
    """Return whether a log was kept of this game."""
    return at_rest.log_exists(log_path(record))


def stderr_by_turn(record: Path) -> dict[str, Any]:
    """Return ``turns``, the texts of every turn by its number, and ``problem`` if there is more than is shown, or the log is
    damaged.

    Turn 0 has what came after the last answers. A text whose beginning was left out has ``cut``.
    """
    turns: dict[str, list[dict[str, Any]]] = {}
    left, read, lines, problem = MOST_OF_A_GAME, 0, 0, ""
    try:
        for line in read_stderr_log(record):
            read, lines = read + len(line.text), lines + 1
            if left == 0 or read > _MOST_READ or lines > _MOST_LINES:
                problem = "this game has more than a page can show"
                break
            shown = _shown(line, min(left, MOST_OF_A_TURN))
            left -= len(shown["text"])
            turns.setdefault(str(line.turn), []).append(shown)
    except UserError:
        problem = "the log cannot be read any further"
    return {"turns": turns, "problem": problem}


def _shown(line: StderrLine, most: int) -> dict[str, Any]:
    text = line.text[-most:]
    made: dict[str, Any] = {"seat": line.seat, "text": text}
    return {**made, "cut": True} if line.cut or len(text) < len(line.text) else made
